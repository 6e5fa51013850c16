"""The rows of each kind of step (runs.md sections 2 to 7)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import assert_never

from stratumc.graph.step_sets import ranges_of
from stratumc.lower.pools import FAILED, PENDING, READY, RUNNING, SKIPPED, SUCCEEDED, WAITING
from stratumc.lower.row_list import Effect, Guard, RowList
from stratumc.lower.step_records import DEFAULT_ATTEMPTS, FlowScope, requirement
from stratumc.spec.syntax import Do, Evaluate, Fanout, Gate, Run, Set, Step

_MANY_BOUNDS = 16
"""Up to so many bounds of runs a person can read."""

_REJECTED: Effect = ["record_attempt", "rejected"]


def add_step_rows(rows: RowList, scope: FlowScope, step: Step) -> None:
    """All rows of a step's region, state by state."""
    rows.at(step.index, PENDING, step.at)
    start = _add_skip_rows(rows, scope, step)
    body = step.body
    match body:
        case Do():
            _add_do_rows(rows, scope, step, body, start)
        case Set() | Evaluate():
            _add_computed_rows(rows, scope, step, start)
        case Gate():
            _add_gate_rows(rows, scope, step, body, start)
        case Fanout():
            _add_fanout_rows(rows, scope, step, body, start)
        case Run():
            _add_run_rows(rows, scope, step, start)
        case _:
            assert_never(body)


def failure_effects(scope: FlowScope, step: Step) -> list[Effect]:
    """What follows when a step has failed for good: its route, or the end of its scope."""
    region = scope.graph.failure_regions.get(step.index)
    if region is None:
        return [["signal", "fail"]]
    return [
        ["route", region.target],
        *([["skip_region", region_set(region.skipped)]] if region.skipped else []),
    ]


def region_set(mask: int) -> list[int] | str:
    """A set of regions as the table holds it: bounds of half-open runs, or of many a mask if shorter."""
    bounds = [bound for run in ranges_of(mask) for bound in run]
    digits = f"{mask:x}"
    is_shorter = len(digits) + 2 < len(json.dumps(bounds, separators=(",", ":")))
    return digits if len(bounds) > _MANY_BOUNDS and is_shorter else bounds


def _add_skip_rows(rows: RowList, scope: FlowScope, step: Step) -> list[Guard]:
    """The rows that skip a step, and the guards that all its other rows of `enable` share."""
    guards: list[Guard] = []
    graph = scope.graph
    routers = sorted({route.source for route in graph.routes_to[step.index]})
    if routers:
        rows.add("enable", [["unrouted", routers]], SKIPPED, [["log", "skipped"]])
        guards.append(["routed"])
    dependencies = list(graph.dependencies[step.index])
    if dependencies:
        forgiven = [
            before
            for before in dependencies
            if before in graph.failure_regions and graph.failure_regions[before].recovery >> step.index & 1
        ]
        guards.append(["deps", dependencies, forgiven])
    when = scope.expression(step.when)
    if when is not None and step.when is not None:
        rows.add("enable", [*guards, ["unless", when]], SKIPPED, [["log", "skipped"]], step.when.at)
    return guards


def _add_success_rows(rows: RowList, scope: FlowScope, step: Step, event: str, guards: list[Guard]) -> None:
    """Success with its carry variables written; where one has no value the run (or child) fails."""
    effects: list[Effect] = [["record_attempt", "accepted"], ["store_output"]]
    writes = scope.carries(step)
    if writes:
        written = [*effects, ["write_carry", writes]]
        rows.add(event, [*guards, ["carries", writes]], SUCCEEDED, written)
        effects.append(["signal", "fail"])
    rows.add(event, guards, SUCCEEDED, effects)


def _add_do_rows(rows: RowList, scope: FlowScope, step: Step, body: Do, start: list[Guard]) -> None:
    failure = failure_effects(scope, step)
    task, has_budget = scope.names.template(body.task), body.budget is not None
    rows.add("enable", start, PENDING, [["raise", "dispatch"]])
    dispatch = Dispatch(task, body.attempts, has_budget, PENDING, READY, FAILED, tuple(failure))
    add_dispatch_rows(rows, scope, dispatch)
    rows.at(step.index, READY, step.at)
    if scope.flow_budgets:
        rows.add("result", [["over", "flow"]], FAILED, [_REJECTED, ["signal_root", "exhaust"]])
    if scope.call_budgets:
        rows.add("result", [["over", "subflow"]], FAILED, [_REJECTED, ["signal", "overrun"]])
    if body.budget is not None:
        rows.add(
            "result",
            [["over", "task"]],
            FAILED,
            [["exhaust_attempts", body.attempts, "rejected"], *failure],
            body.budget.at,
        )
    _add_success_rows(rows, scope, step, "result", [["verdict", "accepted"]])
    if body.iterate is not None:
        unfinished: list[Guard] = [["verdict", "unfinished"]]
        counted: list[Effect] = [_REJECTED, ["count_iteration"]]
        again: list[Guard] = [*unfinished, ["iterations_left", body.iterate.max], ["fresh"]]
        rows.add("result", again, PENDING, [*counted, ["raise", "dispatch"]], body.iterate.at)
        rows.add("result", unfinished, FAILED, [*counted, *failure], body.iterate.at)
    retry: list[Guard] = [["attempts_left", body.attempts], ["fresh"]]
    rows.add("result", retry, PENDING, [_REJECTED, ["raise", "dispatch"]])
    rows.add("result", [], FAILED, [_REJECTED, *failure])


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A task to be handed out, and the states of its region around that."""

    task: int
    attempts: int
    has_budget: bool
    """Whether the step has a budget of its own."""
    waiting: int
    issued: int
    failed: int
    failure: tuple[Effect, ...] = ()
    """What follows when it fails for good."""


def add_dispatch_rows(rows: RowList, scope: FlowScope, dispatch: Dispatch) -> None:
    """The reservation of a dispatch: issued, or refused by a budget, or not to be rendered."""
    renders: Guard = ["renders", dispatch.task]
    limited = scope.flow_budgets or scope.call_budgets or dispatch.has_budget
    issue: list[Effect] = [["issue", dispatch.task]]
    rows.add("dispatch", [renders, *([["affords"]] if limited else [])], dispatch.issued, issue)
    if scope.flow_budgets:
        rows.add("dispatch", [renders, ["refused", "flow"]], dispatch.waiting, [["signal_root", "exhaust"]])
    if scope.call_budgets:
        rows.add("dispatch", [renders, ["refused", "subflow"]], dispatch.waiting, [["signal", "overrun"]])
    spent: Effect = ["exhaust_attempts", dispatch.attempts, "budget"]
    if dispatch.has_budget:
        rows.add("dispatch", [renders], dispatch.failed, [spent, *dispatch.failure])
    unrendered: Effect = ["exhaust_attempts", dispatch.attempts, "render"]
    rows.add("dispatch", [], dispatch.failed, [unrendered, *dispatch.failure])


def _add_computed_rows(rows: RowList, scope: FlowScope, step: Step, start: list[Guard]) -> None:
    """A `set` that fails isn't an attempt and stays pending; an `evaluate` that fails has failed."""
    _add_success_rows(rows, scope, step, "enable", [*start, ["computes"]])
    if isinstance(step.body, Evaluate):
        rows.add("enable", start, FAILED, [["record_attempt", "evaluate"], ["signal", "fail"]])
    else:
        rows.add("enable", start, PENDING, [["signal", "fail"]])


def _add_gate_rows(rows: RowList, scope: FlowScope, step: Step, body: Gate, start: list[Guard]) -> None:
    approve, kill, revise = map(scope.region, (body.on_approve, body.on_kill, body.on_revise))
    rows.add("enable", start, WAITING, [["await"]])
    rows.at(step.index, WAITING, body.at)
    rows.add(
        "approve", [], SUCCEEDED, [] if approve is None else [["route", approve]], body.at.child("on_approve")
    )
    rows.add(
        "kill",
        [],
        SUCCEEDED,
        [["signal", "kill"]] if kill is None else [["route", kill]],
        body.at.child("on_kill"),
    )
    if revise is None:
        return
    place = body.at.child("on_revise")
    writes = scope.gate_writes(step)
    carries: list[Guard] = [["carries", writes]] if writes else []
    rounds: Guard = ["rounds_left", scope.flow.max_rounds, body.max_rounds]
    effects: list[Effect] = [
        ["count_round"],
        *([["write_carry", writes]] if writes else []),
        ["reset", region_set(scope.graph.closure_mask(revise))],
    ]
    rows.add("revise", [*carries, rounds], PENDING, effects, place)
    rows.add("revise", carries, WAITING, [["signal", "rounds"]], place)


def _add_fanout_rows(rows: RowList, scope: FlowScope, step: Step, body: Fanout, start: list[Guard]) -> None:
    failure = failure_effects(scope, step)
    attempts = body.attempts or DEFAULT_ATTEMPTS
    spreads: Guard = ["spreads", scope.names.template(body.over)]
    rows.add("enable", [*start, spreads], RUNNING, [["enter", scope.items[step.index]]])
    rows.add("enable", start, FAILED, [["exhaust_attempts", attempts, "over"], *failure], body.over.at)
    rows.at(step.index, RUNNING, step.at)
    _add_success_rows(rows, scope, step, "join", [["requires", requirement(body)]])
    rows.add("join", [], FAILED, [["record_attempt", "require"], *failure])


def _add_run_rows(rows: RowList, scope: FlowScope, step: Step, start: list[Guard]) -> None:
    assert isinstance(step.body, Run)
    failure = failure_effects(scope, step)
    enters: Guard = ["enters", scope.names.value(step.body.arguments)]
    rows.add("enable", [*start, enters], RUNNING, [["enter", scope.flows[step.body.flow.value]]])
    rows.add("enable", start, FAILED, [["record_attempt", "input"], *failure], step.body.arguments.at)
    rows.at(step.index, RUNNING, step.at)
    _add_success_rows(rows, scope, step, "complete", [])
    rows.add("fail", [], FAILED, [["record_attempt", "child"], *failure])
