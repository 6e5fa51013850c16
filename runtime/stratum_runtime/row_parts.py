"""The guards and effects of rows of runs that the configuration alone decides (docs/table-format.md)."""
# ruff: noqa: ARG001, ARG005 (all guards are called alike, and so are all effects)

from __future__ import annotations

from stratum_runtime.configuration import (
    ITERATIONS,
    PENDING,
    ROUTERS,
    SKIPPED,
    STATE,
    TRIES,
    Children,
    Vector,
    resting,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from stratum_runtime.event import Event
    from stratum_runtime.frame import Frame


# --- guards that the configuration and the event decide ---


def _deps(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> bool:
    wanted, forgiven = arguments
    unmet: int = wanted & ~(frame.met | frame.failed & forgiven)
    return unmet == 0


def _unrouted(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> bool:
    routers = arguments[0]
    return not frame.cell(region)[ROUTERS] and routers & ~(frame.met | frame.failed) == 0


def _requires(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> bool:
    children = frame.offspring(region)
    assert children is not None
    needed = arguments[0]
    if needed == "all":
        return children.succeeded == len(children.members)
    return children.succeeded >= (1 if needed == "any" else needed)


def _rounds_left(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> bool:
    flow, gate = arguments
    if flow is not None and frame.rounds >= flow:
        return False
    return gate is None or frame.cell(region)[ITERATIONS] < gate


GUARDS: dict[str, Callable[[Frame, int, tuple[Any, ...], Event | None], bool]] = {
    "routed": lambda frame, region, arguments, event: bool(frame.cell(region)[ROUTERS]),
    "unrouted": _unrouted,
    "deps": _deps,
    "requires": _requires,
    "verdict": lambda frame, region, arguments, event: event is not None and event.verdict == arguments[0],
    "fresh": lambda frame, region, arguments, event: event is not None and event.fresh,
    "attempts_left": lambda frame, region, arguments, event: frame.cell(region)[TRIES] + 1 < arguments[0],
    "iterations_left": lambda frame, region, arguments, event: (
        frame.cell(region)[ITERATIONS] + 1 < arguments[0]
    ),
    "rounds_left": _rounds_left,
    "all_ended": lambda frame, region, arguments, event: frame.open == 0,
    "stuck": lambda frame, region, arguments, event: frame.open > 0 and frame.busy == 0,
}


# --- effects that change the configuration ---


def _add_attempts(frame: Frame, region: int, count: int) -> None:
    state, attempts, tries, iterations, epoch, routers = frame.cell(region)
    frame.put(region, (state, attempts + count, tries + count, iterations, epoch, routers))


def _record_attempt(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    _add_attempts(frame, region, 1)
    frame.tell(region, "record_attempt", arguments)


def _exhaust_attempts(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    missing = max(1, arguments[0] - frame.cell(region)[TRIES])
    _add_attempts(frame, region, missing)
    frame.tell(region, "exhaust_attempts", (missing, arguments[1]))


def _add_iteration(frame: Frame, region: int) -> None:
    state, attempts, tries, iterations, epoch, routers = frame.cell(region)
    frame.put(region, (state, attempts, tries, iterations + 1, epoch, routers))


def _count_iteration(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    _add_iteration(frame, region)
    frame.tell(region, "count_iteration", ())


def _count_round(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    frame.rounds += 1
    _add_iteration(frame, region)
    frame.tell(region, "count_round", ())


def _next_stage(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    state, attempts, _, stage, epoch, routers = frame.cell(region)
    frame.put(region, (state, attempts, 0, stage + 1, epoch, routers))
    frame.tell(region, "next_stage", ())


def _route(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    target = arguments[0]
    state, attempts, tries, iterations, epoch, routers = frame.cell(target)
    earlier = (router for router in routers if router != region)
    frame.put(target, (state, attempts, tries, iterations, epoch, (*earlier, region)))
    frame.tell(region, "route", arguments)
    frame.look_at(target)


def _skip_region(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    _skip(frame, region, _members(arguments[0]))


def _members(mask: int) -> list[int]:
    """The regions of a mask, ascending; linear in its length."""
    members = []
    digits = bin(mask)[:1:-1]
    member = digits.find("1")
    while member >= 0:
        members.append(member)
        member = digits.find("1", member + 1)
    return members


def _skip(frame: Frame, failed: int, members: list[int]) -> None:
    """Skips those of the members that are pending, for a step that failed over."""
    skipped = [member for member in members if frame.cell(member)[STATE] == PENDING]
    for member in skipped:
        frame.move(member, SKIPPED)
    frame.tell(failed, "skip_region", (tuple(skipped),))


def _reset(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    inside = arguments[0]
    members = _members(inside)
    for member in members:
        state, _, _, iterations, epoch, routers = frame.cell(member)
        step = frame.machine.regions[member].step
        is_gate = step is not None and step["construct"] == "gate"
        if state != PENDING:
            frame.move(member, PENDING)
        kept = tuple(router for router in routers if not inside >> router & 1)
        frame.put(member, (PENDING, 0, 0, iterations if is_gate else 0, epoch + 1, kept))
        if frame.offspring(member) is not None:
            frame.set_children(member, None)
        frame.look_at(member)
    frame.tell(region, "reset", (tuple(members),))
    for failed in _members(frame.failed):
        lost = frame.machine.skips.get(failed, 0) & inside
        if lost:
            _skip(frame, failed, _members(lost))


def _enter(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    machine = frame.run.table.machines[arguments[0]]
    count = frame.tell(region, "enter", arguments)
    if machine.role == "item":
        frame.run.allow(count or 0)
        frame.set_children(region, Children(Vector((resting(machine),) * (count or 0))))
        frame.start_items(region)
    else:
        frame.set_children(region, Children(Vector((resting(machine),))))
        frame.touched.add(region)


def _start(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    frame.tell(region, "start", ())
    for first in frame.machine.starts:
        frame.look_at(first)


# An event that an effect sends is lost when no row takes it.


def _raise(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    frame.fire(region, arguments[0], event)


def _signal(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    frame.tell(region, "signal", arguments)
    frame.fire(frame.machine.control, arguments[0], event)


def _signal_root(frame: Frame, region: int, arguments: tuple[Any, ...], event: Event | None) -> None:
    frame.tell(region, "signal_root", arguments)
    root = frame.run.root
    root.fire(root.machine.control, arguments[0], event)


EFFECTS: dict[str, Callable[[Frame, int, tuple[Any, ...], Event | None], None]] = {
    "start": _start,
    "record_attempt": _record_attempt,
    "exhaust_attempts": _exhaust_attempts,
    "count_iteration": _count_iteration,
    "count_round": _count_round,
    "next_stage": _next_stage,
    "route": _route,
    "skip_region": _skip_region,
    "reset": _reset,
    "enter": _enter,
    "raise": _raise,
    "signal": _signal,
    "signal_root": _signal_root,
}
