"""Plays small workflows on the runtime itself: every move of every situation, by trying all that there is."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from typing import Any

from stratum_runtime.workflow.offers import AUTO, Offers
from stratum_runtime.workflow.refusals import RefusalError
from stratum_runtime.workflow.wishes import Wish, fire
from stratumc.driver.load import load
from stratumc.engine.paths import Explainer
from stratumc.engine.program import fires_first
from stratumc.lower import lower_workflow

Json = dict[str, Any]
Place = tuple[str, str | None]
"""A state, and the one before it."""

_COUNTS = (0, 1, 2, 3, 4, 5, 6)
CONTEXTS: tuple[Json, ...] = tuple(
    {**task, **counters}
    for task in ({}, *({"task": {"n": number}} for number in (-1, *_COUNTS, 1.5)))
    for counters in ({}, *({"x_counters": {"k": number}} for number in _COUNTS))
)
"""Enough for every condition of `workflows_random`: each can hold, or not, by itself and beside others."""


class Player:
    """One workflow, given as JSON that keeps the rules."""

    def __init__(self, document: Json) -> None:
        loaded = load(json.dumps(document), name="w.json", kind="workflow")
        assert loaded.workflow is not None
        table = lower_workflow(loaded.workflow, loaded.sources)
        self.workflow = loaded.workflow
        self.offers = Offers(table)
        self.explainer = Explainer(loaded.workflow, fires_first(table))
        self.begin: Place = (loaded.workflow.initial_state, None)
        self._moves: dict[Place, dict[str, str]] = {}

    def take(self, place: Place, event: str, context: Json | None = None) -> Json | None:
        """What the log would keep of an event; None when it is refused."""
        at = self.offers.configuration(*place)
        assert at is not None
        try:
            row = fire(self.offers, at, Wish(event, context or {}, {}, None, None))
        except RefusalError:
            return None
        return self.offers.taken(at, row)

    def trigger(self, place: Place, context: Json) -> tuple[str, str] | None:
        """Condition and target of the trigger that fires in a context."""
        taken = self.take(place, AUTO, context)
        return None if taken is None else (taken["condition"], taken["to"])

    def moves(self, place: Place) -> dict[str, str]:
        """By event, or condition in brackets, where a project can go on to."""
        if place not in self._moves:
            at = self.offers.configuration(*place)
            assert at is not None
            taken = {event: self.take(place, event) for event in self.offers.events(at)}
            found = {event: one["to"] for event, one in taken.items() if one is not None}
            for context in CONTEXTS:
                fired = self.trigger(place, context)
                if fired is not None:
                    found[f"[{fired[0]}] {fired[1]}"] = fired[1]
            self._moves[place] = found
        return self._moves[place]

    def distances(self, begins: Iterable[Place], avoid: Iterable[str] = ()) -> dict[Place, int]:
        """Every situation that can be reached, with its distance, by breadth-first search."""
        found = {place: 0 for place in begins if place[0] not in avoid}
        queue = deque(found)
        while queue:
            place = queue.popleft()
            for target in self.moves(place).values():
                after = (target, place[0])
                if after not in found and target not in avoid:
                    found[after] = found[place] + 1
                    queue.append(after)
        return found

    def situations(self, state: str) -> list[Place]:
        """The situations in which a project can be in a state."""
        return [place for place in self.distances([self.begin]) if place[0] == state]

    def nearest(self, begins: Iterable[Place], avoid: Iterable[str] = ()) -> dict[str, int]:
        """By state, the distance of the nearest situation."""
        nearest: dict[str, int] = {}
        for (state, _), distance in self.distances(begins, avoid).items():
            nearest.setdefault(state, distance)
        return nearest

    def follows(self, begin: Place, hops: list[Json]) -> Place | None:
        """Where the hops of a difference lead a project; None when it can't take one."""
        place = begin
        for hop in hops:
            moves = self.moves(place)
            leads = moves.get(hop["by"]) == hop["to"] or f"{hop['by']} {hop['to']}" in moves
            if hop["from"] != place[0] or not leads:
                return None
            place = (hop["to"], place[0])
        return place

    def walks(self, begin: Place, hops: list[Json]) -> Place | None:
        """Where the hops of an answer lead a project; None when one is refused, or leads elsewhere."""
        place = begin
        for hop in hops:
            if hop["from"] != place[0]:
                return None
            if "event" in hop:
                taken = self.take(place, hop["event"])
                target = None if taken is None else taken["to"]
            else:
                fired = self.trigger(place, hop["witness"])
                target = None if fired is None or fired[0] != hop["condition"] else fired[1]
            if target != hop["to"]:
                return None
            place = (target, place[0])
        return place
