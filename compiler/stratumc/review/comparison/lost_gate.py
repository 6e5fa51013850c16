"""What it means that a gate is gone: the nearest steps that waited for it, or the end of its flow."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.guarantee import Guarantee, Hold
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.comparison.step_output import construct
from stratumc.review.paths.good_runs import can_complete, may_run_both
from stratumc.spec.syntax import Step


def lost_gate(pair: FlowPair, gate: Step, after: Step | None) -> Iterator[Meaning]:
    """Of a gate that is none any more; nothing of one that guaranteed nothing."""
    what = "which is gone" if after is None else f"which is now {construct(after)}"
    told = 0
    for goal in waiting_goals(pair, gate):
        told |= pair.new.graph.closure_mask(goal)
        message = f"step `{pair.new.graph.ids[goal]}` no longer waits for gate `{gate.id}`, {what}"
        yield Meaning(MeaningKind.GATE_PASSED_BY, message)
    if not told and ended_only_through(pair, gate):
        message = f"flow `{pair.name}` can now end well without gate `{gate.id}`, {what}"
        yield Meaning(MeaningKind.GATE_PASSED_BY, message)
    for old_goal, goal in pair.common_goals():
        if told >> goal & 1 or not pair.old.order.before(old_goal) >> gate.index & 1:
            continue
        if may_run_both(pair.old, old_goal, gate.index):
            told |= pair.new.graph.closure_mask(goal)
            name = pair.new.graph.ids[goal]
            message = f"step `{name}` no longer waits for the decision at gate `{gate.id}`, {what}"
            yield Meaning(MeaningKind.GATE_PASSED_BY, message)


def waiting_goals(pair: FlowPair, step: Step) -> Iterator[int]:
    """The nearest steps, by new index, that no old run came to without having passed a step."""
    guarantee = Guarantee(pair, step)
    told = 0
    for old_goal, goal in pair.common_goals():
        if not told >> goal & 1 and guarantee.at(old_goal) is not Hold.NONE:
            told |= pair.new.graph.closure_mask(goal)
            yield goal


def ended_only_through(pair: FlowPair, step: Step) -> bool:
    """Whether no old run ended well without having passed a step, and new ones can."""
    return can_complete(pair.new) and Guarantee(pair, step).at_end() is not Hold.NONE
