"""What the workflow checks share: which triggers fire, and which states and previous states come up."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from stratumc.graph.workflow_graph import effective_globals
from stratumc.proof.results import Proved
from stratumc.proof.triggers import TriggerTable
from stratumc.workflow.syntax import State, Transition, Workflow


@dataclass(frozen=True, slots=True)
class Situation:
    """A state, and the state before it; None at the start."""

    state: str
    previous: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """One hop: how it reads in a witness, and where it leads."""

    by: dict[str, str]
    target: str
    previous: str | None = None
    """Of a null target: the state before, by which it was looked up."""


class WorkflowFacts:
    """Facts about one workflow, each computed when first asked for."""

    def __init__(self, workflow: Workflow) -> None:
        self.workflow = workflow
        self.thresholds = {name: threshold.value for name, threshold in workflow.thresholds.items()}
        self._tables: dict[str, TriggerTable] = {}
        self._globals: dict[str, tuple[Transition, ...]] = {}

    def triggers_of(self, state: State) -> TriggerTable:
        """The questions about a state's triggers."""
        if state.name not in self._tables:
            self._tables[state.name] = TriggerTable(state.triggers, self.thresholds)
        return self._tables[state.name]

    def can_fire(self, state: State, index: int) -> bool:
        """Whether a trigger isn't proved never to be the first that holds."""
        return not isinstance(self.triggers_of(state).never_first[index], Proved)

    def global_transitions_of(self, state: State) -> tuple[Transition, ...]:
        """The global transitions that a state offers."""
        if state.name not in self._globals:
            found = effective_globals(self.workflow, state)
            self._globals[state.name] = tuple(item.transition for _, item in found)
        return self._globals[state.name]

    def resume(self, previous: str | None) -> str | None:
        """Where a null target leads when a state was entered from `previous`; None when nowhere."""
        entry = self.workflow.resumption_targets.get(previous) if previous is not None else None
        return entry.target if entry is not None else None

    def moves(self, situation: Situation) -> Iterator[Move]:
        """Every hop out of a situation: own events, globals, then triggers that can fire."""
        state = self.workflow.states[situation.state]
        for transition in (*state.transitions, *self.global_transitions_of(state)):
            by = {"event": transition.event}
            if transition.target is not None:
                yield Move(by, transition.target)
            elif (target := self.resume(situation.previous)) is not None:
                yield Move(by, target, situation.previous)
        for index, trigger in enumerate(state.triggers):
            if self.can_fire(state, index):
                yield Move({"condition": trigger.condition_text}, trigger.target)

    @cached_property
    def _entered(self) -> dict[Situation, tuple[Situation, Move] | None]:
        """Every situation a project can come to, breadth first, with the hop that led there first."""
        start = Situation(self.workflow.initial_state, None)
        entered: dict[Situation, tuple[Situation, Move] | None] = {start: None}
        queue = deque([start])
        while queue:
            situation = queue.popleft()
            for move in self.moves(situation):
                after = Situation(move.target, situation.state)
                if after not in entered:
                    entered[after] = (situation, move)
                    queue.append(after)
        return entered

    @cached_property
    def situations(self) -> dict[str, tuple[Situation, ...]]:
        """By state, the situations in which a project can be there; a state without any has no entry."""
        found: dict[str, list[Situation]] = {}
        for situation in self._entered:
            found.setdefault(situation.state, []).append(situation)
        return {state: tuple(those) for state, those in found.items()}

    def way_to(self, situation: Situation) -> list[dict[str, str]]:
        """The shortest way from the start, as a witness: per hop `from`, `event` or `condition`, `to`."""
        way: list[dict[str, str]] = []
        entry = self._entered[situation]
        while entry is not None:
            before, move = entry
            way.append({"from": before.state, **move.by, "to": move.target})
            entry = self._entered[before]
        return way[::-1]
