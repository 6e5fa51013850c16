"""Where a workflow or a run is: immutable values that share all that a step leaves alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from stratum_runtime.table import Machine, Table

    Cell = tuple[int, int, int, int, int, Any]

STATE, ATTEMPTS, TRIES, ITERATIONS, EPOCH, ROUTERS = range(6)
"""The parts of a cell: what a machine remembers of one region."""

PENDING, READY, RUNNING, WAITING, SUCCEEDED, FAILED, SKIPPED = range(7)
"""The states of a step's region, by number."""

FRESH: Cell = (PENDING, 0, 0, 0, 0, ())
"""The cell of a region that nothing has happened to."""

_BITS = 6
_CHUNK = 1 << _BITS


class Vector:
    """A persistent sequence: a changed copy shares all but the chunks it changes."""

    __slots__ = ("chunks", "size")

    def __init__(self, items: Iterable[Any]) -> None:
        items = tuple(items)
        self.size = len(items)
        self.chunks = tuple(items[start : start + _CHUNK] for start in range(0, self.size, _CHUNK))

    def __getitem__(self, index: int) -> Any:
        return self.chunks[index >> _BITS][index & _CHUNK - 1]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        for chunk in self.chunks:
            yield from chunk

    def changed(self, updates: Mapping[int, Any]) -> Vector:
        """A copy with some items replaced."""
        if not updates:
            return self
        chunks = list(self.chunks)
        opened: dict[int, list[Any]] = {}
        for index, item in updates.items():
            number = index >> _BITS
            if number not in opened:
                opened[number] = list(chunks[number])
            opened[number][index & _CHUNK - 1] = item
        for number, chunk in opened.items():
            chunks[number] = tuple(chunk)
        copy = Vector.__new__(Vector)
        copy.size = self.size
        copy.chunks = tuple(chunks)
        return copy


class WorkflowConfiguration:
    """A workflow's state and the one before it, by number; `previous` is -1 at the start."""

    __slots__ = ("machine", "previous", "state")

    def __init__(self, machine: Machine, state: int, previous: int = -1) -> None:
        self.machine = machine
        self.state = state
        self.previous = previous

    @property
    def state_name(self) -> str:
        """The state as the user calls it."""
        name: str = self.machine.regions[0].names[self.state]
        return name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorkflowConfiguration) and (self.machine, self.state, self.previous) == (
            other.machine,
            other.state,
            other.previous,
        )

    def __hash__(self) -> int:
        return hash((self.state, self.previous))

    def __repr__(self) -> str:
        return f"WorkflowConfiguration({self.state_name!r})"


class Children:
    """The called flow of a `run` step (one member), or the items of a fanout with their tally."""

    __slots__ = ("active", "ended", "members", "started", "succeeded")

    def __init__(
        self, members: Vector, started: int = 0, active: int = 0, ended: int = 0, succeeded: int = 0
    ) -> None:
        self.members = members
        self.started = started
        self.active = active
        self.ended = ended
        self.succeeded = succeeded


class RunConfiguration:
    """One machine of a run with its children.

    `met` and `failed` are masks of the regions that succeeded or were skipped, and that failed;
    `open` and `busy` count the steps that have not ended, and those ready, running or waiting.
    """

    __slots__ = ("busy", "cells", "children", "failed", "machine", "met", "open", "rounds")

    def __init__(
        self,
        machine: Machine,
        cells: Vector,
        rounds: int,
        children: Mapping[int, Children],
        tally: tuple[int, int, int, int],
    ) -> None:
        self.machine = machine
        self.cells = cells
        self.rounds = rounds
        self.children = children
        self.met, self.failed, self.open, self.busy = tally

    def state_name(self, region: int) -> str:
        """The name of the state that a region is in."""
        name: str = self.machine.regions[region].names[self.cells[region][STATE]]
        return name

    @property
    def status(self) -> str:
        """The state of the control region: of a flow, how its run stands."""
        return self.state_name(self.machine.control)

    @property
    def has_ended(self) -> bool:
        """Whether the control region is in a final state."""
        control = self.machine.control
        return self.cells[control][STATE] in self.machine.regions[control].final

    def child(self, region: int, number: int = 0) -> RunConfiguration:
        """A child of a running region."""
        found: RunConfiguration = self.children[region].members[number]
        return found

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON value, for `restore`."""
        return {
            "machine": self.machine.index,
            "rounds": self.rounds,
            "cells": [[*cell[:ROUTERS], list(cell[ROUTERS])] for cell in self.cells],
            "children": [
                [region, children.started, [member.to_json() for member in children.members]]
                for region, children in sorted(self.children.items())
            ],
        }


Configuration = WorkflowConfiguration | RunConfiguration


def restore(table: Table, data: Mapping[str, Any]) -> RunConfiguration:
    """The configuration that `RunConfiguration.to_json` gave."""
    machine = table.machines[data["machine"]]
    cells = Vector((*cell[:ROUTERS], tuple(cell[ROUTERS])) for cell in data["cells"])
    children = {}
    for region, started, members in data["children"]:
        restored = Vector(restore(table, member) for member in members)
        ended = sum(member.has_ended for member in restored)
        succeeded = sum(member.status == "succeeded" for member in restored)
        children[region] = Children(restored, started, started - ended, ended, succeeded)
    return RunConfiguration(machine, cells, data["rounds"], children, _tally(machine, cells))


def _tally(machine: Machine, cells: Vector) -> tuple[int, int, int, int]:
    met = failed = unfinished = busy = 0
    for region, cell in enumerate(cells):
        if region < machine.control:
            met |= (cell[STATE] in (SUCCEEDED, SKIPPED)) << region
            failed |= (cell[STATE] == FAILED) << region
            unfinished += cell[STATE] < SUCCEEDED
            busy += PENDING < cell[STATE] < SUCCEEDED
    return met, failed, unfinished, busy


def resting(machine: Machine) -> RunConfiguration:
    """A flow or an item before anything happens: every region in its first state."""
    cells = Vector((FRESH,) * len(machine.regions))
    return RunConfiguration(machine, cells, 0, {}, (0, 0, machine.control, 0))
