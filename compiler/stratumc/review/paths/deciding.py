"""What decides in the run that an answer shows, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.step_sets import members_of
from stratumc.spec.syntax import Fanout


def deciding_words(facts: FlowFacts, run: dict[str, Any], goal: int | None, asked: Iterable[int] = ()) -> str:
    """Values, decisions and failures before a step that decide what runs; of the whole run without a goal.

    Steps that are `asked` about are told to be skipped or to fail, others only where that leads on, or a
    condition reads it. Empty when there is nothing to say.
    """
    from stratumc.proof.witness import describe

    graph = facts.graph
    mask = (1 << len(graph.ids)) - 1 if goal is None else graph.before_masks[goal] | 1 << goal
    for step in asked:
        mask |= graph.before_masks[step] | 1 << step
    steps = tuple(members_of(mask))
    failed = {graph.index[name] for name in run["failed"]}
    places = facts.condition_places(step for step in steps if _is_deciding(facts, step, failed))
    told = {graph.ids[step] for step in asked}
    read = {place[1] for place in places if place[0] == "result" and len(place) > 1}
    failing = {graph.ids[step] for step in steps if step in graph.failure_regions and step != goal}
    killing = {graph.ids[step] for step in steps if step != goal}
    shown = {
        **run,
        "decisions": {gate: how for gate, how in run["decisions"].items() if gate in killing},
        "failed": [step for step in run["failed"] if step in failing | told and step != _id(facts, goal)],
        "skipped": [step for step in run["skipped"] if step in read | told],
    }
    said = describe(shown, places)
    return "" if said == "it runs" else said


def _is_deciding(facts: FlowFacts, step: int, failed: set[int]) -> bool:
    """Whether what a step reads tells anything: of how many items a fanout has only if it fails."""
    one = facts.flow.steps[step]
    return step in failed or one.when is not None or not isinstance(one.body, Fanout)


def _id(facts: FlowFacts, goal: int | None) -> str | None:
    return None if goal is None else facts.graph.ids[goal]
