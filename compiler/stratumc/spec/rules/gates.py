"""What a gate may revise to (v1.md section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding
from stratumc.spec.digraph import Query
from stratumc.spec.edges import StepGraph
from stratumc.spec.syntax import Gate, Text


def gate_rules(graph: StepGraph) -> Iterator[Finding]:
    """A revise needs the flow's `max_rounds`, and a target that leads to its gate.

    That the target is another step of the flow is checked with the edges of section 6.
    """
    flow, positions = graph.scope.flow, graph.scope.positions
    revises: list[tuple[int, Text]] = []
    for position, step in enumerate(flow.steps):
        if isinstance(step.body, Gate) and step.body.on_revise is not None:
            revises.append((position, step.body.on_revise))
    if revises and not flow.has_max_rounds:
        message = f"flow `{flow.name}` has a gate that can revise, and no `max_rounds`"
        suggestion = f"give flow `{flow.name}` a `max_rounds`, for example `max_rounds: 3`"
        yield Finding("GATE_REVISE_REQUIRES_MAX_ROUNDS", revises[0][1].at, message, suggestion=suggestion)
    known = [
        (gate, target)
        for gate, target in revises
        if target.value in positions and target.value != flow.steps[gate].id
    ]
    queries = [Query(gate, (positions[target.value],)) for gate, target in known]
    for (gate, target), missed in zip(known, graph.unreached(queries, routes=True), strict=True):
        if missed is not None:
            name = flow.steps[gate].id
            message = f"gate `{name}` can't revise to `{target.value}`, which doesn't lead to it"
            suggestion = "revise to a step that comes before the gate, or list such a step in its `after`"
            yield Finding("GATE_REVISE_NOT_ANCESTOR", target.at, message, suggestion=suggestion)
