"""Flows and the items of their fanouts as machines."""

from __future__ import annotations

from typing import Any

from stratumc.graph.flow_graph import FlowGraph
from stratumc.lower.pools import PENDING, RUN_STATES
from stratumc.lower.row_list import Effect, Guard, RowList, origin_of
from stratumc.lower.step_records import FlowScope, budget_record, step_record
from stratumc.lower.step_rows import Dispatch, add_dispatch_rows, add_step_rows
from stratumc.spec.syntax import Fanout, ReferenceKind, Step

_REJECTED: Effect = ["record_attempt", "rejected"]
_IN_PROGRESS, _COMPLETE, _FAILED, _KILLED, _EXHAUSTED, _CANCELLED = range(len(RUN_STATES))


def flow_machine(scope: FlowScope) -> dict[str, Any]:
    """The machine of a flow: a region per step, and the run's own."""
    flow, pools = scope.flow, scope.pools
    rows = RowList()
    for step in flow.steps:
        add_step_rows(rows, scope, step)
    rows.at(len(flow.steps), _IN_PROGRESS, flow.at)
    _add_control_rows(rows, scope)
    regions = [
        {
            "name": step.id,
            "states": pools.step_states(),
            "wakes": wakes(scope.graph, step.index),
            "step": step_record(scope, step),
            "origin": origin_of(step.at),
        }
        for step in flow.steps
    ]
    states = pools.state_set(RUN_STATES, range(_COMPLETE, len(RUN_STATES)))
    control = {"name": "run", "states": states, "wakes": [], "step": None, "origin": origin_of(flow.at)}
    return {
        "name": flow.name,
        "role": "flow",
        "regions": [*regions, control],
        "rows": rows.rows,
        "data": _flow_data(scope),
    }


def wakes(graph: FlowGraph, region: int) -> list[int]:
    """The regions that wait for the end of this one: its dependents and the targets of its routes."""
    return list(graph.successors[region])


def _flow_data(scope: FlowScope) -> dict[str, Any]:
    flow, names = scope.flow, scope.names
    return {
        "input": scope.pools.input_contract(flow.name, flow.input),
        "output": {
            "from": names.template(flow.output.source),
            "contract": scope.contract(flow.output.contract),
        },
        "budget": budget_record(flow.budget),
        "max_rounds": flow.max_rounds,
        "carry": [
            {
                "name": variable.name,
                "initial": names.template(variable.initial),
                "source": names.regions.get(variable.initial.references[0].name or ""),
            }
            for variable in flow.carry.values()
        ],
    }


def _add_control_rows(rows: RowList, scope: FlowScope) -> None:
    ended: list[Effect] = [["log", "ended"]]
    writes = [
        [number, scope.names.template(variable.initial)]
        for number, variable in enumerate(scope.flow.carry.values())
        if variable.initial.references[0].kind is ReferenceKind.INPUT
    ]
    if writes:
        effects: list[Effect] = [["write_carry", writes], ["start"]]
        rows.add("start", [["carries", writes]], _IN_PROGRESS, effects)
        rows.add("start", [], _FAILED, ended)
    else:
        rows.add("start", [], _IN_PROGRESS, [["start"]])
    place = scope.flow.output.source.at
    rows.add("settled", [["all_ended"], ["outputs"]], _COMPLETE, ended, place)
    rows.add("settled", [["all_ended"]], _FAILED, ended, place)
    rows.add("settled", [["stuck"]], _FAILED, ended)
    for event, target in (
        ("fail", _FAILED),
        ("kill", _KILLED),
        ("rounds", _FAILED),
        ("overrun", _FAILED),
        ("exhaust", _EXHAUSTED),
        ("cancel", _CANCELLED),
    ):
        rows.add(event, [], target, ended)


def item_machine(scope: FlowScope, number: int, step: Step) -> dict[str, Any]:
    """The machine of one item of a fanout: stage after stage, each entered, then issued."""
    assert isinstance(step.body, Fanout)
    stages = step.body.stages
    names = ["pending"]
    for stage in range(len(stages)):
        names += [f"stage_{stage}", f"ready_{stage}"]
    names += ["succeeded", "failed", "skipped"]
    last = len(names)
    rows = RowList()
    rows.at(0, PENDING, step.at)
    rows.add("enable", [], 1, [["raise", "stage"]])
    for stage in range(len(stages)):
        _add_stage_rows(rows, scope, step.body, stage, last)
    states = scope.pools.state_set(names, range(last - 3, last))
    region = {"name": "item", "states": states, "wakes": [], "step": None, "origin": origin_of(step.at)}
    return {
        "name": f"{scope.flow.name}/{step.id}",
        "role": "item",
        "regions": [region],
        "rows": rows.rows,
        "data": {"fanout": [number, step.index]},
    }


def _add_stage_rows(rows: RowList, scope: FlowScope, body: Fanout, number: int, last: int) -> None:
    stage = body.stages[number]
    entered, ready = 1 + 2 * number, 2 + 2 * number
    succeeded, failed, skipped = last - 3, last - 2, last - 1
    is_last = number == len(body.stages) - 1
    onward: list[Effect] = [] if is_last else [["next_stage"], ["raise", "stage"]]
    rows.at(0, entered, stage.at)
    if stage.when is not None:
        unless: Guard = ["unless", scope.pools.expression(stage.when.value)]
        target, effects = (skipped, [["log", "skipped"]]) if is_last else (entered + 2, onward)
        rows.add("stage", [unless], target, effects, stage.when.at)
    rows.add("stage", [], entered, [["raise", "dispatch"]])
    task, has_budget = scope.names.template(stage.task), body.budget is not None
    add_dispatch_rows(rows, scope, Dispatch(task, stage.attempts, has_budget, entered, ready, failed))
    rows.at(0, ready, stage.at)
    if scope.flow_budgets:
        rows.add("result", [["over", "flow"]], ready, [_REJECTED, ["signal_root", "exhaust"]])
    if body.budget is not None:
        spent: Effect = ["exhaust_attempts", stage.attempts, "rejected"]
        rows.add("result", [["over", "task"]], failed, [spent], body.budget.at)
    accepted: list[Effect] = [["record_attempt", "accepted"], ["store_output"], *onward]
    rows.add("result", [["verdict", "accepted"]], succeeded if is_last else entered + 2, accepted)
    retry: list[Guard] = [["attempts_left", stage.attempts], ["fresh"]]
    rows.add("result", retry, entered, [_REJECTED, ["raise", "dispatch"]])
    rows.add("result", [], failed, [_REJECTED])
