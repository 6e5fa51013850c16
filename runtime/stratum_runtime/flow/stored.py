"""A run's configuration over its stored rows: only the cells that an event touches are ever read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from stratum_runtime.configuration import FRESH, ROUTERS, RUNNING, Children, RunConfiguration
from stratum_runtime.event import Fired
from stratum_runtime.flow.rows import Address, Row, RunRows, key_of
from stratum_runtime.table import Machine, Table

if TYPE_CHECKING:
    from stratum_runtime.configuration import Cell

Tally = tuple[int, int, int, int]


class StoredCells:
    """The cells of one machine. `changed` gives a copy that remembers the changes, as Vector does."""

    def __init__(self, rows: RunRows, scope: Address, size: int, known: dict[int, Cell]) -> None:
        self._rows, self._scope, self._size, self._known = rows, scope, size, known
        self._prefix = f"{key_of(scope)}/" if scope else ""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, region: int) -> Cell:
        found = self._known.get(region)
        if found is None:
            found = self._known[region] = stored_cell(self._rows.row(f"{self._prefix}{region}"))
        return found

    def __iter__(self) -> Iterator[Cell]:
        return (self[region] for region in range(self._size))

    def changed(self, updates: Mapping[int, Cell]) -> StoredCells:
        """See Vector.changed."""
        return StoredCells(self._rows, self._scope, self._size, {**self._known, **updates})


class StoredMembers:
    """The children of one region, each read when it is asked for."""

    def __init__(
        self,
        rows: RunRows,
        machine: Machine,
        address: Address,
        size: int,
        updates: Mapping[int, RunConfiguration],
    ) -> None:
        self._rows, self._machine, self._address, self._size = rows, machine, address, size
        self._updates = updates

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, number: int) -> RunConfiguration:
        known = self._updates.get(number)
        return _child(self._rows, self._machine, (*self._address, number)) if known is None else known

    def __iter__(self) -> Iterator[RunConfiguration]:
        return (self[number] for number in range(self._size))

    def changed(self, updates: Mapping[int, RunConfiguration]) -> StoredMembers:
        """See Vector.changed."""
        merged = {**self._updates, **updates}
        return StoredMembers(self._rows, self._machine, self._address, self._size, merged)


def stored_cell(row: Row) -> Cell:
    """The cell that a row holds."""
    found = row.get("cell")
    return FRESH if found is None else (*found[:ROUTERS], tuple(found[ROUTERS]))


def stored_run(table: Table, machine: Machine, rows: RunRows, header: Mapping[str, Any]) -> RunConfiguration:
    """The configuration of a run; `header` has its tally, its rounds, and which regions have children."""
    children = {region: _children(table, machine, rows, region) for region in header["working"]}
    cells: Any = StoredCells(rows, (), len(machine.regions), {})
    return RunConfiguration(machine, cells, header["rounds"], children, read_tally(header["tally"]))


def _children(table: Table, machine: Machine, rows: RunRows, region: int) -> Children:
    step = machine.regions[region].step
    assert step is not None
    size, *tally = rows.row(key_of((region,)))["children"]
    members: Any = StoredMembers(rows, table.machines[step["machine"]], (region,), size, {})
    return Children(members, *tally)


def _child(rows: RunRows, machine: Machine, scope: Address) -> RunConfiguration:
    cells: Any = StoredCells(rows, scope, len(machine.regions), {})
    if machine.role == "item":
        return RunConfiguration(machine, cells, 0, {}, (0, 0, 0, 0))
    kept = rows.row(key_of(scope))
    rounds, tally = kept.get("rounds", 0), kept.get("tally")
    return RunConfiguration(machine, cells, rounds, {}, read_tally(tally or ["0", "0", machine.control, 0]))


def read_tally(tally: list[Any]) -> Tally:
    """The masks and counts of a configuration, from their stored form (masks in hexadecimal)."""
    met, failed, unfinished, busy = tally
    return int(met, 16), int(failed, 16), unfinished, busy


def write_tally(configuration: RunConfiguration) -> list[Any]:
    """The form that `read_tally` reads."""
    return [f"{configuration.met:x}", f"{configuration.failed:x}", configuration.open, configuration.busy]


def store_changes(rows: RunRows, fired: Fired, header: dict[str, Any]) -> None:
    """Writes what an event changed of the configuration into the rows and the header."""
    root = fired.configuration
    assert isinstance(root, RunConfiguration)
    scopes: dict[Address, None] = {}
    for address in fired.changed:
        found = _at(root, address)
        if found is not None:
            rows.change(key_of(address))["cell"] = list(found.cells[address[-1]])
            scopes[address[:-1]] = None
    header["rounds"], header["tally"] = root.rounds, write_tally(root)
    working = []
    for region, children in sorted(root.children.items()):
        step = root.machine.regions[region].step
        assert step is not None
        if root.cells[region][0] == RUNNING:
            working.append(region)
            tally = [
                len(children.members),
                children.started,
                children.active,
                children.ended,
                children.succeeded,
            ]
            if rows.row(key_of((region,))).get("children") != tally:
                rows.change(key_of((region,)))["children"] = tally
    header["working"] = working
    for scope in scopes:
        if scope and _role(root, scope) == "flow":
            child = root.child(*scope)
            row = rows.change(key_of(scope))
            row["rounds"], row["tally"] = child.rounds, write_tally(child)


def _role(root: RunConfiguration, scope: Address) -> str:
    return root.child(*scope).machine.role


def _at(root: RunConfiguration, address: Address) -> RunConfiguration | None:
    """The machine that a changed region belongs to; None when a reset has dropped it since."""
    if len(address) == 1:
        return root
    children = root.children.get(address[0])
    if children is None or address[1] >= len(children.members):
        return None
    return root.child(address[0], address[1])
