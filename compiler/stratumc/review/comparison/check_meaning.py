"""What a change means for steps that had always succeeded before a run came to another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from stratumc.graph.step_sets import mask_of, members_of
from stratumc.proof.results import Refuted
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.meaning import MOST_TOLD, Meaning, MeaningKind
from stratumc.review.comparison.step_output import construct
from stratumc.review.paths.run_words import Explained, whole_run
from stratumc.spec.syntax import Do, Evaluate, Gate, Set, Step

_MOST_PROVED = 100
"""In flows of more steps, only what the graph alone shows of the old version is compared."""


def check_meanings(pair: FlowPair, skipped: frozenset[str]) -> Iterator[Meaning]:
    """Steps, gates aside, without which a run can come to another now, the last of several in a row.

    Nothing of the steps `skipped`, of which is told already that they may be left out.
    """
    yield from _Checks(pair, skipped).meanings()
    for step in pair.old.flow.steps:
        if _is_check(step):
            after = pair.after(step)
            if after is None or isinstance(after.body, Gate):
                yield from _lost(pair, step, after)


def _is_check(step: Step) -> bool:
    """Whether a step is there to find faults: a command, or something that has to keep ensures."""
    match step.body:
        case Do(ensure=ensure) | Set(ensure=ensure):
            return bool(ensure)
        case body:
            return isinstance(body, Evaluate)


def _lost(pair: FlowPair, check: Step, after: Step | None) -> Iterator[Meaning]:
    """Of a check that is none any more, the nearest steps that waited for its success."""
    what = "gone" if after is None else f"now {construct(after)}"
    told = 0
    for old_goal, goal in pair.common_goals():
        if told >> goal & 1 or not pair.old.graph.is_before(check.index, old_goal):
            continue
        if pair.came(old_goal) and pair.always_passes(pair.old, old_goal, check.index):
            told |= pair.new.graph.closure_mask(goal)
            name = pair.new.graph.ids[goal]
            message = f"step `{name}` no longer waits for `{check.id}` to succeed, which is {what}"
            yield Meaning(MeaningKind.CHECK_PASSED_BY, message)


class _Checks:
    """The steps that both versions have and neither has as a gate."""

    def __init__(self, pair: FlowPair, skipped: frozenset[str]) -> None:
        self.pair = pair
        self.told: list[tuple[int, int]] = []
        """Of what was told: the new goals that it covers, and the old steps, as masks."""
        old = pair.old
        self.common = mask_of(
            step.index
            for step in old.flow.steps
            if pair.guards[0].of_step(old, step) is None
            and step.id not in skipped
            and (after := pair.after(step)) is not None
            and not isinstance(after.body, Gate)
        )

    def meanings(self) -> Iterator[Meaning]:
        """Pairs of a step and another that a run can come to without it now."""
        for old_goal, goal in self.pair.common_goals():
            if self.pair.is_untouched(goal) or not self.pair.came(old_goal):
                continue
            for check in self._doubtful(old_goal, goal):
                if self._is_covered(check, goal):
                    continue
                meaning = self._without(check, goal)
                if meaning is not None:
                    self._cover(check, goal)
                    yield meaning
                    if len(self.told) == MOST_TOLD:
                        yield self._broken_off()
                        return

    def _doubtful(self, old_goal: int, goal: int) -> Iterator[int]:
        """Old steps that surely had succeeded, and of which the new graph doesn't show it, the last first."""
        old = self.pair.old
        surely = old.order.before(old_goal) & self.pair.always[0]
        candidates = self.common & surely
        if len(old.flow.steps) <= _MOST_PROVED:
            candidates = self.common & old.graph.before_masks[old_goal]
        for check in sorted(members_of(candidates & ~self._settled(goal)), key=self._places.__getitem__):
            proved = surely >> check & 1 or self.pair.always_passes(old, old_goal, check)
            if proved:
                yield check

    def _settled(self, goal: int) -> int:
        """The old steps that the new graph alone shows to have succeeded when a goal begins, as a mask."""
        new = self.pair.new
        return mask_of(
            before
            for index in members_of(new.order.before(goal) & self.pair.always[1])
            if (before := self.pair.old_index[index]) is not None
        )

    @cached_property
    def _places(self) -> dict[int, int]:
        """Of each old step how far it stands from the end of the order in which runs come to steps."""
        return {index: place for place, index in enumerate(reversed(self.pair.old.graph.order))}

    def _is_covered(self, check: int, goal: int) -> bool:
        return any(goals >> goal & 1 and checks >> check & 1 for goals, checks in self.told)

    def _cover(self, check: int, goal: int) -> None:
        before = self.pair.old.graph.before_masks[check] | 1 << check
        self.told.append((self.pair.new.graph.closure_mask(goal), before))

    def _without(self, check: int, goal: int) -> Meaning | None:
        new, name = self.pair.new, self.pair.old.graph.ids[check]
        index = new.graph.index[name]
        is_before = new.graph.is_before(index, goal)
        done = f"without `{name}` having succeeded" if is_before else f"before `{name}` has succeeded"
        question = f"step `{new.graph.ids[goal]}` can now run {done}"
        found = self.pair.passes(new, goal, index)
        result = self.pair.note(found, question, step=new.graph.ids[goal], check=name)
        if not isinstance(result, Refuted):
            return None
        said = Explained(result.witness, new).of(index, goal)
        return Meaning(MeaningKind.CHECK_PASSED_BY, f"{question}{said}", whole_run(result.witness, new))

    def _broken_off(self) -> Meaning:
        message = f"more than {MOST_TOLD} such steps of `{self.pair.name}`: the others aren't compared"
        return Meaning(MeaningKind.NOT_COMPARED, message)
