"""Whether runs in which all work succeeds and all gates are approved end well as they did before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.former_condition import former_condition, present_condition
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.paths.given import Given
from stratumc.review.paths.good_runs import ends_well, is_good, may_end_well_given
from stratumc.review.paths.run_words import Explained, shortened, whole_run
from stratumc.spec.syntax import Set, Text

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula

_MOST_CONDITIONS = 12
"""Conditions of so many steps are tried for one that made smooth runs end well."""


def smooth_meanings(pair: FlowPair) -> Iterator[Meaning]:
    """That a smooth run may not end well any more; told once.

    With the condition of a step under which all did before, if not all did anyway.
    """
    if pair.new.is_plain:
        return
    from stratumc.proof.flow_witness import find_witness
    from stratumc.proof.logic import conjunction, negation

    new = pair.new
    for when, before, after in _conditions(pair):
        if not _ended_well(pair.old, before):
            continue
        given = True if after is None else after.formula
        bad = conjunction(_smooth(new), given, negation(ends_well(new)))
        condition = None if after is None else (after.step, after.text)
        witness = find_witness(
            new.prover, new.prover.model.everyone, bad, lambda played: not is_good(new, played), condition
        )
        if witness is not None:
            though = "" if when is None else f" though `{shortened(when.value)}` holds"
            said = Explained(witness, new).of(new.source.index)
            smooth = "a run in which all work succeeds and every gate is approved"
            message = f"{smooth} may not end well now{though}{said}"
            yield Meaning(MeaningKind.MAY_NOT_COMPLETE, message, whole_run(witness, new))
            return
        if when is None:
            return


def _conditions(pair: FlowPair) -> Iterator[tuple[Text | None, Given | None, Given | None]]:
    """No condition, then those of the old version's steps that can be said of the new one too."""
    yield None, None, None
    seen: dict[str, None] = {}
    for step in pair.old.flow.steps:
        after = pair.after(step)
        if step.when is None or after is None or step.when.value in seen:
            continue
        seen[step.when.value] = None
        former = former_condition(pair.old, pair.new, step.when, after.index)
        if former is not None:
            yield step.when, present_condition(pair.old, step.index), former
        if len(seen) == _MOST_CONDITIONS:
            return


def _ended_well(facts: FlowFacts, given: Given | None) -> bool:
    """Whether there are smooth runs in which a condition holds, and all are proved to end well."""
    from stratumc.proof.logic import conjunction, negation

    prover = facts.prover
    condition = True if given is None else given.formula
    bad = conjunction(_smooth(facts), condition, negation(ends_well(facts)))
    return prover.never(prover.model.everyone, bad) and may_end_well_given(facts, given)


def _smooth(facts: FlowFacts) -> Formula:
    """That everything that agents, commands, people and called flows can do goes well."""
    from stratumc.proof.logic import conjunction, implication

    steps = facts.prover.model.steps
    return conjunction(
        *(
            implication(
                conjunction(steps[step.index].runs, steps[step.index].ending.readable),
                steps[step.index].ending.passed,
            )
            for step in facts.flow.steps
            if not isinstance(step.body, Set)
        )
    )
