"""Least and most of what a good run spends: dispatches, gate decisions, rounds (checks.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from stratumc.graph.flow_graph import FlowGraph, Revise
from stratumc.graph.step_sets import members_of
from stratumc.spec.syntax import Do, Evaluate, Fanout, Flow, Gate, Quorum, Run, Set, Stage, Step


@dataclass(frozen=True, slots=True)
class Range:
    """From the least to the most; `most` is None when there is no limit."""

    least: int
    most: int | None
    attained: bool = True
    """Whether `most` is known to be reached; else less may be the most."""
    reached: int = 0
    """Where `most` isn't known to be reached: what is."""

    def to_dict(self) -> dict[str, int | None]:
        """The range as a JSON object."""
        return {"least": self.least, "most": self.most}


@dataclass(frozen=True, slots=True)
class FlowBounds:
    """What a good run of one flow spends, attempts, iterations, revises and subflows counted."""

    dispatches: Range
    decisions: Range
    rounds: Range

    def to_dict(self) -> dict[str, dict[str, int | None]]:
        """The bounds as a JSON object."""
        return {
            "dispatches": self.dispatches.to_dict(),
            "decisions": self.decisions.to_dict(),
            "rounds": self.rounds.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Spending:
    """The dispatches of one step, each time it runs."""

    success: Range
    failure: Range
    item: Range | None = None
    """Of a fanout: of each item; its other ranges then are those of no item at all."""
    accepted: int | None = None
    """Of a fanout: how many items must succeed; None when all must."""
    rejected: int = 0
    """Of a fanout: the least that an item spends that doesn't succeed."""
    limit: int | None = None
    """The step's own budget of dispatches, which ends it before it spends more."""


NOTHING = Range(0, 0)


def lesser(one: int | None, other: int | None) -> int | None:
    """The lower of two upper limits, where None is no limit."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


def limited(one: Spending, limit: int | None) -> Spending:
    """What a step spends with a budget of so many dispatches; one that can't succeed is left as it is."""
    if limit is None or (one.item is None and limit < one.success.least):
        return one
    success = replace(one.success, most=lesser(one.success.most, limit))
    failure = replace(one.failure, least=min(one.failure.least, limit), most=lesser(one.failure.most, limit))
    return replace(one, success=success, failure=failure, limit=limit)


def spending_of(step: Step, callee: Callable[[str], Range], failing: Callable[[str], Range]) -> Spending:
    """What one run of a step spends, whatever its budget; to fail at rendering a string is free.

    `callee` tells what a good run of a flow spends, `failing` what one that fails does.
    """
    body = step.body
    match body:
        case Do():
            most = body.attempts + (body.iterate.max - 1 if body.iterate else 0)
            at_once = body.attempts == 1 or (body.iterate is not None and body.iterate.max == 1)
            return Spending(Range(1, most), Range(1 if at_once else 2, most))
        case Fanout():
            return _fanout(body)
        case Run():
            return Spending(callee(body.flow.value), failing(body.flow.value))
        case Set() | Gate() | Evaluate():
            return Spending(NOTHING, NOTHING)
        case _:
            assert_never(body)


def _fanout(body: Fanout) -> Spending:
    least = sum(stage.when is None for stage in body.stages)
    most = sum(stage.attempts for stage in body.stages)
    count = None if body.require is Quorum.ALL else least_items(body.require)
    return Spending(NOTHING, NOTHING, Range(least, most), count, min(least, _rejected(body.stages[0])))


def least_items(require: Quorum | int) -> int:
    """How many items succeed at least when a fanout does, whatever the list."""
    match require:
        case Quorum.ALL:
            return 0
        case Quorum.ANY:
            return 1
        case _:
            return require


def _rejected(first: Stage) -> int:
    """An item that fails at its first stage: the same wrong output twice ends it."""
    return 0 if first.when is not None else min(first.attempts, 2)


def surely_run(flow: Flow, graph: FlowGraph) -> tuple[int, ...]:
    """The steps that run and succeed in every good run, as far as the graph tells."""
    skipped = graph.skippable_by_failure
    return tuple(
        step.index
        for step in flow.steps
        if step.when is None
        and not graph.routes_to[step.index]
        and step.index not in graph.failure_regions
        and not skipped >> step.index & 1
    )


def decisions_of(step: Step, callee: Callable[[str], Range], failing: Callable[[str], Range]) -> Spending:
    """The decisions that one run of a step takes: a gate's own, which is one, or those of a subflow."""
    match step.body:
        case Gate():
            return Spending(Range(1, 1), NOTHING)
        case Run(flow=flow):
            return Spending(callee(flow.value), failing(flow.value))
        case _:
            return Spending(NOTHING, NOTHING)


def shared_out(flow: Flow, weights: Mapping[Revise, int]) -> dict[Revise, int]:
    """How often each revise is taken so that they weigh most, within the flow's limit and their own."""
    left = flow.max_rounds or 0
    taken: dict[Revise, int] = {}
    for revise, _ in sorted(weights.items(), key=lambda item: -item[1]):
        body = flow.steps[revise.gate].body
        assert isinstance(body, Gate)
        taken[revise] = min(left, left if body.max_rounds is None else body.max_rounds)
        left -= taken[revise]
    return taken


def repeats_of(
    flow: Flow, graph: FlowGraph, weigh: Callable[[Iterable[int]], int | None], *, own: int
) -> int | None:
    """The most that revises add in a flow that runs each step once a round; None: no limit.

    A revise weighs `own`, and `weigh` of the steps that it repeats: those of the reset closure that have run
    when its gate asks.
    """
    weights: dict[Revise, int] = {}
    for revise in graph.revises:
        repeated = graph.closure_mask(revise.target) & ~graph.after_masks[revise.gate]
        weighs = weigh(step for step in members_of(repeated) if step != revise.gate)
        if weighs is None:
            return None
        weights[revise] = weighs + own
    taken = shared_out(flow, weights)
    return sum(weights[revise] * count for revise, count in taken.items())
