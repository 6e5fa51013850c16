"""Whether runs can come round a gate that both versions have, where they could not before."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property

from stratumc.expr import ParseFailure
from stratumc.proof.results import Proved, Refuted, Result
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.former_condition import former_condition, reads_the_same
from stratumc.review.comparison.guarantee import Guarantee, Hold
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.paths.flow_must_pass import end_must_pass
from stratumc.review.paths.given import Given
from stratumc.review.paths.good_runs import may_run_both
from stratumc.review.paths.run_words import Explained, shortened, whole_run
from stratumc.spec.syntax import Gate, Step


class KeptGate:
    """A gate, or a step that runs a flow with gates, in both versions; `words` name it."""

    def __init__(self, pair: FlowPair, gate: Step, after: Step, words: str) -> None:
        self.pair, self.gate, self.after, self.words = pair, gate, after, words
        self.guarantee = Guarantee(pair, gate)
        self._told = 0
        """The steps of the new version of which something is told, and those after them, as a mask."""
        self._is_left_open = False

    def meanings(self, is_skipped: bool) -> Iterator[Meaning]:
        """The nearest steps that a run can come to round the gate now, or else the end of the flow."""
        settled = {Hold.ALWAYS: self.pair.always[1] & 1 << self.after.index, Hold.GIVEN: self._plain}
        for old_goal, goal in self.pair.common_goals():
            before = self.pair.new.order.before(goal)
            if self._told >> goal & 1 or before & settled[Hold.ALWAYS] or self.pair.is_untouched(goal):
                continue
            if not self.pair.is_small and before & settled[Hold.GIVEN]:
                continue
            hold = self.guarantee.at(old_goal)
            if hold is Hold.NONE or before & settled[hold]:
                continue
            result = yield from self._asked(goal, hold)
            if isinstance(result, Proved):
                settled[hold] |= self.pair.always[1] & 1 << goal
        if not self._told and not is_skipped:
            yield from self._at_end()
        if isinstance(self.gate.body, Gate):
            yield from self._undecided()

    def _asked(self, goal: int, hold: Hold) -> Generator[Meaning, None, Result]:
        """Whether every run of a goal still passes the gate; tells it if not."""
        pair, name = self.pair, self.pair.new.graph.ids[goal]
        if hold is Hold.GIVEN and self._is_incomparable:
            result = pair.passes(pair.new, goal, self.after.index)
            yield from self._left_open(result)
            return result
        given = self._former if hold is Hold.GIVEN else None
        question = f"step `{name}` can now run without {self.words}"
        result = pair.note(
            pair.passes(pair.new, goal, self.after.index, given), question, step=name, gate=self.gate.id
        )
        if isinstance(result, Refuted):
            self._told |= pair.new.graph.closure_mask(goal)
            yield self._passed_by(question, result, hold, goal)
        return result

    @cached_property
    def _keeps_condition(self) -> bool:
        """Whether the gate waits whenever it did before, as far as its own condition goes."""
        was, now = self.gate.when, self.after.when
        if was is None or now is None:
            return now is None
        return was.value == now.value and reads_the_same(self.pair.old, self.pair.new, was)

    @property
    def _plain(self) -> int:
        """The gate as a mask, if it is plain that runs in which its old condition holds pass it."""
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
        if isinstance(result, Proved) or self.gate.when is None or self._is_left_open:
            return
        self._is_left_open = True
        former = shortened(self.gate.when.value)
        message = (
            f"{self.words}: its former condition `{former}` reads what isn't there any more as "
            "it was, so that who can pass the gate by isn't compared"
        )
        yield Meaning(MeaningKind.NOT_COMPARED, message, {"gate": self.gate.id})

    def _at_end(self) -> Iterator[Meaning]:
        pair, index = self.pair, self.after.index
        hold = Hold.NONE if pair.always[1] >> index & 1 else self.guarantee.at_end()
        if hold is Hold.NONE or (hold is Hold.GIVEN and self._plain):
            return
        if hold is Hold.GIVEN and self._is_incomparable:
            yield from self._left_open(end_must_pass(pair.new, index))
            return
        given = self._former if hold is Hold.GIVEN else None
        question = f"flow `{pair.name}` can now end well without {self.words}"
        result = pair.note(end_must_pass(pair.new, index, given), question, gate=self.gate.id)
        if isinstance(result, Refuted):
            yield self._passed_by(question, result, hold, index)

    def _undecided(self) -> Iterator[Meaning]:
        """The nearest steps that waited for the decision at the gate, whatever it was, and don't now."""
        old, new = self.pair.old, self.pair.new
        for old_goal, goal in self.pair.common_goals():
            if self._told >> goal & 1 or not old.order.before(old_goal) >> self.gate.index & 1:
                continue
            if goal == self.after.index or new.graph.is_before(self.after.index, goal):
                continue
            if may_run_both(old, old_goal, self.gate.index) and may_run_both(new, goal, self.after.index):
                self._told |= new.graph.closure_mask(goal)
                message = f"step `{new.graph.ids[goal]}` can now run before {self.words} is decided"
                yield Meaning(MeaningKind.GATE_PASSED_BY, message)

    def _passed_by(self, what: str, result: Refuted, hold: Hold, goal: int) -> Meaning:
        new = self.pair.new
        former, though = None, ""
        if hold is Hold.GIVEN and self.gate.when is not None:
            kept = self.after.when is not None and self.after.when.value == self.gate.when.value
            its = "its" if isinstance(self.gate.body, Gate) else f"`{self.gate.id}`'s"
            condition = "condition" if kept else "former condition"
            though = f" though {its} {condition} `{shortened(self.gate.when.value)}` holds"
            tree = self.pair.old.proofs.parse(self.gate.when)
            former = None if isinstance(tree, ParseFailure) else tree
        said = Explained(result.witness, new).of(self.after.index, goal, former)
        return Meaning(MeaningKind.GATE_PASSED_BY, f"{what}{though}{said}", whole_run(result.witness, new))
