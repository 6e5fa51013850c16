"""One run inside one call: its header, its rows, what references stand for, ledgers, and what is ready."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stratum_runtime.configuration import RunConfiguration
from stratum_runtime.contract import ABSENT
from stratum_runtime.expression import Failure, Value
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import CARRY, INPUT, Address, Row, RunRows, key_of
from stratum_runtime.flow.stored import read_tally, stored_run
from stratum_runtime.flow.tables import Prepared
from stratum_runtime.store import RunReader
from stratum_runtime.table import Machine, Table
from stratum_runtime.workspace import Workspace

if TYPE_CHECKING:
    from stratum_runtime.template import Lookup

Ledger = dict[str, float]

STEP, CHILD, ITEM = range(3)
"""The order of lists: ready tasks of the entry flow, of subflows by parent, then fanout items."""


HEADER = (
    *("flow_id", "digest", "machine", "status", "workspace", "created", "changed", "rounds"),
    *("tally", "working", "spent", "ready", "gates", "failure"),
)
"""What the record of every run has."""


def new_header(
    table: Table, machine: Machine, flow_id: str, workspace: str | None, now: float
) -> dict[str, Any]:
    """The record of a run of a flow that nothing has happened to."""
    return {
        "flow_id": flow_id,
        "digest": table.digest,
        "machine": machine.index,
        "status": "in_progress",
        "workspace": workspace,
        "created": now,
        "changed": now,
        "rounds": 0,
        "tally": ["0", "0", machine.control, 0],
        "working": [],
        "spent": {},
        "ready": [],
        "gates": [],
        "failure": None,
    }


class Run:
    """What a call knows of a run; everything is read when it is first asked for."""

    def __init__(self, prepared: Prepared, header: dict[str, Any], source: RunReader) -> None:
        self.prepared = prepared
        self.table = prepared.table
        self.expressions = prepared.expressions
        self.machine = self.table.machines[header["machine"]]
        self.header = header
        self.source = source
        self.rows = RunRows(source)
        root = header["workspace"]
        self.workspace = None if root is None else Workspace(root)

    @property
    def flow_id(self) -> str:
        """The run's id."""
        return str(self.header["flow_id"])

    @property
    def status(self) -> str:
        """How the run stands."""
        return str(self.header["status"])

    def configuration(self) -> RunConfiguration:
        """The configuration that is stored."""
        return stored_run(self.table, self.machine, self.rows, self.header)

    def place(self, scope: Address, region: int) -> Place:
        """A place in this run."""
        return self.prepared.places.at(self.machine, scope, region)

    def find(self, step_id: str) -> Place | None:
        """The place that a caller's id names; whether anything is there now is another question."""
        return self.prepared.places.find(self.machine, step_id)

    def rounds(self, scope: Address) -> int:
        """The rounds used in the entry flow or in a subflow."""
        return int((self.rows.row(key_of(scope)) if scope else self.header).get("rounds", 0))

    def places(self) -> list[Place]:
        """The steps of the entry flow in order, those of a subflow right after its run step."""
        found = []
        for number in range(self.machine.control):
            place = self.place((), number)
            found.append(place)
            if place.step["construct"] == "run" and self.rows.row(f"{place.key}/0"):
                inner = self.table.machines[place.step["machine"]].control
                found += [self.place((number, 0), region) for region in range(inner)]
        return found

    def completed(self) -> int:
        """How many steps of the entry flow have succeeded or were skipped."""
        _, failed, unfinished, _ = read_tally(self.header["tally"])
        return int(self.machine.control) - unfinished - failed.bit_count()

    # --- values ---

    def input(self, scope: Address) -> Any:
        """The input of the entry flow, or of a subflow."""
        return self.rows.row(INPUT if not scope else key_of(scope)).get("input")

    def output(self, scope: Address, region: int) -> Any:
        """The output of a step, or ABSENT."""
        return self.rows.row(key_of((*scope, region))).get("output", ABSENT)

    def carried(self, number: int) -> Any:
        """The value of a carry variable, or ABSENT."""
        return self.rows.row(f"{CARRY}{number}").get("value", ABSENT)

    def lookup(self, place: Place, output: Any = ABSENT) -> Lookup:
        """What references of a place start from; `output` is the place's own, not stored yet."""
        scope = place.scope
        item = self.rows.row(place.key) if place.is_item else {}

        def find(kind: str, number: int | None) -> Any:
            if kind == "input":
                return self.input(scope)
            if kind == "carry":
                assert number is not None
                return self.carried(number)
            if kind == "item":
                return item.get("item", ABSENT)
            if kind == "prev":
                return item.get("output", ABSENT)
            assert number is not None
            own = output is not ABSENT and number == place.region and not place.is_item
            return output if own else self.output(scope, number)

        return find

    def outputs(self, place: Place, wanted: tuple[str, ...] | None) -> dict[str, Any]:
        """The outputs that the steps of the place's flow have, by step id: of those wanted, or of all."""
        regions = place.machine.regions[:-1]
        names = [region.name for region in regions] if wanted is None else wanted
        number_of = self.prepared.places.number
        numbers = ((name, number_of(place.machine, name)) for name in names)
        found = {name: self.output(place.scope, number) for name, number in numbers if number is not None}
        return {name: output for name, output in found.items() if output is not ABSENT}

    def value(self, expression: int, place: Place) -> Value | Failure:
        """What an expression gives before there is a result: it sees input, outputs so far, item and prev."""
        names = self._names(expression, place)
        names["result"] = self.outputs(place, self.expressions.outputs_named(expression))
        return self.expressions.evaluate(expression, names, self.workspace)

    def judgment(self, expression: int, place: Place, output: Any) -> Value | Failure:
        """What an expression says of a result."""
        return self.expressions.evaluate(
            expression, self.judged_names(expression, place, output), self.workspace
        )

    def judged_names(self, expression: int, place: Place, output: Any) -> dict[str, Any]:
        """What an expression sees when it judges a result: input, the result, item and prev."""
        names = self._names(expression, place)
        if output is not ABSENT:
            names["result"] = output
        return names

    def _names(self, expression: int, place: Place) -> dict[str, Any]:
        """`input`, if it is read, and `item` and `prev` in a fanout's stages."""
        names = {"input": self.input(place.scope)} if self.expressions.reads_input(expression) else {}
        if place.is_item:
            row = self.rows.row(place.key)
            names["item"] = row["item"]
            if "output" in row:
                names["prev"] = row["output"]
        return names

    # --- ledgers ---

    def ledgers(self, place: Place) -> list[tuple[str, Ledger, Mapping[str, float] | None]]:
        """What a dispatch of the place is booked on, outermost first: scope, ledger, budget."""
        found: list[tuple[str, Ledger, Mapping[str, float] | None]] = []
        found.append(("flow", self.header["spent"], self.machine.data["budget"]))
        if place.parent_key is not None:
            parent = self.place((), place.address[0]).step
            spent = self.rows.row(place.parent_key).get("spent", {})
            found += [
                ("subflow", spent, budget) for budget in (parent["budget"], place.machine.data["budget"])
            ]
        found.append(("task", self.rows.row(place.step_key).get("spent", {}), place.step.get("budget")))
        return found

    def book(self, place: Place, usage: Mapping[str, float]) -> None:
        """Adds a usage to every ledger of the place."""
        keys = [place.step_key, *([place.parent_key] if place.parent_key is not None else [])]
        for ledger in [
            self.header["spent"],
            *(self.rows.change(key).setdefault("spent", {}) for key in keys),
        ]:
            for name, amount in usage.items():
                if amount:
                    ledger[name] = _sum(ledger.get(name, 0), amount)

    # --- what is ready ---

    def put_in(self, name: str, place: Place) -> None:
        """Adds the place to the list of that name (`ready` or `gates`), in its order."""
        entries, entry = self.header[name], _entry(name, place)
        at = bisect_left(entries, entry)
        if at == len(entries) or entries[at] != entry:
            entries.insert(at, entry)

    def take_out(self, name: str, place: Place) -> None:
        """Removes the place from the list of that name, if it is there."""
        entries, entry = self.header[name], _entry(name, place)
        at = bisect_left(entries, entry)
        if at < len(entries) and entries[at] == entry:
            del entries[at]

    def take_out_below(self, region: int) -> None:
        """Removes whatever is ready or waits in the children of a step."""
        ready, gates = self.header["ready"], self.header["gates"]
        self.header["ready"] = [e for e in ready if e[0] == STEP or e[1] != region]
        self.header["gates"] = [e for e in gates if e[0] != region or e[1] < 0]

    def is_in(self, name: str, place: Place) -> bool:
        """Whether the place is in the list of that name."""
        entries, entry = self.header[name], _entry(name, place)
        at = bisect_left(entries, entry)
        return self.status == "in_progress" and at < len(entries) and entries[at] == entry

    def ready(self) -> list[Place]:
        """The places that can be worked on, in their order."""
        if self.status != "in_progress":
            return []
        return [self._place_of(*entry) for entry in self.header["ready"]]

    def gates(self) -> list[Place]:
        """The gates that wait: each step of the entry flow in order, its subflow's gates right after it."""
        if self.status != "in_progress":
            return []
        return [
            self.place((), region) if inner < 0 else self.place((region, 0), inner)
            for region, inner in self.header["gates"]
        ]

    def _place_of(self, kind: int, region: int, number: int) -> Place:
        if kind == STEP:
            return self.place((), region)
        return self.place((region, 0), number) if kind == CHILD else self.place((region, number), 0)

    def row(self, place: Place) -> Row:
        """The row of a place, to look at."""
        return self.rows.row(place.key)


def _sum(spent: float, more: float) -> float:
    """Of two amounts of zero or more; the largest double where no double holds it, so that JSON does."""
    total = spent + more if isinstance(spent, int) and isinstance(more, int) else float(spent) + float(more)
    return min(total, sys.float_info.max)


def _entry(name: str, place: Place) -> list[int]:
    address = place.address
    if name == "gates":
        return [address[0], address[2] if len(address) > 1 else -1]
    if len(address) == 1:
        return [STEP, address[0], 0]
    return [ITEM, address[0], address[1]] if place.is_item else [CHILD, address[0], address[2]]
