"""Whether every run passes a gate before it comes to a step: proved, or refuted by one that goes round it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.step_order import StepOrder
from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.review.paths.given import Given
from stratumc.review.paths.good_runs import ends_well, is_good
from stratumc.spec.syntax import Gate, Step

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula

NO_REPLAY = Undecided("the solver found neither a proof nor a run that replays")


def flow_must_pass(
    facts: FlowFacts, start: int | None, goal: int, gate: int, given: Given | None = None
) -> Result:
    """Whether in every run of `goal` (and `start`), `gate` has succeeded before; for a gate: was approved.

    The witness of a refutation is a run as in checks.md ("Flow findings").
    """
    if gate == goal or is_plainly_passed(facts, goal, gate):
        return Proved()
    from stratumc.proof.flow_witness import find_witness

    owners, bad = _gone_round(facts, start, goal, gate, given)
    if facts.prover.never(owners, bad):
        return Proved() if _ends_before(facts, owners, goal, gate) else NO_REPLAY
    condition = None if given is None else (given.step, given.text)
    witness = find_witness(facts.prover, owners, bad, lambda played: goal in played.ran, condition)
    return NO_REPLAY if witness is None else Refuted(witness)


def always_passes(facts: FlowFacts, goal: int, gate: int, given: Given | None = None) -> bool:
    """Whether `flow_must_pass` proves it; no witness is looked for."""
    if gate == goal or is_plainly_passed(facts, goal, gate):
        return True
    owners, bad = _gone_round(facts, None, goal, gate, given)
    return facts.prover.never(owners, bad) and _ends_before(facts, owners, goal, gate)


def may_go_round(facts: FlowFacts, goal: int, gate: int) -> bool:
    """Whether a run of `goal` without `gate` was found; none is replayed."""
    if gate == goal or is_plainly_passed(facts, goal, gate):
        return False
    owners, bad = _gone_round(facts, None, goal, gate, None)
    return facts.prover.possible(owners, bad) is not None


def _gone_round(
    facts: FlowFacts, start: int | None, goal: int, gate: int, given: Given | None
) -> tuple[tuple[int, ...], Formula]:
    """Whose facts matter to the question whether a run comes to a goal without a gate, and that one does."""
    from stratumc.proof.logic import conjunction, negation

    model, graph = facts.prover.model, facts.graph
    mentioned = [goal, *(step for step in (gate, start) if step is not None and graph.is_before(step, goal))]
    comes = [model.steps[goal].runs]
    if start is not None:
        mentioned.append(start)
        comes.append(model.steps[start].runs)
    if given is not None:
        mentioned.append(given.step)
        comes.append(given.formula)
    owners = tuple(sorted({owner for step in mentioned for owner in model.owners(step)}))
    return owners, conjunction(*comes, negation(_passed(facts, goal, gate)))


def never_comes(facts: FlowFacts, start: int | None, goal: int) -> bool:
    """Whether it is proved that no run runs a step, and the start too."""
    if facts.is_plain:
        return False
    prover, model = facts.prover, facts.prover.model
    steps = (goal,) if start is None else (start, goal)
    owners = sorted({owner for step in steps for owner in model.owners(step)})
    return prover.never(owners, *(model.steps[step].runs for step in steps))


def end_must_pass(facts: FlowFacts, gate: int, given: Given | None = None) -> Result:
    """Whether in every good run `gate` has succeeded; for a gate: was approved."""
    if facts.flow.steps[gate].when is None and ends_plainly(facts, gate):
        return Proved()
    from stratumc.proof.flow_witness import find_witness

    prover, everyone = facts.prover, facts.prover.model.everyone
    bad = _ended_without(facts, gate, given)
    if prover.never(everyone, bad):
        return Proved()
    condition = None if given is None else (given.step, given.text)
    witness = find_witness(prover, everyone, bad, lambda played: is_good(facts, played), condition)
    return NO_REPLAY if witness is None else Refuted(witness)


def always_passed_at_end(facts: FlowFacts, gate: int, given: Given | None = None) -> bool:
    """Whether `end_must_pass` proves it; no witness is looked for."""
    if facts.flow.steps[gate].when is None and ends_plainly(facts, gate):
        return True
    return facts.prover.never(facts.prover.model.everyone, _ended_without(facts, gate, given))


def _ended_without(facts: FlowFacts, gate: int, given: Given | None) -> Formula:
    """That a run ends well in which a gate has not been passed."""
    from stratumc.proof.logic import conjunction, negation

    condition = True if given is None else given.formula
    return conjunction(ends_well(facts), condition, negation(facts.prover.model.steps[gate].ending.passed))


def _passed(facts: FlowFacts, goal: int, gate: int) -> Formula:
    """That the gate has succeeded in the round of the goal; never, where nothing puts it before."""
    if not facts.graph.is_before(gate, goal):
        return False
    return facts.prover.model.steps[gate].ending.passed


def _ends_before(facts: FlowFacts, owners: tuple[int, ...], goal: int, gate: int) -> bool:
    """Whether a gate that a round passes has ended when the goal begins: what routes to it waits for it."""
    graph = facts.graph
    if facts.order.before(goal) >> gate & 1 or not graph.routes_to[goal] or not graph.is_before(gate, goal):
        return True
    if StepOrder(graph, 1 << goal | 1 << gate).before(goal) >> gate & 1:
        return True
    from stratumc.proof.logic import disjunction

    model = facts.prover.model
    loose = []
    for route in graph.routes_to[goal]:
        ran = 1 << goal | 1 << gate | 1 << route.source
        if route.source == gate or StepOrder(graph, ran).before(route.source) >> gate & 1:
            continue
        loose.append(model.steps[route.source].ending.takes(route.kind))
    return facts.prover.never(owners, model.steps[goal].runs, disjunction(*loose))


def is_plainly_passed(facts: FlowFacts, goal: int, gate: int) -> bool:
    """Whether the graph alone shows it: the gate has ended, is never skipped, and ends the run otherwise."""
    if not facts.order.before(goal) >> gate & 1:
        return False
    return facts.flow.steps[gate].when is None and ends_plainly(facts, gate)


def ends_plainly(facts: FlowFacts, index: int) -> bool:
    """Whether the graph alone shows that a step whose `when` holds succeeds in every run that goes on."""
    graph = facts.graph
    if graph.routes_to[index] or index in graph.failure_regions or _goes_on_killed(facts.flow.steps[index]):
        return False
    return not graph.skippable_by_failure >> index & 1


def _goes_on_killed(step: Step) -> bool:
    return isinstance(step.body, Gate) and step.body.on_kill is not None
