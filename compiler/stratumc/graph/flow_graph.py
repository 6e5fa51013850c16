"""The graph of one flow: dependencies, routes, order, closures, failure regions (v1.md sections 6 and 7)."""

from __future__ import annotations

import enum
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from stratumc.graph.step_sets import mask_of, members_of, reach
from stratumc.graph.step_text import references_of
from stratumc.spec.syntax import Do, Fanout, Flow, Gate, ReferenceKind, Run, Step, Text


class RouteKind(enum.StrEnum):
    """The key of a step that names the step to go on with."""

    ON_FAIL = "on_fail"
    ON_APPROVE = "on_approve"
    ON_KILL = "on_kill"

    @property
    def outcome(self) -> str:
        """What happens to the step, or is decided, when this route is taken."""
        return _OUTCOMES[self]


_OUTCOMES = {RouteKind.ON_FAIL: "fails", RouteKind.ON_APPROVE: "approve", RouteKind.ON_KILL: "kill"}


@dataclass(frozen=True, slots=True)
class Route:
    """A routing edge between two steps, by index."""

    source: int
    target: int
    kind: RouteKind


@dataclass(frozen=True, slots=True)
class Revise:
    """A gate's way back, by index; no edge of the graph."""

    gate: int
    target: int


@dataclass(frozen=True, slots=True)
class FailureRegion:
    """What a step that fails over does to the steps after it (runs.md section 6), as masks."""

    failed: int
    target: int
    skipped: int
    """After the failed step by dependency edges, and neither the target nor after it."""
    recovery: int
    """The target and the steps after it by dependency edges; for them the failed step counts as met."""


@dataclass(frozen=True)
class FlowGraph:
    """Steps by their index in declaration order; names that no step has make no edges.

    All relations are computed once, when first asked for. A flow with a circle still has a graph
    (`acyclic` is False then, and `order` lists the steps of circles last).
    """

    ids: tuple[str, ...]
    dependencies: tuple[tuple[int, ...], ...]
    """Per step what it depends on directly, ascending: `after` and references, each once."""
    routes: tuple[Route, ...]
    """In order of their sources; a gate's `on_approve` before its `on_kill`."""
    revises: tuple[Revise, ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """Step id to index; the first step of an id counts."""
        return {name: number for number, name in reversed(tuple(enumerate(self.ids)))}

    @cached_property
    def dependents(self) -> tuple[tuple[int, ...], ...]:
        """Per step those that depend on it directly, ascending."""
        return _reversed(self.dependencies)

    @cached_property
    def routes_from(self) -> tuple[tuple[Route, ...], ...]:
        """Per step the routes that start there."""
        return self._routes_by([route.source for route in self.routes])

    @cached_property
    def routes_to(self) -> tuple[tuple[Route, ...], ...]:
        """Per step the routes that lead there; a step that has some is route-only."""
        return self._routes_by([route.target for route in self.routes])

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """Per step where dependency and routing edges lead, ascending, each once."""
        return tuple(
            tuple(sorted({*self.dependents[step], *(route.target for route in self.routes_from[step])}))
            for step in range(len(self.ids))
        )

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """Per step where dependency and routing edges come from, ascending, each once."""
        return _reversed(self.successors)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Topological along dependency and routing edges, lowest index first among those free."""
        waiting = [len(before) for before in self.predecessors]
        free = [step for step, count in enumerate(waiting) if count == 0]
        order: list[int] = []
        while free:
            step = heapq.heappop(free)
            order.append(step)
            for successor in self.successors[step]:
                waiting[successor] -= 1
                if waiting[successor] == 0:
                    heapq.heappush(free, successor)
        order.extend(step for step, count in enumerate(waiting) if count > 0)
        return tuple(order)

    @cached_property
    def acyclic(self) -> bool:
        """Whether dependency and routing edges together have no circle."""
        place = {step: number for number, step in enumerate(self.order)}
        return all(place[step] < place[after] for step in place for after in self.successors[step])

    @cached_property
    def after_masks(self) -> tuple[int, ...]:
        """Per step the mask of those strictly after it, by dependency and routing edges."""
        return reach(self.order, self.successors, acyclic=self.acyclic)

    @cached_property
    def before_masks(self) -> tuple[int, ...]:
        """Per step the mask of its strict ancestors, by dependency and routing edges."""
        return reach(self.order[::-1], self.predecessors, acyclic=self.acyclic)

    @cached_property
    def dependent_masks(self) -> tuple[int, ...]:
        """Per step the mask of those strictly after it, by dependency edges alone."""
        return reach(self.order, self.dependents, acyclic=self.acyclic)

    @cached_property
    def dependency_masks(self) -> tuple[int, ...]:
        """Per step the mask of those strictly before it, by dependency edges alone."""
        return reach(self.order[::-1], self.dependencies, acyclic=self.acyclic)

    def closure_mask(self, target: int) -> int:
        """The reset closure of a revise target as a mask, the target included (v1.md section 7)."""
        return self.after_masks[target] | 1 << target

    def closure(self, target: int) -> tuple[int, ...]:
        """The reset closure of a revise target, ascending."""
        return tuple(members_of(self.closure_mask(target)))

    def ancestors(self, step: int) -> tuple[int, ...]:
        """The strict ancestors of a step by dependency and routing edges, ascending."""
        return tuple(members_of(self.before_masks[step]))

    def is_before(self, first: int, second: int) -> bool:
        """Whether `second` is strictly after `first` by dependency and routing edges."""
        return bool(self.after_masks[first] >> second & 1)

    @cached_property
    def failure_regions(self) -> dict[int, FailureRegion]:
        """By failing step, for every step with an `on_fail` that names a step."""
        regions = {}
        for route in self.routes:
            if route.kind is RouteKind.ON_FAIL:
                recovery = self.dependent_masks[route.target] | 1 << route.target
                skipped = self.dependent_masks[route.source] & ~recovery
                regions[route.source] = FailureRegion(route.source, route.target, skipped, recovery)
        return regions

    @cached_property
    def skippable_by_failure(self) -> int:
        """The mask of the steps that some failure with an `on_fail` skips."""
        skipped = 0
        for region in self.failure_regions.values():
            skipped |= region.skipped
        return skipped

    @cached_property
    def immediate_dominators(self) -> tuple[int | None, ...]:
        """Per step the last step that every path of edges to it passes; None when there is none."""
        from stratumc.graph.dominators import immediate_dominators

        return immediate_dominators(self.successors, self.predecessors)

    def _routes_by(self, keys: Sequence[int]) -> tuple[tuple[Route, ...], ...]:
        groups: list[list[Route]] = [[] for _ in self.ids]
        for key, route in zip(keys, self.routes, strict=True):
            groups[key].append(route)
        return tuple(map(tuple, groups))


def flow_graph(flow: Flow) -> FlowGraph:
    """The graph of a flow; near linear in the flow's size."""
    index: dict[str, int] = {}
    for step in flow.steps:
        index.setdefault(step.id, step.index)
    return FlowGraph(
        ids=tuple(step.id for step in flow.steps),
        dependencies=tuple(_dependencies(step, index) for step in flow.steps),
        routes=tuple(route for step in flow.steps for route in _routes(step, index)),
        revises=tuple(
            Revise(step.index, index[step.body.on_revise.value])
            for step in flow.steps
            if isinstance(step.body, Gate)
            and step.body.on_revise is not None
            and step.body.on_revise.value in index
        ),
    )


def _dependencies(step: Step, index: dict[str, int]) -> tuple[int, ...]:
    named = {text.value for text in step.after}
    named.update(
        reference.name
        for reference in references_of(step)
        if reference.kind is ReferenceKind.STEP and reference.name is not None
    )
    mask = mask_of(index[name] for name in named if name in index and index[name] != step.index)
    return tuple(members_of(mask))


def _routes(step: Step, index: dict[str, int]) -> Iterator[Route]:
    body = step.body
    targets: tuple[tuple[RouteKind, Text | None], ...]
    match body:
        case Do() | Fanout() | Run():
            targets = ((RouteKind.ON_FAIL, body.on_fail),)
        case Gate():
            targets = ((RouteKind.ON_APPROVE, body.on_approve), (RouteKind.ON_KILL, body.on_kill))
        case _:
            return
    for kind, target in targets:
        if target is not None and target.value in index and index[target.value] != step.index:
            yield Route(step.index, index[target.value], kind)


def _reversed(edges: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    backwards: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in targets:
            backwards[target].append(source)
    return tuple(map(tuple, backwards))
