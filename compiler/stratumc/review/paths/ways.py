"""The ways through a document, for both kinds alike: places joined by outcomes, and shortest paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from stratumc.checks.workflow_facts import Move, Situation, WorkflowFacts


@dataclass(frozen=True, slots=True)
class Hop:
    """One way on, from a step or state to the next."""

    source: str
    target: str
    outcome: str
    """Of a flow: `succeeds`, `fails`, `approve`, `kill`, `revise`; of a workflow: the event, or the
    condition in brackets."""
    previous: str | None = None
    """Of a workflow's null target: the state before the source, by which it was looked up."""

    over: tuple[str, ...] = ()
    """Of a flow: the steps between the two that are skipped."""

    def to_dict(self) -> dict[str, Any]:
        """The hop as a JSON object."""
        resumes = {} if self.previous is None else {"previous_state": self.previous}
        skipped = {"skipped": list(self.over)} if self.over else {}
        return {"from": self.source, "by": self.outcome, "to": self.target, **resumes, **skipped}

    def __str__(self) -> str:
        return f"{self.source} → {self.target} ({self.outcome})"


class Place(NamedTuple):
    """A step, or a state with the one before it where the ways on depend on that."""

    name: str
    previous: str | None = None


Leaving = tuple[Hop, Place]

Found = dict[Place, tuple[Place, Hop] | None]
"""What a search found, nearest first, each with where it came from; None for a start."""


@dataclass(frozen=True)
class Ways:
    """Steps or states, the places in which a run or project can be at each, and every hop between those."""

    names: tuple[str, ...]
    """In document order, those that nothing leads to as well."""
    starts: tuple[Place, ...]
    leaving: dict[Place, tuple[Leaving, ...]]

    @cached_property
    def size(self) -> int:
        """How many places and hops there are."""
        return len(self.leaving) + sum(map(len, self.leaving.values()))

    def place(self, name: str, previous: str | None) -> Place:
        """The place of a state and the one before it, which are among those that a search began with."""
        place = Place(name, previous)
        return place if place in self.leaving else Place(name)

    def comes_to(self, goals: Iterable[str]) -> dict[Place, frozenset[str]]:
        """From each place, the goals that it leads to by however many hops; itself included."""
        before: dict[Place, list[Place]] = {place: [] for place in self.leaving}
        for place, ways_on in self.leaving.items():
            for _, after in ways_on:
                before[after].append(place)
        found: dict[Place, frozenset[str]] = dict.fromkeys(self.leaving, frozenset())
        for goal in dict.fromkeys(goals):
            this = frozenset({goal})
            queue = deque(self.places_of(goal))
            while queue:
                place = queue.popleft()
                if goal not in found[place]:
                    found[place] |= this
                    queue.extend(before[place])
        return found

    def places_of(self, name: str) -> tuple[Place, ...]:
        """Where a run or project can be at a step or state; nothing when it can't be there."""
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> dict[str, tuple[Place, ...]]:
        found: dict[str, list[Place]] = {}
        for place in self.leaving:
            found.setdefault(place.name, []).append(place)
        return {name: tuple(places) for name, places in found.items()}

    def search(self, starts: Iterable[Place], avoid: frozenset[str] = frozenset()) -> Found:
        """Everything reachable without entering what is to be avoided, nearest first."""
        found: Found = {place: None for place in starts if place.name not in avoid}
        queue = deque(found)
        while queue:
            place = queue.popleft()
            for hop, after in self.leaving.get(place, ()):
                if after not in found and after.name not in avoid:
                    found[after] = (place, hop)
                    queue.append(after)
        return found


def nearest_places(found: Found) -> dict[str, Place]:
    """Of each name that a search found, the nearest place."""
    nearest: dict[str, Place] = {}
    for place in found:
        nearest.setdefault(place.name, place)
    return nearest


def walk_back(found: Found, place: Place) -> tuple[Hop, ...]:
    """The path to a place that a search found."""
    path: list[Hop] = []
    came = found[place]
    while came is not None:
        before, hop = came
        path.append(hop)
        came = found[before]
    return tuple(reversed(path))


def workflow_ways(facts: WorkflowFacts, under_way: Iterable[Situation] = ()) -> Ways:
    """The ways that a project can go from the initial state on; triggers that can't fire lead nowhere.

    With them the ways of projects in further situations.
    """
    workflow = facts.workflow
    resuming = frozenset(
        state.name
        for state in workflow.states.values()
        if any(one.target is None for one in (*state.transitions, *facts.global_transitions_of(state)))
    )
    start = Place(workflow.initial_state)
    leaving: dict[Place, tuple[Leaving, ...]] = {}

    def enter(state: str, previous: str | None) -> Place:
        return Place(state, previous if state in resuming else None)

    queue = deque([start, *(enter(one.state, one.previous) for one in under_way)])
    while queue:
        place = queue.popleft()
        if place in leaving:
            continue
        leaving[place] = tuple(
            (_hop(place.name, move), enter(move.target, place.name))
            for move in facts.moves(Situation(place.name, place.previous))
        )
        queue.extend(after for _, after in leaving[place])
    return Ways(tuple(workflow.states), (start,), leaving)


def _hop(source: str, move: Move) -> Hop:
    by = move.by
    return Hop(source, move.target, by["event"] if "event" in by else f"[{by['condition']}]", move.previous)
