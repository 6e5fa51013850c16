"""The ways through a flow: hops between steps, each of which some run takes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.review.paths.entries import APPROVED, ENDS_WELL, Entry, entries_of, is_taken
from stratumc.review.paths.ways import Hop, Leaving, Place, Ways

if TYPE_CHECKING:
    from stratumc.proof.session import Session


def flow_ways(facts: FlowFacts) -> Ways:
    """The hops of a flow by dependencies, routes and revises, without those that surely no run takes.

    Two hops in a row need not be of the same run: whether a path is one is for `flow_paths` to say.
    """
    graph = facts.graph
    asking = _Asking(facts)
    hops: list[list[Leaving]] = [[] for _ in graph.ids]

    def add(source: int, target: int, outcome: str) -> None:
        hop = Hop(graph.ids[source], graph.ids[target], outcome)
        hops[source].append((hop, Place(hop.target)))

    entries = entries_of(facts)
    for source in range(len(graph.ids)):
        for target in graph.successors[source]:
            for entry in entries[target]:
                if entry.source == source and asking.may_be_taken(entry):
                    add(source, target, entry.outcome)
    runs = asking.runs
    for way in graph.revises:
        if runs[way.gate] and runs[way.target]:
            add(way.gate, way.target, "revise")
    starts = (
        Place(name) for index, name in enumerate(graph.ids) if not graph.predecessors[index] and runs[index]
    )
    leaving = {Place(name): tuple(hops[index]) for index, name in enumerate(graph.ids) if runs[index]}
    return Ways(graph.ids, tuple(starts), leaving)


class _Asking:
    """Whether some run takes a hop; between steps without conditions and routes that goes without saying."""

    def __init__(self, facts: FlowFacts) -> None:
        self._facts = facts
        self.runs = _steps_that_may_run(facts)

    def may_be_taken(self, entry: Entry) -> bool:
        """Whether it isn't proved that no run takes a hop."""
        steps, routes_to = self._facts.flow.steps, self._facts.graph.routes_to
        if not (self.runs[entry.source] and self.runs[entry.target]):
            return False
        ends = (entry.source, entry.target)
        is_granted = entry.outcome in (ENDS_WELL, APPROVED) and not routes_to[entry.target]
        if is_granted and all(steps[end].when is None and not routes_to[end] for end in ends):
            return True
        model = self._facts.prover.model
        runs = (model.steps[end].runs for end in ends)
        query, is_sure = self._session.possible(*runs, is_taken(model, entry))
        return query is not None or not is_sure

    @cached_property
    def _session(self) -> Session:
        from stratumc.proof.session import Session

        return Session(self._facts.prover, self._facts.proofs.effort, ())


def _steps_that_may_run(facts: FlowFacts) -> list[bool]:
    """Of each step whether some run may run it; only conditions and routes are asked about."""
    asked = [
        step.index for step in facts.flow.steps if step.when is not None or facts.graph.routes_to[step.index]
    ]
    may_run = [True] * len(facts.flow.steps)
    if asked:
        prover, model = facts.prover, facts.prover.model
        shown = prover.shown([model.steps[index].runs for index in asked])
        for place, index in enumerate(asked):
            formulas = model.steps[index]
            may_run[index] = place in shown or not prover.never(model.owners(index), formulas.runs)
    return may_run
