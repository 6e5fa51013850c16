"""Two versions of one flow: which steps are the same, and what was too much to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Result, Undecided
from stratumc.review.meaning import Meaning, MeaningKind
from stratumc.spec.syntax import Step


class FlowPair:
    """A flow that both versions have."""

    def __init__(self, old: FlowFacts, new: FlowFacts) -> None:
        self.old, self.new = old, new
        self._undecided = 0

    @property
    def name(self) -> str:
        """The flow's name."""
        return self.new.flow.name

    @cached_property
    def old_index(self) -> tuple[int | None, ...]:
        """Per step of the new version the index that it had in the old one; None for a new step."""
        return tuple(self.old.graph.index.get(name) for name in self.new.graph.ids)

    def after(self, step: Step) -> Step | None:
        """The step of the new version that has an old one's name."""
        index = self.new.graph.index.get(step.id)
        return None if index is None else self.new.flow.steps[index]

    def common_goals(self) -> Iterator[tuple[int, int]]:
        """Steps that both have, in an order in which runs of the new version come to them: old, new index."""
        for index in self.new.graph.order:
            before = self.old_index[index]
            if before is not None:
                yield before, index

    def note(self, result: Result) -> Result:
        """The result, counted when it is undecided."""
        if isinstance(result, Undecided):
            self._undecided += 1
        return result

    def left_open(self) -> Iterable[Meaning]:
        """What to say of questions that were not decided."""
        if self._undecided:
            count = "1 question" if self._undecided == 1 else f"{self._undecided} questions"
            was = "was" if self._undecided == 1 else "were"
            message = f"{count} on what runs of `{self.name}` pass or skip {was} too hard to decide"
            yield Meaning(MeaningKind.NOT_COMPARED, message)
