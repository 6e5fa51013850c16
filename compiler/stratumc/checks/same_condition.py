"""Which earlier steps surely ran when a step runs, because their `when` is the same."""

from __future__ import annotations

from stratumc.checks.expressions import Expressions
from stratumc.expr import ParseFailure
from stratumc.expr.ast import Call, Member, Name, parts_of
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_order import StepOrder
from stratumc.spec.syntax import Flow, Text

_CHANGING = ("file_exists", "file_contains")


class SameCondition:
    """Per step the mask of the steps that have succeeded whenever its `when` is true.

    The same text has the same truth for both if it reads only the input and outputs of steps that had ended
    when the earlier step began. A step then ran if nothing else can skip it, and succeeded, as it has ended
    and can't fail over (runs.md sections 2 and 6).
    """

    def __init__(self, flow: Flow, graph: FlowGraph, strings: Expressions) -> None:
        self._graph, self._strings, self._order = graph, strings, StepOrder(graph)
        self.ran = [0] * len(flow.steps)
        skipped = graph.skippable_by_failure
        same: dict[str, int] = {}
        for index in graph.order:
            when = flow.steps[index].when
            if when is None:
                continue
            text = when.value.strip()
            self.ran[index] = same.get(text, 0) & self._order.before(index)
            decides = not (graph.routes_to[index] or index in graph.failure_regions or skipped >> index & 1)
            if decides and self._is_settled(when, self._order.before(index)):
                same[text] = same.get(text, 0) | 1 << index

    def _is_settled(self, when: Text, ended: int) -> bool:
        """Whether a condition stays as it is: it reads nothing but the input and outputs of these steps."""
        tree = self._strings.parsed(when)
        if isinstance(tree, ParseFailure):
            return False
        parts = tuple(parts_of(tree))
        outputs = {
            id(part.operand): part.name
            for part in parts
            if isinstance(part, Member) and isinstance(part.operand, Name)
        }
        for part in parts:
            if isinstance(part, Call) and part.function in _CHANGING:
                return False
            if isinstance(part, Name) and part.name != "input":
                source = self._graph.index.get(outputs.get(id(part), ""))
                if source is None or not ended >> source & 1:
                    return False
        return True
