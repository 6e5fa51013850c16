"""What a change means for the gates of a flow: which can now be passed by, and which no longer can."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from stratumc.proof.results import Proved, Refuted, Result
from stratumc.review.flow_must_pass import end_must_pass, may_go_round
from stratumc.review.flow_pair import FlowPair
from stratumc.review.former_condition import former_condition, present_condition, reads_the_same
from stratumc.review.given import Given
from stratumc.review.good_runs import can_complete, may_run
from stratumc.review.meaning import Meaning, MeaningKind
from stratumc.review.run_words import in_words, shortened
from stratumc.review.step_output import construct
from stratumc.spec.syntax import Gate, Step


def gate_meanings(pair: FlowPair, skipped: frozenset[str]) -> Iterator[Meaning]:
    """What is new about each gate; that one of the steps `skipped` may be left out is told already."""
    for gate in pair.old.flow.steps:
        if isinstance(gate.body, Gate):
            after = pair.after(gate)
            if after is None or not isinstance(after.body, Gate):
                yield from _lost(pair, gate, after)
            else:
                yield from _KeptGate(pair, gate, after).meanings(gate.id in skipped)
    for gate in pair.new.flow.steps:
        if isinstance(gate.body, Gate):
            yield from _now_always(pair, gate)


def _lost(pair: FlowPair, gate: Step, after: Step | None) -> Iterator[Meaning]:
    """Of a gate that is none any more, the nearest steps that waited for it, or the end of the flow.

    Nothing of one that no run came to.
    """
    if not may_run(pair.old, gate.index):
        return
    what = "gone" if after is None else f"now {construct(after)}"
    told = 0
    for old_goal, goal in pair.common_goals():
        if not told >> goal & 1 and _held(pair, gate, old_goal):
            told |= pair.new.graph.closure_mask(goal)
            name = pair.new.graph.ids[goal]
            message = f"step `{name}` no longer waits for gate `{gate.id}`, which is {what}"
            yield Meaning(MeaningKind.GATE_PASSED_BY, message)
    if not told and can_complete(pair.new) and _held_at_end(pair, gate):
        message = f"flow `{pair.name}` can now end well without gate `{gate.id}`, which is {what}"
        yield Meaning(MeaningKind.GATE_PASSED_BY, message)


def _held(pair: FlowPair, gate: Step, goal: int) -> bool:
    """Whether every old run of a step had passed a gate, if the gate's condition held."""
    old = pair.old
    if not old.graph.is_before(gate.index, goal):
        return False
    if pair.plain[0] & old.order.before(goal) & 1 << gate.index:
        return True
    return pair.always_passes(old, goal, gate.index, present_condition(old, gate.index))


def _held_at_end(pair: FlowPair, gate: Step) -> bool:
    """Whether there were good runs, and each had passed a gate, if the gate's condition held."""
    old = pair.old
    if not can_complete(old):
        return False
    if pair.plain[0] >> gate.index & 1:
        return True
    return isinstance(end_must_pass(old, gate.index, present_condition(old, gate.index)), Proved)


class _KeptGate:
    """A gate that both versions have."""

    def __init__(self, pair: FlowPair, gate: Step, after: Step) -> None:
        self.pair, self.gate, self.after = pair, gate, after

    def meanings(self, is_skipped: bool) -> Iterator[Meaning]:
        """The nearest steps that a run can come to round the gate now, or else the end of the flow."""
        new, told, settled = self.pair.new, 0, 0
        for old_goal, goal in self.pair.common_goals():
            before = new.order.before(goal)
            if told >> goal & 1 or before & settled or before & self._plain:
                continue
            if not _held(self.pair, self.gate, old_goal):
                continue
            if self._is_incomparable:
                yield from self._left_open(self.pair.passes(new, goal, self.after.index))
                return
            result = self.pair.note(self.pair.passes(new, goal, self.after.index, self._former))
            if isinstance(result, Refuted):
                told |= new.graph.closure_mask(goal)
                yield self._told(f"step `{new.graph.ids[goal]}` can now run", result, goal)
            elif isinstance(result, Proved):
                settled |= self.pair.always[1] & 1 << goal
        if not told and not is_skipped:
            yield from self._at_end()

    @cached_property
    def _keeps_condition(self) -> bool:
        """Whether the gate waits whenever it did before, as far as its own condition goes."""
        was, now = self.gate.when, self.after.when
        if was is None or now is None:
            return now is None
        return was.value == now.value and reads_the_same(self.pair.old, self.pair.new, was)

    @property
    def _plain(self) -> int:
        """The gate as a mask, if it is plain that every run passes it that passed it before."""
        return self.pair.plain[1] & 1 << self.after.index if self._keeps_condition else 0

    @cached_property
    def _former(self) -> Given | None:
        """The old condition, on runs of the new version."""
        if self.gate.when is None:
            return None
        return former_condition(self.pair.old, self.pair.new, self.gate.when, self.after.index)

    @property
    def _is_incomparable(self) -> bool:
        return self.gate.when is not None and self._former is None

    def _left_open(self, result: Result) -> Iterator[Meaning]:
        if not isinstance(result, Proved) and self.gate.when is not None:
            former = shortened(self.gate.when.value)
            message = (
                f"gate `{self.gate.id}`: its former condition `{former}` reads what isn't there any more as "
                "it was, so that who can pass the gate by isn't compared"
            )
            yield Meaning(MeaningKind.NOT_COMPARED, message)

    def _at_end(self) -> Iterator[Meaning]:
        new = self.pair.new
        if self._plain or not _held_at_end(self.pair, self.gate):
            return
        if self._is_incomparable:
            yield from self._left_open(end_must_pass(new, self.after.index))
            return
        result = self.pair.note(end_must_pass(new, self.after.index, self._former))
        if isinstance(result, Refuted):
            yield self._told(f"flow `{self.pair.name}` can now end well", result, self.after.index)

    def _told(self, what: str, result: Refuted, goal: int) -> Meaning:
        said = in_words(result.witness, self.pair.new, (self.after.index, goal), goal)
        though = ""
        if self.gate.when is not None:
            kept = self.after.when is not None and self.after.when.value == self.gate.when.value
            its = "its condition" if kept else "its former condition"
            though = f" though {its} `{shortened(self.gate.when.value)}` holds"
        message = f"{what} without gate `{self.gate.id}`{though}{said}"
        return Meaning(MeaningKind.GATE_PASSED_BY, message, result.witness)


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
        return may_run(pair.old, goal)
    return may_go_round(pair.old, goal, gate)
