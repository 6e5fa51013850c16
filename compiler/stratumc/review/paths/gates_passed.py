"""Which gates every run of each step has passed, for a reader who may ask about any two steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved
from stratumc.review.paths.flow_must_pass import (
    end_must_pass,
    ends_plainly,
    flow_must_pass,
    is_plainly_passed,
)
from stratumc.review.paths.good_runs import surely_runs
from stratumc.review.paths.nested_must_pass import nested_gates, nested_must_pass
from stratumc.spec.syntax import Gate, Run

MOST_ASKED = 400
"""So many questions are put to the prover; of what is left only the graph is asked."""

_NESTED_COSTS = 10
"""As many questions as one about a gate inside another flow counts for."""


@dataclass(frozen=True, slots=True)
class GateName:
    """A gate that a run may pass: a step, or one of the flow that a step runs."""

    name: str
    """`gate`, or `step.gate`."""
    step: int
    """The index of the step, in the flow that is asked about."""
    inside: int | None = None
    """The index of the gate in the flow that the step runs; None for a step that is a gate itself."""


@dataclass(frozen=True, slots=True)
class GatesPassed:
    """Gates in document order; by step, the numbers of those that come before it and of those passed."""

    gates: tuple[GateName, ...]
    before: tuple[tuple[int, ...], ...]
    """Per step the gates whose step ends before it begins."""
    passed: tuple[tuple[int, ...], ...]
    """Per step those of them that were approved in every run of it."""
    together: tuple[tuple[int, int, int], ...]
    """Start, goal, and a gate that every run of both passes, though not every run of one of them."""
    is_complete: bool
    """False when there were too many questions: then gates of which that needs a proof are left out."""


def gates_passed(facts: FlowFacts, most_asked: int = MOST_ASKED) -> GatesPassed:
    """What `stratumc path` says of each step that a run may come to, asked of all steps at once."""
    steps, graph = facts.flow.steps, facts.graph
    gates = tuple(_gates(facts))
    before = tuple(
        tuple(number for number, gate in enumerate(gates) if graph.is_before(gate.step, step.index))
        for step in steps
    )
    asking = _Asking(facts, gates, most_asked)
    passed: list[tuple[int, ...]] = [()] * len(before)
    for goal in graph.order:
        passed[goal] = tuple(gate for gate in before[goal] if asking.is_passed(None, goal, gate))
    together = tuple(
        (start, goal, gate)
        for start, goal in _pairs(facts)
        for gate in before[goal]
        if gate not in passed[goal] and gate not in passed[start] and gates[gate].step != start
        if asking.is_passed(start, goal, gate)
    )
    return GatesPassed(gates, before, tuple(passed), together, asking.is_complete)


def _gates(facts: FlowFacts) -> Iterator[GateName]:
    for step in facts.flow.steps:
        if isinstance(step.body, Gate):
            yield GateName(step.id, step.index)
        for name, inside in nested_gates(facts, step):
            yield GateName(name, step.index, inside)


def _pairs(facts: FlowFacts) -> Iterator[tuple[int, int]]:
    """Starts and goals of which the goal's runs may be others than those of both."""
    graph = facts.graph
    for start in facts.flow.steps:
        for goal in facts.flow.steps:
            comes_first = graph.is_before(start.index, goal.index)
            if start is not goal and not (comes_first and surely_runs(facts, start.index)):
                yield start.index, goal.index


@dataclass(slots=True)
class _Asking:
    """Puts questions to the prover, as long as there are not too many."""

    facts: FlowFacts
    gates: tuple[GateName, ...]
    left: int
    is_complete: bool = True
    _always_inside: dict[int, bool] = field(default_factory=dict)
    """By number of a gate inside another flow, whether every good run of that flow passes it."""

    def is_passed(self, start: int | None, goal: int, number: int) -> bool:
        """Whether every run of both passes a gate, the graph asked first."""
        gate = self.gates[number]
        if not self._has_passed_step(start, goal, gate.step):
            return False
        if gate.inside is None or self._is_always_inside(number, gate.inside):
            return True
        if not self._may_ask(_NESTED_COSTS):
            return False
        step = self.facts.flow.steps[gate.step]
        return isinstance(nested_must_pass(self.facts, start, goal, step, gate.inside), Proved)

    def _has_passed_step(self, start: int | None, goal: int, step: int) -> bool:
        """A model of the contrary is enough to say no, without a witness."""
        if is_plainly_passed(self.facts, goal, step):
            return True
        if not self._may_ask(1):
            return False
        from stratumc.proof.logic import conjunction, negation

        prover, model = self.facts.prover, self.facts.prover.model
        asked = (goal, step) if start is None else (goal, step, start)
        owners = tuple(sorted({owner for one in asked for owner in model.owners(one)}))
        runs = (model.steps[one].runs for one in asked if one != step)
        if prover.possible(owners, conjunction(*runs, negation(model.steps[step].ending.passed))):
            return False
        return isinstance(flow_must_pass(self.facts, start, goal, step), Proved)

    def _is_always_inside(self, number: int, inside: int) -> bool:
        body = self.facts.flow.steps[self.gates[number].step].body
        assert isinstance(body, Run)
        inner = self.facts.proofs.flows[body.flow.value]
        if inner.flow.steps[inside].when is None and ends_plainly(inner, inside):
            return True
        if number not in self._always_inside:
            is_proved = self._may_ask(1) and isinstance(end_must_pass(inner, inside), Proved)
            self._always_inside[number] = is_proved
        return self._always_inside[number]

    def _may_ask(self, cost: int) -> bool:
        self.left -= cost
        self.is_complete = self.is_complete and self.left >= 0
        return self.left >= 0
