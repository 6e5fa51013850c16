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


def place_at(table: Table, entry: Machine, scope: Address, region: int) -> Place:
    """The place of a region of the machine at a scope; a region of an item is the item itself."""
    if not scope:
        return _step_place(entry, (region,), entry.regions[region].name)
    parent = entry.regions[scope[0]]
    assert parent.step is not None
    if parent.step["construct"] == "fanout":
        name = f"{parent.name}/{scope[1]}"
        address = (*scope, 0)
        return Place(address, name, entry, parent.step, parent.name, key_of(address), is_item=True)
    machine = table.machines[parent.step["machine"]]
    return _step_place(machine, (*scope, region), f"{parent.name}/{machine.regions[region].name}")


def _step_place(machine: Machine, address: Address, name: str) -> Place:
    region = machine.regions[address[-1]]
    step = region.step or _NO_STEP
    return Place(address, name, machine, step, region.name, key_of(address), is_item=False)


def find_place(table: Table, entry: Machine, step_id: str) -> Place | None:
    """The place that a caller's id names; whether anything is there now is another question."""
    head, slash, tail = step_id.partition("/")
    region = region_named(entry, head)
    if region is None:
        return None
    if not slash:
        return place_at(table, entry, (), region)
    step = entry.regions[region].step
    assert step is not None
    if step["construct"] == "fanout":
        return place_at(table, entry, (region, int(tail)), 0) if _ITEM_NUMBER.fullmatch(tail) else None
    if step["construct"] != "run":
        return None
    inner = region_named(table.machines[step["machine"]], tail)
    return None if inner is None else place_at(table, entry, (region, 0), inner)


def region_named(machine: Machine, name: str) -> int | None:
    """The region of a flow's step."""
    return _numbers(machine).get(name)


_NUMBERS: dict[int, tuple[Machine, dict[str, int]]] = {}


def _numbers(machine: Machine) -> dict[str, int]:
    """Regions by name, computed once for each machine."""
    known = _NUMBERS.get(id(machine))
    if known is None or known[0] is not machine:
        if len(_NUMBERS) > 1024:
            _NUMBERS.clear()
        names = {region.name: number for number, region in enumerate(machine.regions[:-1])}
        known = _NUMBERS[id(machine)] = machine, names
    return known[1]
