"""The ways through a document, for both kinds alike: places joined by outcomes, shortest paths, detours."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.workflow_graph import Edge, EdgeKind, WorkflowGraph
from stratumc.spec.syntax import Flow, Gate
from stratumc.workflow.syntax import Trigger


@dataclass(frozen=True, slots=True)
class Hop:
    """One way on, from a step or state to the next."""

    source: str
    target: str
    outcome: str
    """Of a flow: `succeeds`, `fails`, `approve`, `kill`, `revise`; of a workflow: the event, or the
    condition in brackets."""

    def to_dict(self) -> dict[str, str]:
        """The hop as a JSON object."""
        return {"from": self.source, "by": self.outcome, "to": self.target}

    def __str__(self) -> str:
        return f"{self.source} → {self.target} ({self.outcome})"


@dataclass(frozen=True)
class Ways:
    """Steps or states in document order, where runs begin, and every hop in document order."""

    names: tuple[str, ...]
    starts: tuple[str, ...]
    hops: tuple[Hop, ...]

    @cached_property
    def from_source(self) -> dict[str, tuple[Hop, ...]]:
        """Hops by their source."""
        found: dict[str, list[Hop]] = {name: [] for name in self.names}
        for hop in self.hops:
            found[hop.source].append(hop)
        return {name: tuple(hops) for name, hops in found.items()}

    def search(self, starts: Iterable[str], avoid: frozenset[str] = frozenset()) -> dict[str, Hop | None]:
        """Everything reachable, nearest first, each with the hop that leads there; None for a start."""
        found: dict[str, Hop | None] = {name: None for name in starts if name not in avoid}
        queue = deque(found)
        while queue:
            for hop in self.from_source[queue.popleft()]:
                if hop.target not in found and hop.target not in avoid:
                    found[hop.target] = hop
                    queue.append(hop.target)
        return found

    def shortest(
        self, starts: Iterable[str], goal: str, avoid: frozenset[str] = frozenset()
    ) -> tuple[Hop, ...] | None:
        """A path with the fewest hops; None when there is none."""
        found = self.search(starts, avoid)
        return walk_back(found, goal) if goal in found else None


def walk_back(found: dict[str, Hop | None], goal: str) -> tuple[Hop, ...]:
    """The path to something that a search found."""
    path: list[Hop] = []
    hop = found[goal]
    while hop is not None:
        path.append(hop)
        hop = found[hop.source]
    return tuple(reversed(path))


_OUTCOMES = {"on_fail": "fails", "on_approve": "approve", "on_kill": "kill"}


def flow_ways(flow: Flow, graph: FlowGraph) -> Ways:
    """The ways through a flow: dependency edges, routes and revises."""
    hops: list[Hop] = []
    for step in flow.steps:
        ends_well = "approve" if isinstance(step.body, Gate) else "succeeds"
        routes = graph.routes_from[step.index]
        routed = {route.target for route in routes}
        for target in graph.dependents[step.index]:
            if target not in routed:
                hops.append(Hop(step.id, graph.ids[target], ends_well))
        for route in routes:
            hops.append(Hop(step.id, graph.ids[route.target], _OUTCOMES[route.kind]))
    hops += [Hop(graph.ids[way.gate], graph.ids[way.target], "revise") for way in graph.revises]
    starts = tuple(name for index, name in enumerate(graph.ids) if not graph.predecessors[index])
    return Ways(graph.ids, starts, tuple(hops))


def workflow_ways(graph: WorkflowGraph, can_fire: Callable[[Edge], bool]) -> Ways:
    """The ways through a workflow; triggers that can't fire lead nowhere."""
    hops = [
        Hop(edge.source, edge.target, _label(edge))
        for edge in graph.edges
        if edge.kind is not EdgeKind.TRIGGER or can_fire(edge)
    ]
    return Ways(graph.states, (graph.initial,), tuple(hops))


def _label(edge: Edge) -> str:
    if isinstance(edge.transition, Trigger):
        return f"[{edge.transition.condition_text}]"
    return edge.transition.event
