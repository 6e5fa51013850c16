"""Paths through a round that was played: the shortest, along what its steps really came to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.review.paths.entries import Entry, outcome_in
from stratumc.review.paths.ways import Hop

if TYPE_CHECKING:
    from stratumc.proof.simulate import Round, Scenario
    from stratumc.proof.solver import Query


Came = dict[int, tuple[int, Hop] | None]
"""By step, where a search came from and by which hop; None where it began."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of a flow, played by the rules of runs.md from what a model says of its free part."""

    scenario: Scenario
    played: Round

    def to_dict(self, facts: FlowFacts) -> dict[str, Any]:
        """The round as witnesses are told, with every required field."""
        from stratumc.proof.flow_witness import described

        return described(facts.prover.model, self.scenario, self.played)


def play(facts: FlowFacts, query: Query) -> PlayedRound | None:
    """The round that a model speaks of; None when its outputs aren't accepted."""
    from stratumc.proof.flow_witness import complete, read_scenario
    from stratumc.proof.simulate import Player

    model, steps = facts.prover.model, range(len(facts.flow.steps))
    scenario = complete(model, read_scenario(model, query, steps))
    played = Player(facts.flow, facts.graph).play(scenario, steps)
    return None if played.broken else PlayedRound(scenario, played)


@dataclass(frozen=True, slots=True)
class PathWalk:
    """Looks for paths in rounds."""

    facts: FlowFacts
    entries: tuple[tuple[Entry, ...], ...]
    avoid: frozenset[int]

    def path(self, one: PlayedRound, start: int | None, goal: int) -> tuple[Hop, ...] | None:
        """The shortest path between two steps in a round; only if need be over steps that are skipped."""
        direct = self._search(one, start, goal, through_skipped=False)
        return direct if direct is not None else self._search(one, start, goal, through_skipped=True)

    def _search(
        self, one: PlayedRound, start: int | None, goal: int, *, through_skipped: bool
    ) -> tuple[Hop, ...] | None:
        ran = one.played.ran
        begins = [start] if start is not None else list(self._begins(one, through_skipped=through_skipped))
        came: Came = {index: None for index in begins if index in ran and index not in self.avoid}
        queue = deque(came)
        while queue:
            source = queue.popleft()
            for target, hop in self._leaving(one, source, through_skipped=through_skipped):
                if target in ran and target not in came and target not in self.avoid:
                    came[target] = (source, hop)
                    queue.append(target)
        return trace(came, goal) if goal in came else None

    def _begins(self, one: PlayedRound, *, through_skipped: bool) -> Iterator[int]:
        graph = self.facts.graph
        firsts = [index for index in graph.order if not graph.predecessors[index]]
        yield from firsts
        if through_skipped:
            skipped = [index for index in firsts if index in one.played.skipped]
            yield from (target for target, _ in self._beyond(one, skipped))

    def _leaving(self, one: PlayedRound, source: int, *, through_skipped: bool) -> Iterator[tuple[int, Hop]]:
        ids, graph = self.facts.graph.ids, self.facts.graph
        outcome = outcome_in(self.facts, source, one.scenario, one.played)
        if outcome is None:
            return
        for target in graph.successors[source]:
            for entry in self.entries[target]:
                if entry.source == source and entry.outcome == outcome and not self._is_late(one, entry):
                    yield target, Hop(ids[source], ids[target], outcome)
        if through_skipped:
            skipped = [target for target in graph.successors[source] if target in one.played.skipped]
            for target, over in self._beyond(one, skipped):
                yield target, Hop(ids[source], ids[target], outcome, over=tuple(ids[step] for step in over))

    def _is_late(self, one: PlayedRound, entry: Entry) -> bool:
        """Whether another route has begun the target before."""
        taken = (outcome_in(self.facts, route.source, one.scenario, one.played) for route in entry.earlier)
        kinds = (route.kind.outcome for route in entry.earlier)
        return any(how == kind for how, kind in zip(taken, kinds, strict=True))

    def _beyond(self, one: PlayedRound, skipped: Iterable[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """What comes after steps that were skipped, each with those on the way."""
        graph = self.facts.graph
        over: dict[int, tuple[int, ...]] = {index: (index,) for index in skipped}
        queue = deque(over)
        while queue:
            step = queue.popleft()
            for target in graph.successors[step]:
                if target in one.played.skipped and target not in over:
                    over[target] = (*over[step], target)
                    queue.append(target)
                elif step in graph.dependencies[target] and not graph.routes_to[target]:
                    yield target, over[step]


def trace(came: Came, goal: int) -> tuple[Hop, ...]:
    """The hops by which a search came to a step."""
    hops: list[Hop] = []
    entry = came[goal]
    while entry is not None:
        before, hop = entry
        hops.append(hop)
        entry = came[before]
    return tuple(reversed(hops))
