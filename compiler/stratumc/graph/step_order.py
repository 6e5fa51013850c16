"""Which steps have surely ended before another begins, routes and failures over taken into account."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from stratumc.graph.flow_graph import FlowGraph


class StepOrder:
    """Masks of the steps that have ended when a step begins, and when it has ended.

    A step begins after its dependencies have ended and one of its routers has. It ends later than it begins,
    but for two ways of being skipped: a route-only step when all its routers have ended, and a step in the
    failure region of another as soon as that one fails (runs.md sections 2 and 6). The masks hold of
    rounds in which the steps `ran` do run: no failure has skipped one of them.
    """

    def __init__(self, graph: FlowGraph, ran: int = 0) -> None:
        self._graph, self._ran = graph, ran

    @cached_property
    def _masks(self) -> tuple[list[int], list[int]]:
        graph = self._graph
        begin, end = [0] * len(graph.ids), [0] * len(graph.ids)
        failing: list[list[int]] = [[] for _ in graph.ids]
        for region in graph.failure_regions.values():
            if region.skipped & self._ran:
                continue
            for step in range(len(graph.ids)):
                if region.skipped >> step & 1:
                    failing[step].append(region.failed)
        for step in graph.order:
            routers = [route.source for route in graph.routes_to[step]]
            begin[step] = _joined(end, graph.dependencies[step]) | _common(begin, routers)
            end[step] = _common(end, routers) if routers else begin[step]
            for failed in failing[step]:
                end[step] &= begin[failed] | 1 << failed
        return begin, end

    def before(self, step: int) -> int:
        """The steps that have ended when `step` begins."""
        return self._masks[0][step]

    def implied_without(self, step: int, dependency: int) -> bool:
        """Whether `dependency` has ended when `step` begins, even without an edge between them."""
        begin, end = self._masks
        if not self._same_regions(step, dependency):
            return False
        others = [other for other in self._graph.dependencies[step] if other != dependency]
        routers = [route.source for route in self._graph.routes_to[step]]
        return bool((_joined(end, others) | _common(begin, routers)) >> dependency & 1)

    def _same_regions(self, step: int, dependency: int) -> bool:
        """Whether failures skip the same steps without the edge."""
        before = self._graph.dependency_masks
        others = _joined(before, [other for other in self._graph.dependencies[step] if other != dependency])
        through = others | before[dependency] | 1 << dependency
        for region in self._graph.failure_regions.values():
            if region.target == step:
                continue
            with_edge = through >> region.failed & 1 and not through >> region.target & 1
            without = others >> region.failed & 1 and not others >> region.target & 1
            if with_edge != without:
                return False
        return True


def _joined(masks: Sequence[int], steps: Iterable[int]) -> int:
    joined = 0
    for step in steps:
        joined |= masks[step] | 1 << step
    return joined


def _common(masks: list[int], steps: list[int]) -> int:
    """What all of some steps have in common, themselves included; nothing of no steps."""
    if not steps:
        return 0
    common = -1
    for step in steps:
        common &= masks[step] | 1 << step
    return common
