"""Steps, steps of subflows and fanout items of a run, by address and by the id that callers use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from stratum_runtime.flow.rows import Address, key_of
from stratum_runtime.table import Machine, Table

_ITEM_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """A step, or an item of a fanout step, in a run."""

    address: Address
    id: str
    """`step`, `parent/child` in a subflow, `fan/0` for an item."""
    machine: Machine
    """The flow that the step belongs to; of an item, that of its fanout."""
    step: dict[str, Any]
    """The step's record; of an item, its fanout's."""
    name: str
    """The step's own id in its flow."""
    key: str
    """Of its row."""
    is_item: bool
    """Whether this is an item of a fanout."""

    @property
    def region(self) -> int:
        """The step's region in its flow; of an item, its fanout's."""
        return self.address[0] if self.is_item else self.address[-1]

    @property
    def scope(self) -> Address:
        """The flow whose outputs and input it sees: () for the entry flow."""
        return () if len(self.address) == 1 or self.is_item else self.address[:-1]

    @property
    def step_key(self) -> str:
        """The row of the step that keeps the ledger: of an item, its fanout."""
        return key_of(self.address[:1]) if self.is_item else self.key

    @property
    def parent_key(self) -> str | None:
        """The row of the run step above a step of a subflow."""
        return key_of(self.address[:1]) if self.scope else None

    @property
    def function(self) -> str:
        """`flow.step`."""
        return f"{self.machine.name}.{self.name}"


_NO_STEP: dict[str, Any] = {"construct": "flow", "budget": None}
"""In place of the record of a control region."""


_KEPT = 20_000
"""How many places of one table are kept ready."""


class Places:
    """The places of one table, made once each."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: dict[tuple[int, Address, int], Place] = {}
        self._numbers: dict[int, dict[str, int]] = {}

    def at(self, entry: Machine, scope: Address, region: int) -> Place:
        """The place of a region at a scope of a run of `entry`; of an item, the item itself."""
        key = (entry.index, scope, region)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[key] = self._make(entry, scope, region)
        return found

    def find(self, entry: Machine, step_id: str) -> Place | None:
        """The place that a caller's id names; whether anything is there now is another question."""
        head, slash, tail = step_id.partition("/")
        region = self.number(entry, head)
        if region is None or not slash:
            return None if region is None else self.at(entry, (), region)
        step = entry.regions[region].step
        assert step is not None
        if step["construct"] == "fanout":
            return self.at(entry, (region, int(tail)), 0) if _ITEM_NUMBER.fullmatch(tail) else None
        if step["construct"] != "run":
            return None
        inner = self.number(self._table.machines[step["machine"]], tail)
        return None if inner is None else self.at(entry, (region, 0), inner)

    def number(self, machine: Machine, name: str) -> int | None:
        """The region of a flow's step."""
        known = self._numbers.get(machine.index)
        if known is None:
            known = {region.name: number for number, region in enumerate(machine.regions[:-1])}
            self._numbers[machine.index] = known
        return known.get(name)

    def _make(self, entry: Machine, scope: Address, region: int) -> Place:
        if not scope:
            return _step_place(entry, (region,), entry.regions[region].name)
        parent = entry.regions[scope[0]]
        assert parent.step is not None
        if parent.step["construct"] == "fanout":
            address = (*scope, 0)
            name = f"{parent.name}/{scope[1]}"
            return Place(address, name, entry, parent.step, parent.name, key_of(address), is_item=True)
        machine = self._table.machines[parent.step["machine"]]
        return _step_place(machine, (*scope, region), f"{parent.name}/{machine.regions[region].name}")


def _step_place(machine: Machine, address: Address, name: str) -> Place:
    region = machine.regions[address[-1]]
    step = region.step or _NO_STEP
    return Place(address, name, machine, step, region.name, key_of(address), is_item=False)
