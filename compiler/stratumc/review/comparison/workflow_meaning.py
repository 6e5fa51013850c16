"""What a change means for a workflow: paths, and states that can now be passed by."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.review.comparison.event_meaning import (
    event_meanings,
    judgment_meanings,
    leading_meanings,
    start_meanings,
)
from stratumc.review.comparison.meaning import (
    MOST_TOLD,
    Meaning,
    MeaningKind,
    are_many,
    path_meanings,
    path_words,
)
from stratumc.review.comparison.trigger_meaning import trigger_meanings
from stratumc.review.comparison.workflow_side import Side, states_of_both
from stratumc.review.paths.ways import Place, Ways, nearest_places, walk_back


def workflow_meanings(old: WorkflowFacts, new: WorkflowFacts) -> Iterator[Meaning]:
    """The consequences of a change of a workflow."""
    before, after = Side("old", old), Side("new", new)
    yield from start_meanings(before, after)
    yield from path_meanings(before.ways, after.ways)
    if before.ways != after.ways:
        yield from _first(_passed_by(before.ways, after.ways))
    states = states_of_both(before, after)
    for meanings in (leading_meanings, trigger_meanings, event_meanings, judgment_meanings):
        yield from _first(meanings(before, after, states))


def _first(meanings: Iterator[Meaning]) -> Iterator[Meaning]:
    """As many as are told of one kind, and how many more there are."""
    yield from itertools.islice(meanings, MOST_TOLD)
    for kind, count in Counter(meaning.kind for meaning in meanings).items():
        yield Meaning(kind, f"{count} further changes of the same kind ({kind.value})")


def _passed_by(old: Ways, new: Ways) -> Iterator[Meaning]:
    """States that every path from the start entered before it came to another, and that one can go round
    now, or that are gone; of each, the nearest other.
    """
    common = frozenset(old.names) & frozenset(new.names)
    if are_many(common, old, new):
        return
    reached = frozenset(place.name for place in old.leaving)
    for state in (*new.names, *(name for name in old.names if name not in common)):
        if state not in reached or Place(state) in (*old.starts, *new.starts):
            continue
        avoid = frozenset({state})
        round_before = frozenset(place.name for place in old.search(old.starts, avoid))
        found = new.search(new.starts, avoid)
        for goal, place in nearest_places(found).items():
            if goal in common and goal in reached and goal not in round_before:
                path = walk_back(found, place)
                gone = "" if state in common else ", which is gone"
                message = f"`{goal}` can now be reached without `{state}`{gone}: {path_words(path)}"
                yield Meaning(MeaningKind.GATE_PASSED_BY, message, [hop.to_dict() for hop in path])
                break
