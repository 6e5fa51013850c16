"""Whether every run passes a gate before it comes to a step: proved, or refuted by one that goes round it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.spec.syntax import Gate

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula


def flow_must_pass(facts: FlowFacts, start: int | None, goal: int, gate: int) -> Result:
    """Whether in every run of `goal` (and `start`), `gate` has succeeded before; for a gate: was approved.

    The witness of a refutation is a run as in checks.md ("Flow findings").
    """
    if gate == goal or is_plainly_passed(facts, goal, gate):
        return Proved()
    from stratumc.proof.flow_witness import find_witness

    owners, bad = _round(facts, start, goal, gate)
    if facts.prover.never(owners, bad):
        return Proved()
    witness = find_witness(facts.prover, owners, bad, lambda played: goal in played.ran)
    if witness is None:
        return Undecided("the solver found neither a proof nor a run that replays")
    return Refuted(witness)


def is_provably_passed(facts: FlowFacts, goal: int, gate: int) -> bool:
    """Whether `flow_must_pass` proves it; nothing is looked for that refutes it."""
    return facts.prover.never(*_round(facts, None, goal, gate))


def _round(facts: FlowFacts, start: int | None, goal: int, gate: int) -> tuple[tuple[int, ...], Formula]:
    """That a run comes to the goal (and `start`) round a gate, and the steps that this speaks of."""
    from stratumc.proof.logic import conjunction, negation

    graph, model = facts.graph, facts.prover.model
    comes_before = graph.is_before(gate, goal)
    mentioned = [goal, *([gate] if comes_before else []), *([start] if start is not None else [])]
    owners = tuple(sorted({owner for step in mentioned for owner in model.owners(step)}))
    end = model.steps[gate].ending
    bad = model.steps[goal].runs
    if start is not None:
        bad = conjunction(bad, model.steps[start].runs)
    if comes_before:
        bad = conjunction(bad, negation(conjunction(end.succeeds, end.approved)))
    return owners, bad


def is_plainly_passed(facts: FlowFacts, goal: int, gate: int) -> bool:
    """Whether the graph alone shows it: the gate ended before, is never skipped, and a kill ends the run."""
    graph, step = facts.graph, facts.flow.steps[gate]
    if step.when is not None or graph.routes_to[gate] or not facts.order.before(goal) >> gate & 1:
        return False
    if not isinstance(step.body, Gate) or step.body.on_kill is not None:
        return False
    return not any(region.skipped >> gate & 1 for region in graph.failure_regions.values())
