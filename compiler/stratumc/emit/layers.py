"""Puts the nodes of a large graph into layers and orders each, so that few edges cross: near linear.

The method is that of Sugiyama: ranks by longest paths, edges over several layers as chains, orders by the
means of neighbours. Graphviz does better on small graphs and takes minutes on large ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

_SWEEPS = 6

_MOST_LINKS = 100_000
"""Of chains together; the longest edges beyond are drawn straight across."""


@dataclass(slots=True)
class Cell:
    """What takes room in a layer: a node, or a point of an edge that passes through."""

    node: int | None
    layer: int
    lane: int
    size: float = 0.0
    """Across the direction of the layers, in points."""
    before: list[int] = field(default_factory=list)
    """Cells of earlier layers that it is connected with."""
    after: list[int] = field(default_factory=list)
    place: float = 0.0
    """Its centre across; first a mere order."""


@dataclass(frozen=True, slots=True)
class Arc:
    """An edge from a node to another; `ranks` tells whether it makes the other come later."""

    source: int
    target: int
    ranks: bool
    label_size: float
    """Room for its label across the direction of the layers; 0 without one."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Cells by layer in their order, and the cells on the way of each arc, from the lower layer up."""

    cells: list[Cell]
    layers: list[list[int]]
    chains: list[list[int]]
    """Empty for an arc inside a layer, or one too long to keep out of the way of others."""


def lay_in_layers(sizes: list[float], lanes: list[int], arcs: list[Arc]) -> Layers:
    """Layers of nodes of these sizes; nodes of a higher lane stand behind those of a lower one.

    Even layers hold nodes, odd ones the labels of edges.
    """
    ranks = _ranks(len(sizes), arcs)
    cells = [
        Cell(node, 2 * rank, lane, size)
        for node, (rank, lane, size) in enumerate(zip(ranks, lanes, sizes, strict=True))
    ]
    chains = _chains(cells, arcs)
    layers: list[list[int]] = [[] for _ in range(2 * max(ranks, default=0) + 1)]
    for number, cell in enumerate(cells):
        layers[cell.layer].append(number)
    _order(cells, layers)
    return Layers(cells, layers, chains)


def _ranks(count: int, arcs: list[Arc]) -> list[int]:
    """The longest path to each node, over arcs that close no circle; one without a way in is near."""
    forward: list[list[int]] = [[] for _ in range(count)]
    for arc in arcs:
        if arc.ranks and arc.source != arc.target:
            forward[arc.source].append(arc.target)
    order, closing = _walk(forward)
    ranks = [0] * count
    has_before = [False] * count
    for node in order:
        for target in forward[node]:
            if (node, target) not in closing:
                ranks[target] = max(ranks[target], ranks[node] + 1)
                has_before[target] = True
    for node in reversed(order):
        nexts = [ranks[target] for target in forward[node] if (node, target) not in closing]
        if nexts and not has_before[node]:
            ranks[node] = min(nexts) - 1
    return ranks


def _walk(forward: list[list[int]]) -> tuple[list[int], set[tuple[int, int]]]:
    """The nodes in an order that keeps to all arcs but those that close a circle, and these."""
    fresh, open_, done = 0, 1, 2
    states = [fresh] * len(forward)
    closing: set[tuple[int, int]] = set()
    finished: list[int] = []
    for start in range(len(forward)):
        stack = [(start, 0)] if states[start] == fresh else []
        while stack:
            node, number = stack.pop()
            states[node] = open_
            if number == len(forward[node]):
                states[node] = done
                finished.append(node)
                continue
            stack.append((node, number + 1))
            target = forward[node][number]
            if states[target] == open_:
                closing.add((node, target))
            elif states[target] == fresh:
                stack.append((target, 0))
    finished.reverse()
    return finished, closing


def _chains(cells: list[Cell], arcs: list[Arc]) -> list[list[int]]:
    """Connects cells along the arcs, with a cell in each layer between; the shortest arcs first."""
    chains: list[list[int]] = [[] for _ in arcs]
    spans = [abs(cells[arc.source].layer - cells[arc.target].layer) for arc in arcs]
    left = _MOST_LINKS
    for number in sorted(range(len(arcs)), key=spans.__getitem__):
        arc, span = arcs[number], spans[number]
        if span == 0 or span > left:
            continue
        left -= span
        low, high = sorted((arc.source, arc.target), key=lambda node: cells[node].layer)
        lane = cells[low].lane if cells[low].lane == cells[high].lane else 0
        middle = cells[arc.source].layer + (1 if arc.source == low else -1)
        chain = [low]
        for layer in range(cells[low].layer + 1, cells[high].layer):
            chain.append(len(cells))
            cells.append(Cell(None, layer, lane, arc.label_size if layer == middle else 0.0))
        chain.append(high)
        for earlier, later in pairwise(chain):
            cells[earlier].after.append(later)
            cells[later].before.append(earlier)
        chains[number] = chain
    return chains


def _order(cells: list[Cell], layers: list[list[int]]) -> None:
    """Orders each layer by the means of neighbours, forward and back in turn."""
    for layer in layers:
        layer.sort(key=lambda number: cells[number].lane)
        _number(cells, layer)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for layer in layers if forward else reversed(layers):
            keys = {number: _mean(cells, number, forward=forward) for number in layer}
            layer.sort(key=lambda number: (cells[number].lane, keys[number]))
            _number(cells, layer)


def _number(cells: list[Cell], layer: list[int]) -> None:
    for place, number in enumerate(layer):
        cells[number].place = (place + 0.5) / len(layer)


def _mean(cells: list[Cell], number: int, *, forward: bool) -> float:
    cell = cells[number]
    near = cell.before if forward else cell.after
    return sum(cells[one].place for one in near) / len(near) if near else cell.place
