"""A workflow as a machine of one region."""

from __future__ import annotations

from typing import Any

from stratumc.graph.workflow_graph import effective_globals
from stratumc.lower.pools import Pools
from stratumc.lower.row_list import Effect, origin_of
from stratumc.text import Location
from stratumc.workflow.syntax import State, Transition, Workflow

TRIGGER_EVENT = "auto"


def workflow_machine(workflow: Workflow, pools: Pools) -> dict[str, Any]:
    """The machine of a merged workflow: per state its own events, globals, then triggers."""
    numbers = {name: number for number, name in enumerate(workflow.states)}
    rows: list[list[Any]] = []
    for state in workflow.states.values():
        rows += _event_rows(workflow, state, numbers)
        rows += _trigger_rows(state, numbers, pools)
    region = {
        "name": "state",
        "states": pools.state_set(workflow.states, ()),
        "wakes": [],
        "step": None,
        "origin": origin_of(workflow.at),
    }
    return {
        "name": workflow.name,
        "role": "workflow",
        "regions": [region],
        "rows": rows,
        "data": {
            "initial": numbers[workflow.initial_state],
            "descriptions": [state.description for state in workflow.states.values()],
            "global_actions": list(workflow.global_actions),
            "thresholds": {item.name: item.value for item in workflow.thresholds.values()},
            "resumption": [
                [numbers[item.previous], numbers[item.target]]
                for item in workflow.resumption_targets.values()
            ],
            "config": {
                "state_file": workflow.config.state_file,
                "log_file": workflow.config.log_file,
                "state_field": workflow.config.state_field,
                "previous_state_field": workflow.config.previous_state_field,
            },
        },
    }


def _event_rows(workflow: Workflow, state: State, numbers: dict[str, int]) -> list[list[Any]]:
    offered = [(transition, "state") for transition in state.transitions]
    offered += [(item.transition, "global") for _, item in effective_globals(workflow, state)]
    rows: list[list[Any]] = []
    for transition, kind in offered:
        head = [0, numbers[state.name], transition.event]
        origin = _origin(transition.at, transition.owner, kind)
        effects = _effects(transition)
        if transition.target is not None:
            rows.append([*head, [], numbers[transition.target], effects, origin])
            continue
        for item in workflow.resumption_targets.values():
            guard = ["previous", numbers[item.previous]]
            rows.append([*head, [guard], numbers[item.target], effects, origin])
    return rows


def _trigger_rows(state: State, numbers: dict[str, int], pools: Pools) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for trigger in state.triggers:
        guard = ["condition", pools.condition(trigger.condition_text, trigger.condition)]
        effects: list[Effect] = [] if trigger.action is None else [["action", trigger.action]]
        origin = _origin(trigger.at, trigger.owner, "state")
        head = [0, numbers[state.name], TRIGGER_EVENT]
        rows.append([*head, [guard], numbers[trigger.target], [*effects, ["log", "transition"]], origin])
    return rows


def _effects(transition: Transition) -> list[Effect]:
    effects: list[Effect] = [] if transition.action is None else [["action", transition.action]]
    if transition.judgment:
        effects.append(["judgment"])
    return [*effects, ["log", "transition"]]


def _origin(place: Location, owner: str | None, kind: str) -> list[Any]:
    return [*origin_of(place), kind if owner is None else owner]
