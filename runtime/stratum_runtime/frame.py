"""The machines of a run while a macrostep changes them (docs/table-format.md)."""

from __future__ import annotations

from heapq import heappop, heappush

from stratum_runtime.configuration import (
    FAILED,
    PENDING,
    SKIPPED,
    STATE,
    SUCCEEDED,
    Children,
    RunConfiguration,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from stratum_runtime.configuration import Cell
    from stratum_runtime.event import Event, Host
    from stratum_runtime.table import Machine, Row, Table

    Guard = Callable[["Frame", int, tuple[Any, ...], Event | None], bool]
    Performer = Callable[["Frame", int, tuple[Any, ...], Event | None], None]

MICROSTEPS_PER_REGION = 64
"""How many rows one macrostep may take for each region and item there is."""


class EndlessError(Exception):
    """The microsteps passed their bound."""


class Progress:
    """One macrostep in progress."""

    def __init__(
        self, table: Table, host: Host, guards: Mapping[str, Guard], performers: Mapping[str, Performer]
    ) -> None:
        self.table = table
        self.host = host
        self.guards = guards
        """The guards that are decided here, by name; the host decides the others."""
        self.performers = performers
        """The effects that are carried out here, by name."""
        self.root: Frame
        self.effects: list[Any] = []
        self.rows: list[Row] = []
        self.changed: dict[tuple[int, ...], None] = {}
        self.failed_guard: str | None = None
        self.bound = MICROSTEPS_PER_REGION

    def allow(self, regions: int) -> None:
        """Raises the bound by what so many regions may take."""
        self.bound += MICROSTEPS_PER_REGION * regions

    def settle(self, event: Event) -> None:
        """Everything that follows by itself."""
        self.join_touched_items(event)
        self.root.settle()

    def join_touched_items(self, event: Event) -> None:
        """Tells a fanout that the item an event went to may have ended."""
        frame = self.root
        for depth in range(0, len(event.address) - 1, 2):
            region, number = event.address[depth : depth + 2]
            if frame.machine_of(region).role == "item" and not self.root.has_ended:
                frame.touched.discard(region)
                frame.tend_item(region, number)
                return
            frame = frame.child(region, number)


class Frame:
    """One machine of the run while it changes: what changed lies over the configuration it had."""

    run: Progress
    open: int
    busy: int
    met: int
    failed: int

    def __init__(self, run: Progress, base: RunConfiguration, scope: tuple[int, ...]) -> None:
        self.run = run
        self.base = base
        self.scope = scope
        self.machine: Machine = base.machine
        self.cells: dict[int, Cell] = {}
        self.met, self.failed, self.open, self.busy = base.met, base.failed, base.open, base.busy
        self.rounds = base.rounds
        self.children: dict[int, Children] | None = None
        self.frames: dict[int, dict[int, Frame]] = {}
        self.touched: set[int] = set()
        self.now: list[int] = []
        self.later: list[int] = []
        self.queued: set[int] = set()
        self.place = -1
        run.allow(len(self.machine.regions))

    # --- looking ---

    def cell(self, region: int) -> Cell:
        """What is known of a region now."""
        found = self.cells.get(region)
        if found is None:
            found = self.base.cells[region]
        return found

    @property
    def has_ended(self) -> bool:
        """Whether this machine, or the whole run, is over."""
        control = self.machine.control
        if self.cell(control)[STATE] in self.machine.regions[control].final:
            return True
        return self is not self.run.root and self.run.root.has_ended

    @property
    def status(self) -> str:
        """The name of the control region's state."""
        control = self.machine.regions[self.machine.control]
        return control.names[self.cell(self.machine.control)[STATE]]

    def offspring(self, region: int) -> Children | None:
        """The children of a region now."""
        return (self.base.children if self.children is None else self.children).get(region)

    def has_child(self, region: int, number: int) -> bool:
        """Whether a region has that child."""
        children = self.offspring(region)
        return children is not None and 0 <= number < len(children.members)

    def child(self, region: int, number: int) -> Frame:
        """A child, opened for change."""
        opened = self.frames.setdefault(region, {})
        if number not in opened:
            children = self.offspring(region)
            assert children is not None
            opened[number] = Frame(self.run, children.members[number], (*self.scope, region, number))
        return opened[number]

    def machine_of(self, region: int) -> Machine:
        """The machine of a region's children."""
        step = self.machine.regions[region].step
        assert step is not None
        machine: Machine = self.run.table.machines[step["machine"]]
        return machine

    # --- rows ---

    def fire(self, region: int, name: str, event: Event | None) -> Row | None:
        """Takes the first row for the event whose guards hold; None when there is none."""
        for row in self.machine.lookup[region][self.cell(region)[STATE]].get(name, ()):
            if all(self.guard_holds(region, guard, event) for guard in row.guards):
                self.take_row(row, event)
                return row
        return None

    def guard_holds(self, region: int, guard: tuple[Any, ...], event: Event | None) -> bool:
        """Whether one guard holds now."""
        name, arguments = guard[0], guard[1:]
        own = self.run.guards.get(name)
        if own is not None:
            result = own(self, region, arguments, event)
        else:
            result = self.run.host.holds(self.scope, region, name, arguments)
        if not result:
            self.run.failed_guard = name
        return result

    def take_row(self, row: Row, event: Event | None) -> None:
        """The region goes to the target, then the effects follow in order."""
        self.run.rows.append(row)
        if len(self.run.rows) > self.run.bound:
            raise EndlessError
        if row.target != row.state:
            self.move(row.region, row.target)
        for effect in row.effects:
            self.do(row.region, effect[0], effect[1:], event)

    def do(self, region: int, name: str, arguments: tuple[Any, ...], event: Event | None) -> None:
        """One effect: told to the host and to the caller, and carried out here as far as it is ours."""
        own = self.run.performers.get(name)
        if own is not None:
            own(self, region, arguments, event)
        else:
            self.tell(region, name, arguments)

    def tell(self, region: int, name: str, arguments: tuple[Any, ...]) -> int | None:
        """Lets the host carry out an effect."""
        self.run.effects.append(((*self.scope, region), name, arguments))
        return self.run.host.perform(self.scope, region, name, arguments)

    # --- changing ---

    def put(self, region: int, cell: Cell) -> None:
        """A region's new cell."""
        self.cells[region] = cell
        self.run.changed[(*self.scope, region)] = None

    def move(self, region: int, target: int) -> None:
        """A region's new state; those that waited for its end are to be looked at."""
        cell = self.cell(region)
        self.put(region, (target, *cell[1:]))
        if region == self.machine.control:
            return
        before = cell[STATE]
        bit = 1 << region
        self.busy += (PENDING < target < SUCCEEDED) - (PENDING < before < SUCCEEDED)
        self.open += (target < SUCCEEDED) - (before < SUCCEEDED)
        self.met = self.met | bit if target in (SUCCEEDED, SKIPPED) else self.met & ~bit
        self.failed = self.failed | bit if target == FAILED else self.failed & ~bit
        if target >= SUCCEEDED:
            for woken in self.machine.regions[region].wakes:
                self.look_at(woken)

    def look_at(self, region: int) -> None:
        """Queues a region: in this pass when its place is still to come, else in the next."""
        if region in self.queued:
            return
        self.queued.add(region)
        if region > self.place:
            heappush(self.now, region)
        else:
            self.later.append(region)

    def set_children(self, region: int, children: Children | None) -> None:
        """Replaces or drops the children of a region."""
        if self.children is None:
            self.children = dict(self.base.children)
        if children is None:
            self.children.pop(region, None)
            self.frames.pop(region, None)
            self.touched.discard(region)
        else:
            self.children[region] = children

    # --- moving on ---

    def settle(self) -> None:
        """Passes over the regions, then over the children, until nothing more happens by itself."""
        while True:
            self.sweep()
            if self.has_ended:
                return
            if not self.touched:
                break
            region = min(self.touched)
            self.touched.discard(region)
            self.tend_flow(region)
        self.fire(self.machine.control, "settled", None)

    def sweep(self) -> None:
        """Looks at what is queued, in passes of ascending order."""
        while (self.now or self.later) and not self.has_ended:
            if not self.now:
                self.now, self.later, self.place = sorted(self.later), [], -1
            self.place = heappop(self.now)
            self.queued.discard(self.place)
            if self.cell(self.place)[STATE] == PENDING:
                self.fire(self.place, "enable", None)
        self.place = -1

    def tend_flow(self, region: int) -> None:
        """Lets a called flow move on, and its step know when it ended."""
        child, children = self.child(region, 0), self.offspring(region)
        if children is not None and not children.started:
            self.set_children(region, Children(children.members, started=1, active=1))
            child.fire(child.machine.control, "start", None)
        child.settle()
        if child.has_ended and not self.has_ended:
            self.fire(region, "complete" if child.status == "complete" else "fail", None)

    def tend_item(self, region: int, number: int) -> None:
        """Counts an item that an event went to, and lets the fanout go on."""
        children = self.offspring(region)
        assert children is not None
        item = self.child(region, number)
        if item.has_ended:
            won = item.status == "succeeded"
            children = Children(
                children.members,
                children.started,
                children.active - 1,
                children.ended + 1,
                children.succeeded + won,
            )
            self.set_children(region, children)
        self.start_items(region)

    def start_items(self, region: int) -> None:
        """Starts items while there is room; when all have ended the fanout joins."""
        children, step = self.offspring(region), self.machine.regions[region].step
        assert children is not None
        assert step is not None
        count = len(children.members)
        started, active, ended, won = children.started, children.active, children.ended, children.succeeded
        while started < count and active < step["concurrency"] and not self.has_ended:
            item = self.child(region, started)
            started += 1
            item.fire(0, "enable", None)
            if item.cell(0)[STATE] in item.machine.regions[0].final:
                ended += 1
                won += item.status == "succeeded"
            else:
                active += 1
        self.set_children(region, Children(children.members, started, active, ended, won))
        if ended == count and not self.has_ended:
            self.fire(region, "join", None)

    def frozen(self) -> RunConfiguration:
        """The configuration as it is now."""
        for region, opened in self.frames.items():
            children = self.offspring(region)
            if children is not None:
                members = children.members.changed(
                    {number: frame.frozen() for number, frame in opened.items()}
                )
                tally = children.started, children.active, children.ended, children.succeeded
                self.set_children(region, Children(members, *tally))
        return RunConfiguration(
            self.machine,
            self.base.cells.changed(self.cells),
            self.rounds,
            self.base.children if self.children is None else self.children,
            (self.met, self.failed, self.open, self.busy),
        )
