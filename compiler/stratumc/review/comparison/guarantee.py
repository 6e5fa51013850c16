"""Where every run of the old version of a flow had passed a gate, or a step that leads through one."""

from __future__ import annotations

import enum

from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.former_condition import present_condition
from stratumc.review.paths.flow_must_pass import always_passed_at_end
from stratumc.review.paths.good_runs import can_complete, may_end_well_given, may_run_given
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
        if always_passed_at_end(old, index):
            return Hold.ALWAYS
        if self._step.when is None:
            return Hold.NONE
        given = present_condition(old, index)
        if not is_plain and not always_passed_at_end(old, index, given):
            return Hold.NONE
        return Hold.GIVEN if may_end_well_given(old, given) else Hold.NONE
