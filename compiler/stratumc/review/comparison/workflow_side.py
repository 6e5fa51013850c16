"""One version of a workflow in a comparison: where projects come, and by what they go on from there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.review.comparison.meaning import path_words
from stratumc.review.paths.ways import Found, Hop, Ways, walk_back, workflow_ways
from stratumc.workflow.syntax import Transition

_MOST_NAMED = 3


class Side:
    """A version with its ways, each fact computed when first asked for; `name` is `old` or `new`."""

    def __init__(self, name: str, facts: WorkflowFacts) -> None:
        self.name = name
        self.facts = facts
        self._offered: dict[str, dict[str, Transition]] = {}

    @cached_property
    def ways(self) -> Ways:
        """The ways of projects from the initial state on."""
        return workflow_ways(self.facts)

    @cached_property
    def _found(self) -> Found:
        return self.ways.search(self.ways.starts)

    def offered(self, state: str) -> dict[str, Transition]:
        """By name, the events that may be applied in a state: its own, then the globals."""
        if state not in self._offered:
            own = self.facts.workflow.states[state]
            transitions = (*own.transitions, *self.facts.global_transitions_of(own))
            self._offered[state] = {one.event: one for one in transitions}
        return self._offered[state]

    def is_own(self, state: str, event: str) -> bool:
        """Whether an event that may be applied in a state is one of its own."""
        return any(one.event == event for one in self.facts.workflow.states[state].transitions)

    def way_to(self, state: str, previous: str | None = None) -> tuple[Hop, ...]:
        """The shortest path of a new project to a state that projects come to.

        With `previous`, one that comes from that state, if there is one.
        """
        for place in self.ways.places_of(previous) if previous is not None else ():
            for hop, after in self.ways.leaving[place]:
                if after.name == state:
                    return (*walk_back(self._found, place), hop)
        return walk_back(self._found, self.ways.places_of(state)[0])

    def way_by(self, state: str, event: str) -> tuple[Hop, ...] | None:
        """A path of a new project to a state, and on by an event; None when that leads nowhere there."""
        for place in self.ways.places_of(state):
            for hop, _ in self.ways.leaving[place]:
                if hop.outcome == event:
                    return (*walk_back(self._found, place), hop)
        return None


def states_of_both(old: Side, new: Side) -> tuple[str, ...]:
    """The states that projects come to in both versions."""
    return tuple(
        state
        for state in new.facts.workflow.states
        if new.ways.places_of(state) and old.ways.places_of(state)
    )


def example(path: tuple[Hop, ...]) -> str:
    """A path that shows what was said, in brackets after it."""
    return f" ({path_words(path)})" if path else ""


def listed(names: Iterable[str]) -> str:
    """A few names, and how many more there are."""
    all_names = tuple(dict.fromkeys(names))
    more = len(all_names) - _MOST_NAMED
    shown = [f"`{name}`" for name in (all_names if more <= 1 else all_names[:_MOST_NAMED])]
    if more > 1:
        shown.append(f"{more} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
