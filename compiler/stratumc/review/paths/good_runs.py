"""Which steps the good runs of a flow run: all of them, some, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.step_sets import mask_of
from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.review.paths.given import Given
from stratumc.spec.syntax import Run

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula
    from stratumc.proof.simulate import Round


def can_complete(facts: FlowFacts) -> bool:
    """Whether it isn't proved that no run can end well, those of subflows that can't counted."""
    if not facts.can_complete:
        return False
    return not _hopeless(facts) or not facts.prover.never(facts.prover.model.everyone, ends_well(facts))


def ends_well(facts: FlowFacts) -> Formula:
    """That a round ends the flow well; no subflow succeeds that can't end well itself."""
    from stratumc.proof.logic import conjunction, negation

    model = facts.prover.model
    failing = (negation(model.steps[index].ending.succeeds) for index in _hopeless(facts))
    return conjunction(model.completes, *failing)


def is_good(facts: FlowFacts, played: Round) -> bool:
    """Whether a round that was played ends the flow well."""
    everything = len(played.done) == len(facts.flow.steps)
    return everything and not facts.prover.model.lacks_output(played.outputs)


def _hopeless(facts: FlowFacts) -> tuple[int, ...]:
    """The steps that run a flow which can't end well."""
    flows = facts.proofs.flows
    return tuple(
        step.index
        for step in facts.flow.steps
        if isinstance(step.body, Run) and not flows[step.body.flow.value].can_complete
    )


def may_run(facts: FlowFacts, index: int) -> bool:
    """Whether a run of the step was found."""
    if facts.is_plain:
        return True
    model = facts.prover.model
    return facts.prover.possible(model.owners(index), model.steps[index].runs) is not None


def may_run_given(facts: FlowFacts, index: int, given: Given | None) -> bool:
    """Whether a run of the step was found in which a condition holds."""
    if given is None:
        return may_run(facts, index)
    model = facts.prover.model
    owners = sorted({*model.owners(index), *model.owners(given.step)})
    return facts.prover.possible(owners, model.steps[index].runs, given.formula) is not None


def may_run_both(facts: FlowFacts, first: int, second: int) -> bool:
    """Whether a run that runs both steps was found."""
    if facts.is_plain:
        return True
    model = facts.prover.model
    owners = sorted({*model.owners(first), *model.owners(second)})
    return facts.prover.possible(owners, model.steps[first].runs, model.steps[second].runs) is not None


def may_end_well_given(facts: FlowFacts, given: Given | None) -> bool:
    """Whether a good run was found in which a condition holds."""
    if given is None:
        return can_complete(facts)
    model = facts.prover.model
    return facts.prover.possible(model.everyone, ends_well(facts), given.formula) is not None


def is_never_run(facts: FlowFacts, index: int) -> bool:
    """Whether it is proved that no good run runs the step."""
    if surely_runs(facts, index):
        return False
    prover = facts.prover
    return prover.never(prover.model.everyone, ends_well(facts), prover.model.steps[index].runs)


def surely_runs(facts: FlowFacts, index: int) -> bool:
    """Whether the graph alone shows that every good run runs the step."""
    graph = facts.graph
    is_dropped = graph.skippable_by_failure >> index & 1
    return facts.flow.steps[index].when is None and not graph.routes_to[index] and not is_dropped


def is_always_run(facts: FlowFacts, index: int) -> bool:
    """Whether `always_runs` proves it; no witness is looked for."""
    if surely_runs(facts, index):
        return True
    from stratumc.proof.logic import negation

    model = facts.prover.model
    return facts.prover.never(model.everyone, ends_well(facts), negation(model.steps[index].runs))


def always_runs(facts: FlowFacts, index: int) -> Result:
    """Whether every good run runs the step; refuted by one that leaves it out."""
    if surely_runs(facts, index):
        return Proved()
    from stratumc.proof.flow_witness import find_witness
    from stratumc.proof.logic import conjunction, negation

    prover = facts.prover
    model = prover.model
    skips = conjunction(ends_well(facts), negation(model.steps[index].runs))
    if prover.never(model.everyone, skips):
        return Proved()
    witness = find_witness(
        prover, model.everyone, skips, lambda played: is_good(facts, played) and index not in played.ran
    )
    return Undecided("no run that replays") if witness is None else Refuted(witness)


def steps_of_good_runs(facts: FlowFacts) -> int:
    """The mask of the steps of which it isn't proved that no good run runs them.

    Each model that the solver finds shows many of them, so that few questions are asked.
    """
    if not can_complete(facts):
        return 0
    everything = (1 << len(facts.flow.steps)) - 1
    waiting = [step.index for step in facts.flow.steps if not surely_runs(facts, step.index)]
    if not waiting:
        return everything
    from stratumc.proof.logic import disjunction

    prover = facts.prover
    model, good = prover.model, ends_well(facts)
    while waiting:
        some = disjunction(*(model.steps[index].runs for index in waiting))
        query = prover.possible(model.everyone, good, some)
        if query is None:
            none = prover.never(model.everyone, good, some)
            return everything & ~mask_of(waiting) if none else everything
        waiting = [index for index in waiting if not query.holds(model.steps[index].runs)]
    return everything
