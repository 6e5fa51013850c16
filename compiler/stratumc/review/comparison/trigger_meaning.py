"""What a change of a workflow means for its triggers: which fires in a context, what is still offered."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from stratumc.proof.contexts import Context
from stratumc.proof.results import Proved, Refuted
from stratumc.proof.triggers import TriggerTable
from stratumc.proof.witness import describe_context
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.comparison.workflow_side import Side, example, listed
from stratumc.review.paths.ways import Hop
from stratumc.workflow.syntax import Always, Compare, Condition, ThresholdName, Trigger

_MOST_PAIRS = 400
"""Of a state with more pairs of triggers, old and new, it isn't compared which fires first."""


def trigger_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """Of states whose triggers changed: contexts in which another fires, and whether events are offered."""
    for state in states:
        if _decisions(old, state) != _decisions(new, state):
            yield from _decided(old, new, state)
            yield from _offers(old, new, state)


def _triggers(side: Side, state: str) -> tuple[Trigger, ...]:
    return side.facts.workflow.states[state].triggers


def _decisions(side: Side, state: str) -> list[tuple[Any, str]]:
    """What each trigger says, thresholds put in."""
    return [(_code(side, trigger.condition), trigger.target) for trigger in _triggers(side, state)]


def _code(side: Side, condition: Condition) -> Any:
    if isinstance(condition, Always):
        return condition
    ends = tuple(
        side.facts.thresholds[end.name] if isinstance(end, ThresholdName) else end
        for end in (condition.left, condition.right)
    )
    return (condition.operator, *ends)


def _decided(old: Side, new: Side, state: str) -> Iterator[Meaning]:
    """Contexts in which triggers lead elsewhere, one for each pair of targets."""
    before, after = _triggers(old, state), _triggers(new, state)
    if (len(before) + 1) * (len(after) + 1) > _MOST_PAIRS:
        message = f"the triggers of `{state}` are many: which fires first isn't compared"
        yield Meaning(MeaningKind.NOT_COMPARED, message)
        return
    thresholds = {
        f"{side.name} {name}": value for side in (old, new) for name, value in side.facts.thresholds.items()
    }
    table = TriggerTable([*_renamed(old, before), *_renamed(new, after)], thresholds)
    told: set[tuple[str | None, str | None]] = set()
    for now in (*range(len(after)), None):
        for then in (*range(len(before)), None):
            ends = (_target(before, then), _target(after, now))
            if ends[0] == ends[1] or ends in told:
                continue
            first, second = _first(then, len(before)), _first(now, len(after))
            result = table.no_context(
                first[0] | second[0] << len(before), first[1] | second[1] << len(before)
            )
            if isinstance(result, Refuted):
                told.add(ends)
                yield _decision(new, state, _at(before, then), _at(after, now), result.witness)


def _renamed(side: Side, triggers: Sequence[Trigger]) -> Iterator[Trigger]:
    """The triggers with the version's name before that of each threshold, so that both can stand together."""
    for trigger in triggers:
        condition = trigger.condition
        if isinstance(condition, Compare):
            left, right = condition.left, condition.right
            if isinstance(left, ThresholdName):
                left = ThresholdName(f"{side.name} {left.name}")
            if isinstance(right, ThresholdName):
                right = ThresholdName(f"{side.name} {right.name}")
            condition = Compare(left, condition.operator, right)
        yield dataclasses.replace(trigger, condition=condition)


def _first(index: int | None, count: int) -> tuple[int, int]:
    """Masks of the triggers that hold and that don't, when one is the first to fire, or none fires."""
    return (0, (1 << count) - 1) if index is None else (1 << index, (1 << index) - 1)


def _at(triggers: Sequence[Trigger], index: int | None) -> Trigger | None:
    return None if index is None else triggers[index]


def _target(triggers: Sequence[Trigger], index: int | None) -> str | None:
    return None if index is None else triggers[index].target


def _decision(new: Side, state: str, then: Trigger | None, now: Trigger | None, context: Context) -> Meaning:
    when = describe_context(context) if context else "when the context is empty"
    does = "no trigger fires now" if now is None else f"`{now.condition_text}` now leads to `{now.target}`"
    did = "none fired" if then is None else f"`{then.condition_text}` led to `{then.target}`"
    path = new.way_to(state)
    if now is not None:
        path = (*path, Hop(state, now.target, f"[{now.condition_text}]"))
    ends = {"old": None if then is None else then.target, "new": None if now is None else now.target}
    shows = _shown(path, state=state, context=context, **ends)
    return Meaning(MeaningKind.TRIGGER, f"in `{state}`, {when}, {does}; before, {did}{example(path)}", shows)


def _offers(old: Side, new: Side, state: str) -> Iterator[Meaning]:
    """Whether some trigger fires in whatever context now, or no longer: `flow_check` then offers no events.

    They may be applied all the same (workflow.md section 4, `flow_transition`), so that no path is lost.
    """
    before, after = _always_fires(old, state), _always_fires(new, state)
    events = [event for event in new.offered(state) if event in old.offered(state)]
    if before is None or after is None or before == after or not events:
        return
    if after:
        words = (
            f"a trigger of `{state}` fires in every context now: its events are no longer offered, "
            f"though they may still be applied: {listed(events)}"
        )
    else:
        words = (
            f"in some contexts no trigger of `{state}` fires now: its events are offered again: "
            f"{listed(events)}"
        )
    path = new.way_to(state)
    shows = _shown(path, state=state, events=events, offered=not after)
    yield Meaning(MeaningKind.OFFERED, f"{words}{example(path)}", shows)


def _always_fires(side: Side, state: str) -> bool | None:
    """Whether one of the triggers fires in every context; None when that isn't decided."""
    count = len(_triggers(side, state))
    result = side.facts.triggers_of(side.facts.workflow.states[state]).no_context(0, (1 << count) - 1)
    if isinstance(result, Proved):
        return True
    return False if isinstance(result, Refuted) else None


def _shown(path: tuple[Hop, ...], **more: Any) -> dict[str, Any]:
    return {"version": "new", "path": [hop.to_dict() for hop in path], **more}
