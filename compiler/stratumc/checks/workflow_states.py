"""Findings about states and what leads in and out of them (checks.md, "Workflow findings")."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.check import check
from stratumc.checks.workflow_facts import Situation, WorkflowFacts
from stratumc.diagnostics import Finding
from stratumc.workflow.syntax import Compare, State, ThresholdName, Transition


@check("STATE_UNREACHABLE")
def state_unreachable(facts: WorkflowFacts) -> Iterator[Finding]:
    """A state that no event, trigger that can fire, global or resumption leads to from the initial state."""
    initial = facts.workflow.initial_state
    for state in facts.workflow.states.values():
        if state.name not in facts.situations:
            yield Finding(
                "STATE_UNREACHABLE",
                state.at.key,
                f"state `{state.name}` can't be reached from the initial state `{initial}`",
            )


@check("STATE_NO_EXIT")
def state_no_exit(facts: WorkflowFacts) -> Iterator[Finding]:
    """A state that, once entered, is never left: no event, global or trigger leads to another state."""
    for state in facts.workflow.states.values():
        if not leads_elsewhere(facts, state):
            yield Finding("STATE_NO_EXIT", state.at.key, f"nothing leads out of state `{state.name}`")


def leads_elsewhere(facts: WorkflowFacts, state: State) -> bool:
    """Whether an event, a global or a trigger that can fire leads out of a state."""
    events = (*state.transitions, *facts.global_transitions_of(state))
    return any(transition.target != state.name for transition in events) or any(
        trigger.target != state.name and facts.can_fire(state, index)
        for index, trigger in enumerate(state.triggers)
    )


@check("THRESHOLD_UNUSED")
def threshold_unused(facts: WorkflowFacts) -> Iterator[Finding]:
    """A threshold that no condition of any state reads."""
    used = {
        operand.name
        for state in facts.workflow.states.values()
        for trigger in state.triggers
        if isinstance(trigger.condition, Compare)
        for operand in (trigger.condition.left, trigger.condition.right)
        if isinstance(operand, ThresholdName)
    }
    for threshold in facts.workflow.thresholds.values():
        if threshold.name not in used:
            yield Finding(
                "THRESHOLD_UNUSED", threshold.at.key, f"no condition reads threshold `{threshold.name}`"
            )


@check("GLOBAL_SHADOWED")
def global_shadowed(facts: WorkflowFacts) -> Iterator[Finding]:
    """A global transition that every state lists in `except` or replaces by an event of its own."""
    offered = {
        transition.event
        for state in facts.workflow.states.values()
        for transition in facts.global_transitions_of(state)
    }
    for item in facts.workflow.global_transitions:
        event = item.transition.event
        if event not in offered:
            yield Finding(
                "GLOBAL_SHADOWED",
                item.transition.at,
                f"no state ever offers the global event `{event}`: "
                "each is in its `except` or has an event of that name",
            )


@check("RESUMPTION_MISSING")
def resumption_missing(facts: WorkflowFacts) -> Iterator[Finding]:
    """A null target that can be asked for after a previous state that has no resumption target."""
    missing: dict[Transition, list[Situation]] = {}
    for state in facts.workflow.states.values():
        for transition in (*state.transitions, *facts.global_transitions_of(state)):
            if transition.target is None:
                missing.setdefault(transition, []).extend(_without_target(facts, state))
    for transition, situations in missing.items():
        if situations:
            first = situations[0]
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(s.previous for s in situations))
            yield Finding(
                "RESUMPTION_MISSING",
                transition.at,
                f"event `{transition.event}` of state `{first.state}` leads nowhere "
                f"when the previous state is {names}",
                witness={
                    "path": facts.way_to(first),
                    "state": first.state,
                    "previous": first.previous,
                    "event": transition.event,
                },
            )


def _without_target(facts: WorkflowFacts, state: State) -> list[Situation]:
    return [
        situation
        for situation in facts.situations.get(state.name, ())
        if situation.previous is not None and facts.resume(situation.previous) is None
    ]


@check("JUDGMENT_ALONE")
def judgment_alone(facts: WorkflowFacts) -> Iterator[Finding]:
    """A transition marked as a judgment in a state that has no other way out: there is nothing to weigh."""
    for state in facts.workflow.states.values():
        others = facts.global_transitions_of(state)
        fires = any(facts.can_fire(state, index) for index in range(len(state.triggers)))
        if len(state.transitions) == 1 and state.transitions[0].judgment and not others and not fires:
            transition = state.transitions[0]
            yield Finding(
                "JUDGMENT_ALONE",
                transition.at,
                f"`{transition.event}` is marked as a judgment, "
                f"but state `{state.name}` has no other way out",
            )
