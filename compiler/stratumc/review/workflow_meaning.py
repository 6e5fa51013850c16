"""What a change means for a workflow: paths, and states that can now be passed by."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.review.meaning import MOST_COMPARED, Meaning, MeaningKind, path_meanings, path_words
from stratumc.review.ways import Place, Ways, nearest_places, walk_back, workflow_ways


def workflow_meanings(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[Meaning]:
    """The consequences of a change of a workflow."""
    before, after = workflow_ways(old), workflow_ways(new)
    yield from path_meanings(before, after)
    if before != after:
        yield from _passed_by(before, after)


def _passed_by(old: Ways, new: Ways) -> Iterator[Meaning]:
    """States that every path from the start entered before it came to another, and that one can go round
    now; of each, the nearest other.
    """
    common = frozenset(old.names) & frozenset(new.names)
    if len(common) > MOST_COMPARED:
        return
    reached = frozenset(place.name for place in old.leaving)
    for state in new.names:
        if state not in common or state not in reached or Place(state) in (*old.starts, *new.starts):
            continue
        avoid = frozenset({state})
        round_before = frozenset(place.name for place in old.search(old.starts, avoid))
        found = new.search(new.starts, avoid)
        for goal, place in nearest_places(found).items():
            if goal in common and goal in reached and goal not in round_before:
                path = walk_back(found, place)
                message = f"`{goal}` can now be reached without `{state}`: {path_words(path)}"
                yield Meaning(MeaningKind.GATE_PASSED_BY, message, [hop.to_dict() for hop in path])
                break
