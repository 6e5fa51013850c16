"""Macrosteps of a run: an event, then everything that follows from it (docs/table-format.md)."""

from __future__ import annotations

from stratum_runtime.configuration import STATE, RunConfiguration
from stratum_runtime.event import EXTERNAL, START, Event, Fired, Host, Refused
from stratum_runtime.frame import EndlessError, Frame, Progress
from stratum_runtime.row_parts import EFFECTS, GUARDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stratum_runtime.table import Table

_AGREEABLE = Host()


def take(table: Table, configuration: RunConfiguration, event: Event, host: Host | None) -> Fired | Refused:
    """The macrostep of an external event, or of `start`: one that `step` and `start` let through."""
    run = Progress(table, host or _AGREEABLE, GUARDS, EFFECTS)
    run.root = root = Frame(run, configuration, ())
    frame, *below = root, *event.address
    while len(below) > 2:
        if not frame.has_child(below[0], below[1]) or frame.has_ended:
            return _no_region(root, event)
        frame.touched.add(below[0])
        frame, below = frame.child(below[0], below[1]), below[2:]
    if frame.has_ended or root.has_ended:
        return Refused("ended", f"`{frame.machine.name}` has ended: {frame.status}")
    if len(below) != 1 or not 0 <= below[0] < len(frame.machine.regions):
        return _no_region(root, event)
    region = below[0]
    if event.name not in EXTERNAL and event.name != START:
        return _refusal(frame, region, event, None)
    try:
        row = frame.fire(region, event.name, event)
        if row is None:
            return _refusal(frame, region, event, run.failed_guard)
        run.settle(event)
    except EndlessError:
        names = dict.fromkeys(f"`{taken.event}`" for taken in run.rows[-64:])
        return Refused("endless", f"the table goes round in circles over {', '.join(names)}")
    return Fired(root.frozen(), tuple(run.effects), tuple(run.rows), tuple(run.changed))


def _no_region(root: Frame, event: Event) -> Refused:
    return Refused("unknown_region", f"`{root.machine.name}` has nothing at {event.address} now")


def _refusal(frame: Frame, region: int, event: Event, guard: str | None) -> Refused:
    known = frame.machine.regions[region]
    state = frame.cell(region)[STATE]
    rows = frame.machine.lookup[region][state]
    accepted = tuple(name for name in rows if name in EXTERNAL)
    if guard is not None and event.name in rows:
        message = f"`{event.name}` of `{known.name}` is refused: `{guard}` doesn't hold"
        return Refused("guarded", message, accepted, guard)
    message = f"`{event.name}` is not accepted by `{known.name}`, which is {known.names[state]}"
    return Refused("not_accepted", message, accepted)
