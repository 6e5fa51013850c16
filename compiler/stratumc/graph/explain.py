"""Path queries over a workflow's graph: shortest paths, what is reachable, and why something is not."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from stratumc.graph.workflow_graph import Edge, EdgeKind, WorkflowGraph

CanFire = Callable[[Edge], bool]
"""Whether a trigger's edge can be taken at all; asked only when a search meets it."""


class Unknown(enum.Enum):
    """Stands for every previous state that leads to a state."""

    PREVIOUS = "previous"


Node = tuple[str, str | Unknown | None]
"""A state, with the one before it where the way on depends on that."""


Way = tuple[str, Edge, bool]
"""A neighbouring state, the edge that leads there, and whether that is a trigger's."""


@dataclass(frozen=True, slots=True)
class Query:
    """What paths may use."""

    start: str
    previous: str | Unknown | None
    """The state before the start; None when there was none, as where a project begins."""
    avoid: frozenset[str]
    can_fire: CanFire


class PathFinder:
    """Answers path queries on one graph; what doesn't depend on the query is computed once."""

    def __init__(self, graph: WorkflowGraph) -> None:
        self._graph = graph

    @cached_property
    def _successors(self) -> dict[str, tuple[Edge, ...]]:
        """By state, the edges worth taking: no loops, and of plain events to one state the first."""
        return {state: tuple(_distinct(self._graph.outgoing[state])) for state in self._graph.states}

    @cached_property
    def _predecessors(self) -> dict[str, tuple[Edge, ...]]:
        found: dict[str, list[Edge]] = {state: [] for state in self._graph.states}
        for edges in self._successors.values():
            for edge in edges:
                found[edge.target].append(edge)
        return {state: tuple(edges) for state, edges in found.items()}

    @cached_property
    def _ahead(self) -> dict[str, tuple[Way, ...]]:
        return {state: _ways(edges, "target") for state, edges in self._successors.items()}

    @cached_property
    def _behind(self) -> dict[str, tuple[Way, ...]]:
        return {state: _ways(edges, "source") for state, edges in self._predecessors.items()}

    @cached_property
    def _resuming(self) -> dict[str, tuple[str, ...]]:
        """States whose ways on depend on the one before, each with all that lead there."""
        depends = {edge.source for edge in self._graph.edges if edge.previous is not None}
        found: dict[str, dict[str, None]] = {state: {} for state in self._graph.states if state in depends}
        for edge in self._graph.edges if found else ():
            if edge.target in found:
                found[edge.target].setdefault(edge.source)
        return {state: tuple(sources) for state, sources in found.items()}

    def shortest(self, query: Query, goal: str) -> tuple[Edge, ...] | None:
        """A path with the fewest hops; empty when the goal is the start, None when there is none."""
        if query.start in query.avoid or goal in query.avoid:
            return None
        if query.start == goal:
            return ()
        return self._forwards(query, goal) if self._resuming else self._from_both_ends(query, goal)

    def distances(self, query: Query) -> dict[str, int]:
        """Hops from the start to every other state that can be reached, nearest first."""
        hops: dict[str, int] = {}
        if query.start not in query.avoid:
            for node, _, distance in self._visits(query):
                hops.setdefault(node[0], distance)
        hops.pop(query.start, None)
        return hops

    def nearest(self, states: dict[str, int], goal: str) -> tuple[str, ...]:
        """Of the given states those with the fewest edges to the goal, in whatever direction they point."""
        level, seen = {goal}, {goal}
        while level:
            found = tuple(state for state in states if state in level)
            if found:
                return found
            level = {near for state in level for near in self._neighbours(state)} - seen
            seen |= level
        return ()

    def _neighbours(self, state: str) -> Iterator[str]:
        yield from (edge.source for edge in self._predecessors[state])
        yield from (edge.target for edge in self._successors[state])

    def _from_both_ends(self, query: Query, goal: str) -> tuple[Edge, ...] | None:
        """Grows the smaller of two frontiers, a whole level at a time, until they meet."""
        ahead: dict[str, Edge | None] = {query.start: None}
        behind: dict[str, Edge | None] = {goal: None}
        front, back = [query.start], [goal]
        while front and back:
            if len(front) <= len(back):
                front, middle = _grow(front, self._ahead, ahead, behind, query)
            else:
                back, middle = _grow(back, self._behind, behind, ahead, query)
            if middle is not None:
                return _joined(ahead, behind, middle)
        return None

    def _forwards(self, query: Query, goal: str) -> tuple[Edge, ...] | None:
        """The search for graphs whose edges depend on the previous state."""
        came: dict[Node, tuple[Node, Edge] | None] = {}
        for node, by, _ in self._visits(query):
            came[node] = by
            if node[0] == goal:
                return _walked_back(came, node)
        return None

    def _visits(self, query: Query) -> Iterator[tuple[Node, tuple[Node, Edge] | None, int]]:
        """Breadth first: each node once, with the node and edge it was reached by, and its distance."""
        start = self._node(query.start, query.previous)
        queue: deque[tuple[Node, tuple[Node, Edge] | None, int]] = deque([(start, None, 0)])
        seen = {start}
        while queue:
            visit = queue.popleft()
            yield visit
            node, _, distance = visit
            for edge in self._leads(node):
                after = self._node(edge.target, edge.source)
                if after in seen or edge.target in query.avoid:
                    continue
                if edge.kind is EdgeKind.TRIGGER and not query.can_fire(edge):
                    continue
                seen.add(after)
                queue.append((after, (node, edge), distance + 1))

    def _node(self, state: str, previous: str | Unknown | None) -> Node:
        return (state, previous if state in self._resuming else None)

    def _leads(self, node: Node) -> Iterator[Edge]:
        state, previous = node
        edges = self._graph.outgoing[state] if state in self._resuming else self._successors[state]
        for edge in edges:
            resumes = previous is Unknown.PREVIOUS and edge.previous in self._resuming.get(state, ())
            if edge.previous is None or edge.previous == previous or resumes:
                yield edge


def _distinct(edges: tuple[Edge, ...]) -> Iterator[Edge]:
    reached: set[str] = set()
    for edge in edges:
        if edge.target == edge.source or edge.target in reached:
            continue
        if edge.kind is not EdgeKind.TRIGGER and edge.previous is None:
            reached.add(edge.target)
        yield edge


def _ways(edges: tuple[Edge, ...], end: str) -> tuple[Way, ...]:
    return tuple((getattr(edge, end), edge, edge.kind is EdgeKind.TRIGGER) for edge in edges)


def _grow(
    level: list[str],
    ways: dict[str, tuple[Way, ...]],
    mine: dict[str, Edge | None],
    others: dict[str, Edge | None],
    query: Query,
) -> tuple[list[str], str | None]:
    """The next level of a frontier, and the state in which it met the other one."""
    found: list[str] = []
    avoid, can_fire = query.avoid, query.can_fire
    for state in level:
        for end, edge, is_trigger in ways[state]:
            if end in mine or end in avoid or (is_trigger and not can_fire(edge)):
                continue
            mine[end] = edge
            if end in others:
                return found, end
            found.append(end)
    return found, None


def _walked_back(came: dict[Node, tuple[Node, Edge] | None], end: Node) -> tuple[Edge, ...]:
    path: list[Edge] = []
    by = came[end]
    while by is not None:
        path.append(by[1])
        by = came[by[0]]
    return tuple(reversed(path))


def _joined(ahead: dict[str, Edge | None], behind: dict[str, Edge | None], middle: str) -> tuple[Edge, ...]:
    path: list[Edge] = []
    edge = ahead[middle]
    while edge is not None:
        path.append(edge)
        edge = ahead[edge.source]
    path.reverse()
    edge = behind[middle]
    while edge is not None:
        path.append(edge)
        edge = behind[edge.target]
    return tuple(path)
