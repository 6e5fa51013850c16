"""Bounds of good runs: of each flow, and of each step that has a budget of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.graph.bounds import (
    NOTHING,
    FlowBounds,
    Range,
    Spending,
    decisions_of,
    lesser,
    limited,
    repeats_of,
    spending_of,
)
from stratumc.graph.flow_graph import FlowGraph
from stratumc.spec.syntax import Do, Fanout, Flow, Run, Step

if TYPE_CHECKING:
    from stratumc.proof.prover import Prover


class Bounds:
    """What good runs of one flow spend, each number computed when first asked for."""

    def __init__(
        self, flow: Flow, graph: FlowGraph, prover: Callable[[], Prover], of: Callable[[str], Bounds]
    ) -> None:
        self._flow, self._graph = flow, graph
        self._prover = prover
        """Only asked for where the graph alone doesn't tell."""
        self._of = of
        """The bounds of a subflow."""

    @cached_property
    def _spending(self) -> tuple[Spending, ...]:
        """Per step the dispatches of one run of it, within its own budget."""
        return self._limited(self._wishes)

    @cached_property
    def _wishes(self) -> tuple[Spending, ...]:
        """Per step the dispatches of one run of it if it had no budget."""
        return tuple(
            spending_of(
                step, self._dispatches_of, self._failing_dispatches_of if self._matters(step) else _free
            )
            for step in self._flow.steps
        )

    def _limited(self, wishes: Iterable[Spending]) -> tuple[Spending, ...]:
        limits = (_limit(step) for step in self._flow.steps)
        return tuple(limited(one, limit) for one, limit in zip(wishes, limits, strict=True))

    def _matters(self, step: Step) -> bool:
        """Whether a good run may go on after the step failed."""
        return step.index in self._graph.failure_regions

    def _dispatches_of(self, name: str) -> Range:
        """What a subflow spends, which its flow's budget ends in every run of it."""
        inner = self._of(name)
        return _within(inner.dispatches, inner._flow)

    def _failing_dispatches_of(self, name: str) -> Range:
        inner = self._of(name)
        return _within(inner.failing_dispatches, inner._flow)

    @cached_property
    def _is_fixed(self) -> bool:
        """Whether every step runs once in each round, so that sums do."""
        return not self._graph.routes and all(
            step.when is None and not isinstance(step.body, Fanout) for step in self._flow.steps
        )

    def _spent(self, spending: Sequence[Spending], own: int) -> Range:
        """The least and the most of a good run, whose steps spend so much and each revise `own` beside."""
        attained = all(one.success.attained for one in spending)
        if not self._is_fixed:
            from stratumc.proof.spending import Meter

            meter = Meter(self._prover(), spending, own)
            longest = replace(meter.longest(), least=meter.shortest())
            return longest if attained else replace(longest, attained=False, reached=0)

        def weigh(steps: Iterable[int]) -> int | None:
            return _sum(spending[index].success.most for index in steps)

        once, again = (
            weigh(range(len(spending))),
            repeats_of(self._flow, self._graph, weigh, own=own),
        )
        most = None if once is None or again is None else once + again
        return Range(sum(one.success.least for one in spending), most, attained)

    def _spent_anyhow(self, spending: Sequence[Spending], own: int) -> Range:
        """At most what a run spends that ends in any way; attained, if one that doesn't end well may."""
        attained = all(one.success.attained and one.failure.attained for one in spending)
        if not self._is_fixed:
            from stratumc.proof.spending import Meter, failing

            prover = self._prover()
            whole = Meter(prover, spending, own, good=True).longest()
            worst = Meter(prover, spending, own, good=failing(prover.model)).longest()
            return Range(0, whole.most, attained and worst.attained and worst.most == whole.most)

        def weigh(steps: Iterable[int]) -> int | None:
            return _sum(_larger(spending[index]) for index in steps)

        most = _sum(
            (weigh(range(len(spending))), repeats_of(self._flow, self._graph, weigh, own=own)),
        )
        fails_last = any(
            not self._graph.after_masks[step.index] and isinstance(step.body, Do) for step in self._flow.steps
        )
        return Range(0, most, attained and fails_last)

    @cached_property
    def failing_dispatches(self) -> Range:
        """At most so many dispatches a run spends that doesn't end well."""
        wishes = (
            spending_of(step, self._dispatches_of, self._failing_dispatches_of) for step in self._flow.steps
        )
        return self._spent_anyhow(self._limited(wishes), own=0)

    @cached_property
    def failing_decisions(self) -> Range:
        """At most so many decisions a run takes that doesn't end well."""
        steps = self._flow.steps
        return self._spent_anyhow(
            [decisions_of(step, self._decisions_of, self._failing_decisions_of) for step in steps], own=1
        )

    @cached_property
    def dispatches(self) -> Range:
        """Least and most dispatches of a good run."""
        return self._spent(self._spending, own=0)

    @cached_property
    def decisions(self) -> Range:
        """Least and most decisions of gates in a good run; to ask for a revise is one."""
        return self._spent(
            [
                decisions_of(
                    step, self._decisions_of, self._failing_decisions_of if self._matters(step) else _free
                )
                for step in self._flow.steps
            ],
            own=1,
        )

    def _decisions_of(self, name: str) -> Range:
        return self._of(name).decisions

    def _failing_decisions_of(self, name: str) -> Range:
        return self._of(name).failing_decisions

    @cached_property
    def rounds(self) -> Range:
        """Least and most revises of a good run."""
        if not self._graph.revises:
            return NOTHING
        return self._spent([Spending(NOTHING, NOTHING)] * len(self._flow.steps), own=1)

    @property
    def flow(self) -> FlowBounds:
        """All bounds of the flow."""
        return FlowBounds(self.dispatches, self.decisions, self.rounds)

    def step(self, step: Step) -> Range:
        """Least and most dispatches of one run of a step that succeeds, whatever its budget."""
        one = self._wishes[step.index]
        if one.item is None:
            return one.success
        from stratumc.proof.spending import Meter

        meter = Meter(self._prover(), self._wishes)
        end = self._prover().model.steps[step.index].ending
        return replace(meter.most([step.index], end.succeeds), least=meter.least([step.index], end.succeeds))


def _free(_name: str) -> Range:
    """Of a flow whose failing ends every run that it is part of."""
    return NOTHING


def _within(spent: Range, flow: Flow) -> Range:
    """What a run of a flow spends within its budget of dispatches."""
    if flow.budget is None or flow.budget.dispatches is None:
        return spent
    limit = max(spent.least, flow.budget.dispatches)
    return replace(spent, most=lesser(spent.most, limit), attained=spent.attained or spent.reached >= limit)


def _larger(one: Spending) -> int | None:
    """The most that a step spends, however it ends."""
    ways = (one.success.most, one.failure.most)
    return None if None in ways else max(way for way in ways if way is not None)


def _limit(step: Step) -> int | None:
    """The dispatches that a step's own budget allows."""
    body = step.body
    budget = body.budget if isinstance(body, Do | Fanout | Run) else None
    return budget.dispatches if budget is not None else None


def _sum(parts: Iterable[int | None]) -> int | None:
    """The sum of some limits; None when one of them is none."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
