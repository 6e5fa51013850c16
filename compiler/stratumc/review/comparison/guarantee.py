"""Where every run of the old version of a flow had passed a gate, or a step that leads through one."""

from __future__ import annotations

import enum

from stratumc.checks.flow_facts import FlowFacts
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.former_condition import present_condition
from stratumc.review.paths.given import Given
from stratumc.review.paths.good_runs import can_complete, ends_well, may_end_well_given, may_run_given
from stratumc.spec.syntax import Step


class Hold(enum.Enum):
    """How much was guaranteed; what holds only because nothing ever comes so far is no guarantee."""

    NONE = "none"
    GIVEN = "given"
    """Every run had passed the step in which its condition held."""
    ALWAYS = "always"
    """Every run had passed it."""


class Guarantee:
    """The guarantees that one step of the old version gave."""

    def __init__(self, pair: FlowPair, step: Step) -> None:
        self._pair, self._step = pair, step

    def at(self, goal: int) -> Hold:
        """What holds as runs of the old version come to a step of it."""
        old, index = self._pair.old, self._step.index
        if not old.graph.is_before(index, goal):
            return Hold.NONE
        is_plain = bool(self._pair.plain[0] & old.order.before(goal) & 1 << index)
        is_asked = self._pair.is_small or not is_plain
        if (is_plain and self._step.when is None) or (
            is_asked and self._pair.always_passes(old, goal, index)
        ):
            return Hold.ALWAYS if self._pair.came(goal) else Hold.NONE
        if self._step.when is None:
            return Hold.NONE
        given = present_condition(old, index)
        if not is_plain and not self._pair.always_passes(old, goal, index, given):
            return Hold.NONE
        return Hold.GIVEN if may_run_given(old, goal, given) else Hold.NONE

    def at_end(self) -> Hold:
        """What holds as runs of the old version end well."""
        old, index = self._pair.old, self._step.index
        if not can_complete(old):
            return Hold.NONE
        is_plain = bool(self._pair.plain[0] >> index & 1)
        if (is_plain and self._step.when is None) or _always_at_end(old, index, None):
            return Hold.ALWAYS
        if self._step.when is None:
            return Hold.NONE
        given = present_condition(old, index)
        if not is_plain and not _always_at_end(old, index, given):
            return Hold.NONE
        return Hold.GIVEN if may_end_well_given(old, given) else Hold.NONE


def _always_at_end(facts: FlowFacts, index: int, given: Given | None) -> bool:
    """Whether it is proved that every good run passes a step; no witness is looked for."""
    from stratumc.proof.logic import conjunction, negation

    prover = facts.prover
    end = prover.model.steps[index].ending
    passed = conjunction(end.succeeds, end.approved)
    condition = True if given is None else given.formula
    return prover.never(prover.model.everyone, ends_well(facts), condition, negation(passed))
