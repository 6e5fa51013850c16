"""Two versions of one flow: which steps are the same, and what was too much to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.step_sets import mask_of
from stratumc.proof.results import Result, Undecided
from stratumc.review.comparison.guards import Guards
from stratumc.review.comparison.meaning import MOST_TOLD, Meaning, MeaningKind
from stratumc.review.comparison.touched import untouched
from stratumc.review.paths.flow_must_pass import always_passes, ends_plainly, flow_must_pass
from stratumc.review.paths.given import Given
from stratumc.review.paths.good_runs import may_run
from stratumc.spec.syntax import Step

_MOST_ASKED = 300
_MANY = 500
"""Of a flow of so many steps, or more, the most that is asked of what its runs pass; of smaller ones more."""

_FEW = 150
"""Of flows of more steps only what needs few questions is asked."""

_TOO_MANY = Undecided("too many questions")

_WITNESS = 5
"""To look for a run that shows something counts as so many questions."""


class FlowPair:
    """A flow that both versions have."""

    def __init__(self, old: FlowFacts, new: FlowFacts) -> None:
        self.old, self.new = old, new
        self._undecided: dict[str, dict[str, str]] = {}
        self._came: dict[int, bool] = {}
        steps = len(new.flow.steps)
        self.is_small = steps <= _FEW
        """Whether every question is asked."""
        asked = _MOST_ASKED * _MANY // (steps + 1)
        self._left = 3 * asked if self.is_small else max(_MOST_ASKED, asked)

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

    @cached_property
    def guards(self) -> tuple[Guards, Guards]:
        """What steps of the old and of the new version lead through gates."""
        return Guards(), Guards()

    @cached_property
    def _untouched(self) -> int:
        return untouched(self.old, self.new)

    def is_untouched(self, goal: int) -> bool:
        """Whether runs come to a step of the new version as before: nothing on its way is touched."""
        return bool(self._untouched >> goal & 1)

    def came(self, old_goal: int) -> bool:
        """Whether a run of the old version comes to a step: what holds of no run is no guarantee."""
        if old_goal not in self._came:
            self._came[old_goal] = may_run(self.old, old_goal)
        return self._came[old_goal]

    def common_goals(self) -> Iterator[tuple[int, int]]:
        """Steps that both have, in an order in which runs of the new version come to them: old, new index."""
        for index in self.new.graph.order:
            before = self.old_index[index]
            if before is not None:
                yield before, index

    @cached_property
    def plain(self) -> tuple[int, int]:
        """Of the old and the new version, the steps that succeed in every run that goes on, as masks.

        If their `when` holds; by the graph alone.
        """
        old, new = (
            mask_of(index for index in range(len(facts.flow.steps)) if ends_plainly(facts, index))
            for facts in (self.old, self.new)
        )
        return old, new

    @cached_property
    def always(self) -> tuple[int, int]:
        """As `plain`, of the steps that have no `when`."""
        old, new = (
            mask & mask_of(step.index for step in facts.flow.steps if step.when is None)
            for facts, mask in zip((self.old, self.new), self.plain, strict=True)
        )
        return old, new

    def passes(self, facts: FlowFacts, goal: int, step: int, given: Given | None = None) -> Result:
        """Whether every run of a goal passes a step before; of large flows only so much is asked."""
        if not self._may_ask(_WITNESS):
            return _TOO_MANY
        return flow_must_pass(facts, None, goal, step, given)

    def always_passes(self, facts: FlowFacts, goal: int, step: int, given: Given | None = None) -> bool:
        """As `passes`, whether it is proved."""
        return self._may_ask(1) and always_passes(facts, goal, step, given)

    def _may_ask(self, cost: int) -> bool:
        if self._left < cost:
            self._left = 0
            return False
        self._left -= cost
        return True

    def note(self, result: Result, question: str, **about: str) -> Result:
        """The result; when it is undecided, the question is told, with what it is about for programs."""
        if isinstance(result, Undecided) and result is not _TOO_MANY:
            self._undecided.setdefault(question, about)
        return result

    def left_open(self) -> Iterable[Meaning]:
        """What to say of questions that were not decided."""
        if self._left == 0:
            message = f"`{self.name}` is large: not all that its runs pass is compared"
            yield Meaning(MeaningKind.NOT_COMPARED, message)
        for number, (question, about) in enumerate(self._undecided.items()):
            if number == MOST_TOLD:
                more = len(self._undecided) - MOST_TOLD
                message = f"{more} further questions on runs of `{self.name}` were too hard to decide"
                yield Meaning(MeaningKind.NOT_COMPARED, message)
                return
            yield Meaning(MeaningKind.NOT_COMPARED, f"it was too hard to decide whether {question}", about)
