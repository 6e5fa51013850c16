"""What leads straight to each step of a flow, and with which outcome (runs.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.flow_graph import Route, RouteKind
from stratumc.spec.syntax import Gate, Step

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel
    from stratumc.proof.logic import Formula
    from stratumc.proof.simulate import Round, Scenario

ENDS_WELL = "succeeds"
APPROVED, KILLED, FAILS = RouteKind.ON_APPROVE.outcome, RouteKind.ON_KILL.outcome, RouteKind.ON_FAIL.outcome


@dataclass(frozen=True, slots=True)
class Entry:
    """A hop between two steps, by index, which a run takes that runs both when the first ends so."""

    source: int
    target: int
    outcome: str
    earlier: tuple[Route, ...] = ()
    """Routes to the target that must not be taken: they would have begun it before the source has ended."""


def entries_of(facts: FlowFacts) -> tuple[tuple[Entry, ...], ...]:
    """Per step what leads to it: routes only, where there are some; else what it depends on."""
    return tuple(tuple(_entries(facts, step)) for step in facts.flow.steps)


def _entries(facts: FlowFacts, step: Step) -> Iterator[Entry]:
    graph, index = facts.graph, step.index
    if graph.routes_to[index]:
        for route in graph.routes_to[index]:
            yield Entry(route.source, index, route.kind.outcome, _sooner(facts, route))
        return
    for source in graph.dependencies[index]:
        body = facts.flow.steps[source].body
        if not isinstance(body, Gate):
            yield Entry(source, index, ENDS_WELL)
            continue
        yield Entry(source, index, APPROVED)
        if body.on_kill is not None:
            yield Entry(source, index, KILLED)


def _sooner(facts: FlowFacts, route: Route) -> tuple[Route, ...]:
    """Routes that have begun the target of another when that is taken, should they be taken too."""
    graph, before = facts.graph, facts.order.before(route.source)
    if any(not before >> needed & 1 for needed in graph.dependencies[route.target]):
        return ()
    return tuple(one for one in graph.routes_to[route.target] if before >> one.source & 1)


def ended(model: FlowModel, source: int, outcome: str) -> Formula:
    """That a step ends with an outcome."""
    end = model.steps[source].ending
    kind = next((kind for kind in RouteKind if kind.outcome == outcome), None)
    return end.succeeds if kind is None else end.takes(kind)


def is_taken(model: FlowModel, entry: Entry) -> Formula:
    """That a hop is taken by a run that runs both of its steps."""
    from stratumc.proof.logic import conjunction, negation

    sooner = (negation(ended(model, route.source, route.kind.outcome)) for route in entry.earlier)
    return conjunction(ended(model, entry.source, entry.outcome), *sooner)


def outcome_in(facts: FlowFacts, index: int, scenario: Scenario, played: Round) -> str | None:
    """How a step ended in a round that was played; None when it didn't, so that nothing goes on from it."""
    if index in played.failed:
        return FAILS if index in facts.graph.failure_regions else None
    if index not in played.succeeded:
        return None
    if not isinstance(facts.flow.steps[index].body, Gate):
        return ENDS_WELL
    return KILLED if index in scenario.killed else APPROVED
