"""Findings about triggers (checks.md, "Workflow findings")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stratumc.checks.check import check
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.graph.components import components
from stratumc.proof.contexts import Context
from stratumc.proof.results import Proved, Refuted
from stratumc.proof.triggers import Loop, TriggerTable, loops
from stratumc.proof.witness import describe_context
from stratumc.text import Location
from stratumc.workflow.syntax import Always, State, Trigger


def _condition(trigger: Trigger) -> Location:
    return trigger.at.child("condition")


@check("TRIGGER_NEVER_FIRES")
def trigger_never_fires(facts: WorkflowFacts) -> Iterator[Finding]:
    """A trigger whose condition holds in no context, thresholds put in."""
    for state in facts.workflow.states.values():
        never = facts.triggers_of(state).never_fires
        for trigger, result in zip(state.triggers, never, strict=True):
            if isinstance(result, Proved):
                yield Finding(
                    "TRIGGER_NEVER_FIRES",
                    _condition(trigger),
                    f"`{trigger.condition_text}` can't hold, "
                    f"so this trigger of state `{state.name}` never fires",
                )


@check("TRIGGER_SHADOWED")
def trigger_shadowed(facts: WorkflowFacts) -> Iterator[Finding]:
    """A trigger that can hold, but never without one of the state's earlier ones."""
    for state in facts.workflow.states.values():
        table = facts.triggers_of(state)
        for index, trigger in enumerate(state.triggers):
            if isinstance(table.never_fires[index], Proved) or facts.can_fire(state, index):
                continue
            alone = [first for first in range(index) if isinstance(table.implies(index, first), Proved)]
            shadows = alone[:1] or range(index)
            yield Finding(
                "TRIGGER_SHADOWED",
                _condition(trigger),
                f"whenever `{trigger.condition_text}` holds in state `{state.name}`, "
                "an earlier trigger fires",
                related=tuple(
                    RelatedPlace(_condition(state.triggers[first]), "this one fires first")
                    for first in shadows
                ),
            )


@check("TRIGGER_OVERLAP")
def trigger_overlap(facts: WorkflowFacts) -> Iterator[Finding]:
    """A trigger that can hold at once with an earlier one to another target, neither implying the other."""
    for state in facts.workflow.states.values():
        table = facts.triggers_of(state)
        for second in range(1, len(state.triggers)):
            overlaps = list(_overlaps(state, table, second))
            if overlaps:
                yield _overlap_finding(state, second, overlaps)


def _overlaps(state: State, table: TriggerTable, second: int) -> Iterator[tuple[int, Context]]:
    """The earlier triggers that fire instead of one, so that their order matters, each with a context."""
    if isinstance(table.never_first[second], Proved):
        return
    for first in range(second):
        if state.triggers[first].target == state.triggers[second].target:
            continue
        both = table.no_context(1 << first | 1 << second, (1 << first) - 1)
        if not isinstance(both, Refuted):
            continue
        if all(
            isinstance(result, Refuted)
            for result in (table.implies(first, second), table.implies(second, first))
        ):
            yield first, both.witness


def _overlap_finding(state: State, second: int, overlaps: list[tuple[int, Context]]) -> Finding:
    """One finding for all that a trigger overlaps: the first of them, and how many more."""
    first, context = overlaps[0]
    earlier, later = state.triggers[first], state.triggers[second]
    more = f" (and with {len(overlaps) - 1} more)" if len(overlaps) > 1 else ""
    return Finding(
        "TRIGGER_OVERLAP",
        _condition(later),
        f"in state `{state.name}`, `{later.condition_text}` and `{earlier.condition_text}` "
        f"can hold at once{more}; their order decides between `{later.target}` and `{earlier.target}`: "
        f"{describe_context(context)}",
        related=(RelatedPlace(_condition(earlier), f"this one fires, to `{earlier.target}`"),),
        witness={"context": context},
    )


@check("TRIGGER_BLOCKS_EVENTS")
def trigger_blocks_events(facts: WorkflowFacts) -> Iterator[Finding]:
    """A trigger `always` in a state that has events, which are then never offered."""
    for state in facts.workflow.states.values():
        blocker = next((one for one in state.triggers if isinstance(one.condition, Always)), None)
        if blocker is not None and state.transitions:
            events = ", ".join(f"`{transition.event}`" for transition in state.transitions)
            yield Finding(
                "TRIGGER_BLOCKS_EVENTS",
                _condition(blocker),
                f"a trigger of state `{state.name}` always fires, so its events are never offered: {events}",
                related=tuple(
                    RelatedPlace(transition.at, "never offered") for transition in state.transitions
                ),
                witness={"context": {}, "fires": blocker.condition_text},
            )


@check("TRIGGER_LOOP")
def trigger_loop(facts: WorkflowFacts) -> Iterator[Finding]:
    """A circle of triggers, a state to itself included, that one context fires all the way round."""
    states = facts.workflow.states
    edges = {
        state.name: [
            trigger.target for index, trigger in enumerate(state.triggers) if facts.can_fire(state, index)
        ]
        for state in states.values()
    }
    for group in components(edges):
        if len(group) > 1 or group[0] in edges[group[0]]:
            members = {name: states[name].triggers for name in group}
            for loop in loops(members, facts.thresholds):
                yield _loop_finding(states, loop)


def _loop_finding(states: Mapping[str, State], loop: Loop) -> Finding:
    triggers = [states[name].triggers[index] for name, index in loop.steps]
    names = [name for name, _ in loop.steps]
    way = " → ".join(f"`{name}`" for name in (*names, names[0]))
    return Finding(
        "TRIGGER_LOOP",
        _condition(triggers[0]),
        f"triggers go round forever: {way}, {describe_context(loop.context)}",
        related=tuple(
            RelatedPlace(_condition(trigger), f"fires in `{name}`, to `{trigger.target}`")
            for name, trigger in zip(names[1:], triggers[1:], strict=True)
        ),
        witness={"context": loop.context, "states": names},
    )
