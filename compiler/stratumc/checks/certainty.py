"""Which steps have surely succeeded when another begins, or runs."""

from __future__ import annotations

from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_sets import mask_of
from stratumc.graph.step_text import templates_of
from stratumc.spec.syntax import Fanout, Flow, ReferenceKind, Step


class Certainty:
    """Per step the mask of the steps that have succeeded whenever it runs (runs.md sections 2, 4 and 6).

    A step surely succeeds before those that depend on it when nothing can skip it and it can't fail over. Any
    step has succeeded whose output was put into a string: without it, the string has no value.
    """

    def __init__(self, flow: Flow, graph: FlowGraph) -> None:
        self._graph = graph
        self._skipped = graph.skippable_by_failure
        self._begins = [0] * len(flow.steps)
        self.runs = [0] * len(flow.steps)
        """Of a step that isn't skipped, and whose strings were rendered."""
        for index in graph.order:
            self._begins[index] = self._at_begin(flow, index)
            self.runs[index] = self._begins[index] | self._with_all_before(self._rendered(flow.steps[index]))

    def _at_begin(self, flow: Flow, index: int) -> int:
        mask = 0
        for dependency in self._graph.dependencies[index]:
            step = flow.steps[dependency]
            if self._is_routed(dependency) or self._skipped >> dependency & 1:
                continue
            mask |= self._begins[dependency]
            if step.when is None and dependency not in self._graph.failure_regions:
                mask |= self.runs[dependency] | 1 << dependency
        routers = self._graph.routes_to[index]
        common = -1 if routers else 0
        for route in routers:
            common &= self._begins[route.source]
        return mask | common

    def _is_routed(self, index: int) -> bool:
        return bool(self._graph.routes_to[index])

    def _rendered(self, step: Step) -> int:
        """The steps whose outputs are put into strings when it runs; those of stages only for items."""
        templates = (step.body.over,) if isinstance(step.body, Fanout) else tuple(templates_of(step))
        return mask_of(
            self._graph.index[one.name]
            for template in templates
            for one in template.references
            if one.kind is ReferenceKind.STEP and one.name in self._graph.index
        )

    def _with_all_before(self, steps: int) -> int:
        mask, waiting = steps, steps
        while waiting:
            top = waiting.bit_length() - 1
            mask |= self.runs[top]
            waiting ^= 1 << top
        return mask
