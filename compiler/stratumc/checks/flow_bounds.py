"""Bounds of good runs: of each flow, and of each step that has a budget of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.graph.bounds import (
    NOTHING,
    FlowBounds,
    Range,
    Spending,
    lesser,
    limited,
    most_rounds,
    repeats_of,
    spending_of,
    surely_run,
)
from stratumc.spec.syntax import Do, Fanout, Gate, Run, Step

if TYPE_CHECKING:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import FlowFacts
    from stratumc.proof.spending import Meter


class Bounds:
    """What good runs of one flow spend, each number computed when first asked for."""

    def __init__(self, flow: FlowFacts) -> None:
        self._flow = flow

    @cached_property
    def spending(self) -> tuple[Spending, ...]:
        """Per step what one run of it spends, within its own budget."""
        limits = (_limit(step) for step in self._flow.flow.steps)
        return tuple(limited(one, limit) for one, limit in zip(self._wishes, limits, strict=True))

    @cached_property
    def _wishes(self) -> tuple[Spending, ...]:
        """Per step what one run of it would spend if it had no budget."""
        return tuple(spending_of(step, self._callee) for step in self._flow.flow.steps)

    def _callee(self, name: str) -> FlowBounds:
        """What a subflow spends, which its flow's budget ends in every run of it."""
        flow = self._flow.proofs.flows[name]
        budget, bounds = flow.flow.budget, flow.bounds.flow
        if budget is None or budget.dispatches is None:
            return bounds
        spent = bounds.dispatches
        most = lesser(spent.most, max(spent.least, budget.dispatches))
        return replace(bounds, dispatches=replace(spent, most=most))

    @cached_property
    def _meter(self) -> Meter:
        from stratumc.proof.spending import Meter

        return Meter(self._flow.prover, self.spending)

    @cached_property
    def _is_fixed(self) -> bool:
        """Whether every step runs once in each round, so that sums do."""
        return not self._flow.graph.routes and all(
            step.when is None and not isinstance(step.body, Fanout) for step in self._flow.flow.steps
        )

    @cached_property
    def dispatches(self) -> Range:
        """Least and most dispatches of a good run."""
        if self._is_fixed:
            everything = range(len(self.spending))
            base, extra = (
                self._most_of(everything),
                repeats_of(self._flow.flow, self._flow.graph, self._most_of),
            )
            most = None if base is None or extra is None else base + extra
            attained = all(one.success.attained for one in self.spending)
            return Range(sum(one.success.least for one in self.spending), most, attained)
        return replace(self._meter.longest(), least=self._meter.shortest())

    def _most_of(self, steps: Iterable[int]) -> int | None:
        return _sum(self.spending[index].success.most for index in steps)

    @cached_property
    def flow(self) -> FlowBounds:
        """All bounds of the flow."""
        flow, graph = self._flow.flow, self._flow.graph
        asked = [self._asked(step) for step in flow.steps]
        most = _sum(one.most for one in asked)
        again = repeats_of(flow, graph, lambda steps: _sum(asked[index].most for index in steps))
        total = None if most is None or again is None else most + again
        surely = sum(asked[index].least for index in surely_run(flow, graph))
        return FlowBounds(self.dispatches, Range(surely, total), Range(0, most_rounds(flow, graph)))

    def _asked(self, step: Step) -> Range:
        """The decisions that one run of a step takes if it succeeds: a gate's own, or those of a subflow."""
        match step.body:
            case Gate():
                return Range(1, 1)
            case Run(flow=callee):
                return self._flow.proofs.flows[callee.value].bounds.flow.decisions
            case _:
                return NOTHING

    def step(self, step: Step) -> Range:
        """Least and most dispatches of one run of a step that succeeds, whatever its budget."""
        one = self._wishes[step.index]
        if one.item is None:
            return one.success
        from stratumc.proof.spending import Meter

        meter = Meter(self._flow.prover, self._wishes)
        end = self._flow.prover.model.steps[step.index].ending
        return replace(meter.most([step.index], end.succeeds), least=meter.least([step.index], end.succeeds))


def _limit(step: Step) -> int | None:
    """The dispatches that a step's own budget allows."""
    body = step.body
    budget = body.budget if isinstance(body, Do | Fanout | Run) else None
    return budget.dispatches if budget is not None else None


def bounds_of(facts: SpecFacts) -> dict[str, dict[str, dict[str, int | None]]]:
    """By flow, the least and most dispatches, gate decisions and rounds of a good run."""
    return {name: flow.bounds.flow.to_dict() for name, flow in facts.proofs.flows.items()}


def _sum(parts: Iterable[int | None]) -> int | None:
    """The sum of some limits; None when one of them is none."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total
