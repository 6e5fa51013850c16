"""What a change means for the gates of a flow: which can now be passed by, and which no longer can."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.inner_gates import inner_meanings
from stratumc.review.comparison.kept_gate import KeptGate
from stratumc.review.comparison.lost_gate import lost_gate
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.paths.flow_must_pass import may_go_round
from stratumc.review.paths.good_runs import may_run
from stratumc.spec.syntax import Gate, Run, Step


def gate_meanings(pair: FlowPair, skipped: frozenset[str]) -> Iterator[Meaning]:
    """What is new about each gate; that one of the steps `skipped` may be left out is told already."""
    for gate in pair.old.flow.steps:
        if isinstance(gate.body, Gate):
            after = pair.after(gate)
            if after is None or not isinstance(after.body, Gate):
                yield from lost_gate(pair, gate, after)
            else:
                yield from KeptGate(pair, gate, after, f"gate `{gate.id}`").meanings(gate.id in skipped)
        elif isinstance(gate.body, Run):
            yield from inner_meanings(pair, gate, gate.id in skipped)
    for gate in pair.new.flow.steps:
        if isinstance(gate.body, Gate):
            yield from _now_always(pair, gate)


def _now_always(pair: FlowPair, gate: Step) -> Iterator[Meaning]:
    """Of a gate that not every run passed on its way to a step, the nearest such steps where now all do."""
    old, new = pair.old, pair.new
    told = 0
    was = old.graph.index.get(gate.id)
    before = None if was is None or not isinstance(old.flow.steps[was].body, Gate) else was
    for old_goal, goal in pair.common_goals():
        if told >> goal & 1 or not new.graph.is_before(gate.index, goal):
            continue
        if before is not None and pair.always[0] & old.order.before(old_goal) & 1 << before:
            continue
        if not pair.always[1] & new.order.before(goal) & 1 << gate.index and not pair.always_passes(
            new, goal, gate.index
        ):
            continue
        if not may_run(new, goal) or not _went_round(pair, before, old_goal):
            continue
        told |= new.graph.closure_mask(goal)
        message = f"every run that comes to `{new.graph.ids[goal]}` now passes gate `{gate.id}`"
        yield Meaning(MeaningKind.GATE_ALWAYS_PASSED, message)


def _went_round(pair: FlowPair, gate: int | None, goal: int) -> bool:
    """Whether an old run came to a step without a gate that the old version may not have had."""
    if gate is None:
        return pair.came(goal)
    return may_go_round(pair.old, goal, gate)
