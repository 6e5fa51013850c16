"""Path queries over a workflow's graph: shortest paths, what is reachable, and why something is not."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from stratumc.graph.workflow_graph import Edge, EdgeKind, WorkflowGraph

CanFire = Callable[[Edge], bool]
"""Whether a trigger's edge can be taken at all; asked only when a search meets it."""


class Unknown(enum.Enum):
    """Stands for every state that a project can have been in before."""

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


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that a search came to."""

    distance: int
    """Hops from the start."""
    previous: str | None
    """The state that must have been before the start, for it to be so near; None when any will do."""


class PathFinder:
    """Answers path queries on one graph; what doesn't depend on the query is computed once.

    `can_fire` says of a trigger's edge whether any context lets it be taken: what projects came by.
    """

    def __init__(self, graph: WorkflowGraph, can_fire: CanFire) -> None:
        self._graph = graph
        self._can_fire = can_fire

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
    def _resuming(self) -> frozenset[str]:
        """States whose ways on depend on the one before."""
        return frozenset(edge.source for edge in self._graph.edges if edge.previous is not None)

    @cached_property
    def _arrivals(self) -> dict[str, frozenset[str | Unknown | None]]:
        """Every state that a project can come to from the initial one; by it, if the ways on depend on that,
        all that can be before it.
        """
        found: dict[str, set[str | Unknown | None]] = {}
        for node, _, _ in self._visits(Query(self._graph.initial, None, frozenset(), self._can_fire)):
            found.setdefault(node[0], set()).add(node[1])
        return {state: frozenset(those) for state, those in found.items()}

    @cached_property
    def _come_to_by_events(self) -> frozenset[str]:
        begin = Query(self._graph.initial, None, frozenset(), lambda _: False)
        return frozenset(node[0] for node, _, _ in self._visits(begin))

    def comes_to(self, state: str) -> bool:
        """Whether a project that begins in the initial state can come to a state; triggers are looked at
        only if need be.
        """
        return state in self._come_to_by_events or state in self._arrivals

    def shortest(self, query: Query, goal: str) -> tuple[Edge, ...] | None:
        """A path with the fewest hops; empty when the goal is the start, None when there is none."""
        if query.start in query.avoid or goal in query.avoid:
            return None
        if query.start == goal:
            return ()
        return self._forwards(query, goal) if self._resuming else self._from_both_ends(query, goal)

    def reached(self, query: Query) -> dict[str, Reached]:
        """Every other state that can be reached from the start, nearest first."""
        found: dict[str, Reached] = {}
        needs: dict[Node, str | None] = {}
        for node, by, distance in self._visits(query) if query.start not in query.avoid else ():
            needs[node] = None if by is None else needs[by[0]] or _condition(*by)
            found.setdefault(node[0], Reached(distance, needs[node]))
        found.pop(query.start, None)
        return found

    def resuming(self, states: Collection[str], goal: str) -> tuple[Edge, ...]:
        """The edges from some states to a goal that depend on the state before them."""
        edges = self._predecessors[goal]
        return tuple(edge for edge in edges if edge.previous is not None and edge.source in states)

    def nearest(self, states: Collection[str], goal: str) -> tuple[str, ...]:
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
        """Grows the smaller of two frontiers, a whole level at a time, until they meet.

        What is to be avoided counts as visited from the first.
        """
        ahead: dict[str, Edge | None] = {query.start: None, **dict.fromkeys(query.avoid)}
        behind: dict[str, Edge | None] = {goal: None, **dict.fromkeys(query.avoid)}
        front, back = [query.start], [goal]
        while front and back:
            if len(front) <= len(back):
                front, middle = _grow(front, self._ahead, ahead, behind, query.can_fire)
            else:
                back, middle = _grow(back, self._behind, behind, ahead, query.can_fire)
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
        """The edges out of a node; where the state before is unknown, first those that don't depend on it."""
        state, previous = node
        if state not in self._resuming:
            yield from self._successors[state]
        elif previous is Unknown.PREVIOUS:
            possible = self._arrivals.get(state, frozenset())
            edges = self._graph.outgoing[state]
            yield from (edge for edge in edges if edge.previous is None)
            yield from (edge for edge in edges if edge.previous is not None and edge.previous in possible)
        else:
            for edge in self._graph.outgoing[state]:
                if edge.previous is None or edge.previous == previous:
                    yield edge


def _condition(node: Node, edge: Edge) -> str | None:
    """What an edge demands of the state before a node of which that isn't known."""
    return edge.previous if node[1] is Unknown.PREVIOUS else None


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
    can_fire: CanFire,
) -> tuple[list[str], str | None]:
    """The next level of a frontier, and the state in which it met the other one."""
    found: list[str] = []
    for state in level:
        for end, edge, is_trigger in ways[state]:
            if end in mine or (is_trigger and not can_fire(edge)):
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
