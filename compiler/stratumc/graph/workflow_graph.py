"""The graph of a workflow: every way from state to state, in the order in which the table tries them."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from stratumc.workflow.syntax import GlobalTransition, State, Transition, Trigger, Workflow


class EdgeKind(enum.Enum):
    """What moves a workflow along an edge."""

    EVENT = "event"
    GLOBAL = "global"
    TRIGGER = "trigger"


@dataclass(frozen=True, slots=True)
class Edge:
    """One way from a state to a state, by name."""

    source: str
    target: str
    kind: EdgeKind
    transition: Transition | Trigger
    previous: str | None
    """For a transition without target: the previous state with which it leads here."""
    index: int
    """Position among the state's transitions, its triggers, or the global transitions."""


@dataclass(frozen=True)
class WorkflowGraph:
    """Edges by source state, all in document order: own events, globals, triggers."""

    initial: str
    states: tuple[str, ...]
    outgoing: dict[str, tuple[Edge, ...]]

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge, by source state in document order."""
        return tuple(edge for state in self.states for edge in self.outgoing[state])

    def distances(self, start: str) -> dict[str, int]:
        """Hops from a state to each that edges reach, nearest first, ignoring guards and previous states."""
        distances = {start: 0}
        queue = deque([start])
        while queue:
            state = queue.popleft()
            for edge in self.outgoing[state]:
                if edge.target not in distances:
                    distances[edge.target] = distances[state] + 1
                    queue.append(edge.target)
        return distances


def effective_globals(workflow: Workflow, state: State) -> Iterator[tuple[int, GlobalTransition]]:
    """The global transitions a state offers: not excepted there, and no own event of the name."""
    own = {transition.event for transition in state.transitions}
    for index, item in enumerate(workflow.global_transitions):
        if state.name not in item.except_ and item.transition.event not in own:
            yield index, item


def workflow_graph(workflow: Workflow) -> WorkflowGraph:
    """The graph of a merged workflow."""
    return WorkflowGraph(
        initial=workflow.initial_state,
        states=tuple(workflow.states),
        outgoing={state.name: tuple(_edges(workflow, state)) for state in workflow.states.values()},
    )


def _edges(workflow: Workflow, state: State) -> Iterator[Edge]:
    for index, transition in enumerate(state.transitions):
        yield from _transition_edges(workflow, state, EdgeKind.EVENT, transition, index)
    for index, item in effective_globals(workflow, state):
        yield from _transition_edges(workflow, state, EdgeKind.GLOBAL, item.transition, index)
    for index, trigger in enumerate(state.triggers):
        yield Edge(state.name, trigger.target, EdgeKind.TRIGGER, trigger, None, index)


def _transition_edges(
    workflow: Workflow, state: State, kind: EdgeKind, transition: Transition, index: int
) -> Iterator[Edge]:
    if transition.target is not None:
        yield Edge(state.name, transition.target, kind, transition, None, index)
        return
    for resumption in workflow.resumption_targets.values():
        yield Edge(state.name, resumption.target, kind, transition, resumption.previous, index)
