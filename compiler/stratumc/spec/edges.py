"""The graph of a flow's steps (v1.md section 6), and what of it isn't known."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from functools import cached_property

from stratumc.spec.digraph import Edge, Query, Reachability
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import Do, Fanout, Gate, ReferenceKind, Run
from stratumc.text import Location
from stratumc.text.record import record


class Relation(enum.Enum):
    """What makes an edge."""

    AFTER = "after"
    REFERENCE = "reference"
    ON_FAIL = "on_fail"
    GATE = "gate"

    @property
    def is_dependency(self) -> bool:
        """Whether it is a dependency edge, not a routing edge."""
        return self in (Relation.AFTER, Relation.REFERENCE)


@record
class Link:
    """One mention of a step by another: `step` (a position) names `name` at `at`."""

    step: int
    name: str
    relation: Relation
    at: Location


def links(scope: Scope) -> Iterator[Link]:
    """Every mention that makes an edge, in the order in which edges are added (section 6)."""
    for position, step in enumerate(scope.flow.steps):
        for text in step.after:
            yield Link(position, text.value, Relation.AFTER, text.at)
        if isinstance(step.body, Do | Fanout | Run) and step.body.on_fail is not None:
            yield Link(position, step.body.on_fail.value, Relation.ON_FAIL, step.body.on_fail.at)
        for use in scope.uses[position]:
            references = use.template.references
            named = (one.name for one in references if one.kind is ReferenceKind.STEP)
            for name in dict.fromkeys(named):
                yield Link(position, name or "", Relation.REFERENCE, use.template.at)
        if isinstance(step.body, Gate):
            for route in (step.body.on_approve, step.body.on_kill):
                if route is not None:
                    yield Link(position, route.value, Relation.GATE, route.at)


class StepGraph:
    """The edges between the steps of a flow, as positions among its readable steps."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.links = tuple(links(scope))
        self._reachability: dict[tuple[bool, bool], Reachability] = {}

    @cached_property
    def edges(self) -> tuple[tuple[Edge, Link], ...]:
        """Every known edge, in order; a step that names itself makes none."""
        positions, flow = self.scope.positions, self.scope.flow
        found = []
        for link in self.links:
            other = positions.get(link.name)
            if other is None or link.name == flow.steps[link.step].id:
                continue
            edge = (other, link.step) if link.relation.is_dependency else (link.step, other)
            found.append((edge, link))
        return tuple(found)

    @cached_property
    def routed(self) -> dict[str, Link]:
        """The first route that leads to each step."""
        found: dict[str, Link] = {}
        for link in self.links:
            if not link.relation.is_dependency:
                found.setdefault(link.name, link)
        return found

    def unreached(self, queries: list[Query], *, routes: bool, backwards: bool = False) -> list[int | None]:
        """As `Reachability.unreached`, along dependency edges and perhaps routes, perhaps backwards.

        Where an edge isn't known (it was reported, or belongs to a step that can't be read), it is
        taken to be whatever makes the node reached: no answer rests on a fault reported elsewhere.
        """
        if not queries:
            return []
        kind = (routes, backwards)
        if kind not in self._reachability:
            edges = self._optimistic_edges(routes=routes)
            if backwards:
                edges = [(target, source) for source, target in edges]
            self._reachability[kind] = Reachability(len(self.scope.flow.steps) + 2, edges)
        return self._reachability[kind].unreached(queries)

    def _optimistic_edges(self, *, routes: bool) -> list[Edge]:
        """The known edges, and for the unknown ones edges from and to two nodes after the steps.

        From every step an edge leads to the first of the two, and from the second to every step: an
        unknown source is the first, an unknown target the second.
        """
        scope, flow = self.scope, self.scope.flow
        count = len(flow.steps)
        anywhere, everywhere = count, count + 1
        edges = [edge for edge, link in self.edges if routes or link.relation.is_dependency]
        unknown: list[Edge] = []
        for link in self.links:
            if link.name in scope.positions and link.name not in scope.repeated:
                continue
            if link.relation.is_dependency:
                unknown.append((anywhere, link.step))
            elif routes:
                unknown.append((link.step, everywhere))
        for position, step in enumerate(flow.steps):
            if step.index in flow.loose or step.id in scope.repeated:
                unknown.append((anywhere, position))
                if routes:
                    unknown.append((position, everywhere))
        if flow.unread and routes:
            unknown.append((anywhere, everywhere))
        if unknown:
            for position in range(count):
                unknown += ((position, anywhere), (everywhere, position))
        return edges + unknown
