"""Immediate dominators of a flow's steps, hiding the differences between versions of networkx."""

from __future__ import annotations

from collections.abc import Sequence


def immediate_dominators(
    successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]
) -> tuple[int | None, ...]:
    """Per node its immediate dominator, None for those that only the virtual entry dominates.

    The entry leads to every node without predecessors; nodes it does not reach (in circles) have None.
    """
    import networkx as nx

    entry = -1
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_node(entry)
    graph.add_edges_from((entry, node) for node, before in enumerate(predecessors) if not before)
    graph.add_edges_from((node, after) for node, all_after in enumerate(successors) for after in all_after)
    found = nx.immediate_dominators(graph, entry)
    dominators = (found.get(node, entry) for node in range(len(successors)))
    return tuple(None if dominator == entry else dominator for dominator in dominators)
