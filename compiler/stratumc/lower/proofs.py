"""The proofs that the graph gives every table; other stages add theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.workflow_graph import workflow_graph
from stratumc.workflow.syntax import Workflow

Proof = tuple[str, str, str]
"""Property, method (`graph`, `z3` or `both`), verdict (`proved`, `refuted` or `undecided`)."""


def flow_proofs(graphs: Mapping[str, FlowGraph]) -> Iterator[Proof]:
    """What the graphs decide of every run."""
    for name, graph in graphs.items():
        yield (f"flows.{name}: no step waits for itself", "graph", _verdict(holds=graph.acyclic))
        closes = all(graph.closure_mask(revise.target) >> revise.gate & 1 for revise in graph.revises)
        yield (f"flows.{name}: every revise resets its own gate", "graph", _verdict(holds=closes))
        yield (f"flows.{name}: every macrostep ends", "graph", _verdict(holds=graph.acyclic))


def workflow_proofs(workflow: Workflow) -> Iterator[Proof]:
    """What the graph decides of a workflow, guards aside."""
    graph = workflow_graph(workflow)
    reached = graph.distances(graph.initial)
    yield ("every state is reachable", "graph", _verdict(holds=len(reached) == len(graph.states)))


def _verdict(*, holds: bool) -> str:
    return "proved" if holds else "refuted"
