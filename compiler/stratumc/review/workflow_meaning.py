"""What a change means for a workflow: paths, states that can now be passed by, projects under way."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.graph.workflow_graph import workflow_graph
from stratumc.review.meaning import MOST_COMPARED, Meaning, MeaningKind, path_meanings
from stratumc.review.ways import Ways, workflow_ways


def workflow_meanings(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[Meaning]:
    """The consequences of a change of a workflow."""
    before, after = ways_of(old), ways_of(new)
    yield from path_meanings(before, after)
    yield from _passed_by(before, after)
    for state in before.names:
        if state not in new.workflow.states:
            message = f"a project in state `{state}` can't go on: the state is gone"
            yield Meaning(MeaningKind.CANNOT_GO_ON, message, {"state": state})


def ways_of(facts: WorkflowFacts) -> Ways:
    """The ways through a workflow, without triggers that never fire."""
    states = facts.workflow.states
    return workflow_ways(
        workflow_graph(facts.workflow), lambda edge: facts.can_fire(states[edge.source], edge.index)
    )


def _passed_by(old: Ways, new: Ways) -> Iterator[Meaning]:
    """States that every path from the start entered before it came to another, and that one can go round
    now.
    """
    common = [name for name in new.names if name in set(old.names)]
    if len(common) > MOST_COMPARED:
        return
    reached_before = old.search(old.starts)
    for state in common:
        if state in old.starts or state in new.starts or state not in reached_before:
            continue
        round_before = old.search(old.starts, frozenset({state}))
        round_now = new.search(new.starts, frozenset({state}))
        for goal in common:
            guarded = goal != state and goal in reached_before and goal not in round_before
            if guarded and goal in round_now:
                path = new.shortest(new.starts, goal, frozenset({state})) or ()
                hops = " then ".join(f"{hop.outcome} to `{hop.target}`" for hop in path)
                message = f"`{goal}` can now be reached without `{state}`: {hops}"
                yield Meaning(MeaningKind.GATE_PASSED_BY, message, [hop.to_dict() for hop in path])
                break
