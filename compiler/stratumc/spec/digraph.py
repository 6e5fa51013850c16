"""Circles and reachability in graphs of numbered nodes, each in time near linear in its edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stratumc.text.record import record

Edge = tuple[int, int]

_BATCH = 1024
"""How many marks are followed at once, as the bits of one integer per component."""


def components(count: int, edges: Iterable[Edge]) -> list[int]:
    """The number of the strongly connected component of each node, sinks first (Tarjan 1972)."""
    successors: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        successors[source].append(target)
    component = [-1] * count
    entered = [0] * count
    lowest = [0] * count
    clock = found = 0
    open_nodes: list[int] = []
    for root in range(count):
        if entered[root]:
            continue
        clock += 1
        entered[root] = lowest[root] = clock
        open_nodes.append(root)
        way = [(root, iter(successors[root]))]
        while way:
            node, rest = way[-1]
            for target in rest:
                if not entered[target]:
                    clock += 1
                    entered[target] = lowest[target] = clock
                    open_nodes.append(target)
                    way.append((target, iter(successors[target])))
                    break
                if component[target] < 0:
                    lowest[node] = min(lowest[node], entered[target])
            else:
                way.pop()
                if way:
                    parent = way[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == entered[node]:
                    while component[node] < 0:
                        component[open_nodes.pop()] = found
                    found += 1
    return component


def closing_edges(count: int, edges: Sequence[Edge]) -> list[int]:
    """Indexes of the edges that close a circle, the edges being added in their order.

    An edge closes a circle when its ends can't reach each other before it is added, but can after.
    Found by halving the time in which the ends of an edge come together, with one pass of
    `components` per level: O(E log E), and O(E) for a graph without circles.
    """
    component = components(count, edges)
    inside = [
        index
        for index, (source, target) in enumerate(edges)
        if source != target and component[source] == component[target]
    ]
    return _Joining(count, edges, inside).find() if inside else []


class _Joined:
    """Nodes joined so far (union-find with halving)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def find(self, node: int) -> int:
        parent = self._parent
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    def join(self, one: int, other: int) -> None:
        self._parent[self.find(one)] = self.find(other)


class _Joining:
    """The search of `closing_edges`; `times[t]` is the edge that is added at time t."""

    def __init__(self, count: int, edges: Sequence[Edge], times: list[int]) -> None:
        self._edges = edges
        self._times = times
        self._joined = _Joined(count)
        self._closing: list[int] = []

    def find(self) -> list[int]:
        self._join(self._times, 0, len(self._times) - 1)
        return self._closing

    def _join(self, pending: list[int], low: int, high: int) -> None:
        """Joins the ends of the `pending` edges that come together at a time in `low..high`.

        Recurses once per halving.
        """
        find = self._joined.find
        ends = {index: (find(self._edges[index][0]), find(self._edges[index][1])) for index in pending}
        apart = [index for index in pending if ends[index][0] != ends[index][1]]
        if not apart:
            return
        if low == high:
            for index in apart:
                self._joined.join(*self._edges[index])
            self._closing.append(self._times[low])
            return
        middle = (low + high) // 2
        numbers: dict[int, int] = {}
        early = [index for index in apart if index <= self._times[middle]]
        numbered = [
            (numbers.setdefault(source, len(numbers)), numbers.setdefault(target, len(numbers)))
            for source, target in (ends[index] for index in early)
        ]
        component = components(len(numbers), numbered)
        together = {
            index
            for index, (source, target) in zip(early, numbered, strict=True)
            if component[source] == component[target]
        }
        self._join([index for index in early if index in together], low, middle)
        self._join([index for index in apart if index not in together], middle + 1, high)


def circle_through(edges: Sequence[Edge], closing: int) -> list[int]:
    """The nodes of a shortest circle that an edge closes with the edges before it, from its target on."""
    source, target = edges[closing]
    successors: dict[int, list[int]] = {}
    for start, end in edges[:closing]:
        successors.setdefault(start, []).append(end)
    came_from = {target: target}
    frontier = [target]
    while frontier and source not in came_from:
        following = []
        for node in frontier:
            for end in successors.get(node, ()):
                if end not in came_from:
                    came_from[end] = node
                    following.append(end)
        frontier = following
    way = [source]
    while way[-1] != target:
        way.append(came_from[way[-1]])
    return way[::-1]


@record
class Query:
    """Whether `node` is reachable from each of the nodes in `sources`; a node reaches itself."""

    node: int
    sources: tuple[int, ...]


class Reachability:
    """Answers many queries over one graph."""

    def __init__(self, count: int, edges: Sequence[Edge]) -> None:
        self._component = components(count, edges)
        self._count = max(self._component, default=-1) + 1
        successors: list[set[int]] = [set() for _ in range(self._count)]
        for source, target in edges:
            successors[self._component[source]].add(self._component[target])
        self._successors = successors

    def unreached(self, queries: Sequence[Query]) -> list[int | None]:
        """For each query the first of its sources that doesn't reach the node; None when all do."""
        marks = list(dict.fromkeys(source for query in queries for source in query.sources))
        answers: list[int | None] = [None] * len(queries)
        for start in range(0, len(marks), _BATCH):
            batch = marks[start : start + _BATCH]
            reached = self._reached(batch)
            bits = {mark: 1 << bit for bit, mark in enumerate(batch)}
            masks: dict[int, int] = {}
            for index, query in enumerate(queries):
                if answers[index] is not None:
                    continue
                mask = masks.get(id(query.sources))
                if mask is None:
                    mask = sum(bits[source] for source in set(query.sources) if source in bits)
                    masks[id(query.sources)] = mask
                missing = mask & ~reached[self._component[query.node]]
                if missing:
                    answers[index] = batch[(missing & -missing).bit_length() - 1]
        return answers

    def _reached(self, marks: Sequence[int]) -> list[int]:
        """By component, the marks that reach it, as bits."""
        reached = [0] * self._count
        for bit, mark in enumerate(marks):
            reached[self._component[mark]] |= 1 << bit
        # Tarjan numbers sinks first, so every edge leads to a component of a smaller number.
        for number in range(self._count - 1, -1, -1):
            bits = reached[number]
            if bits:
                for target in self._successors[number]:
                    reached[target] |= bits
        return reached
