"""A document as a flat list of named parts, so that two versions can be compared part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratumc.workflow.syntax import State, Transition, Workflow

Detail = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartName:
    """What a part is and how people call it."""

    kind: str
    own_name: str
    owner: str | None = None
    """The flow or state that it belongs to."""

    @property
    def name(self) -> str:
        """The name with its owner's: `flow.step`, `state: event`."""
        if self.owner is None:
            return self.own_name
        return f"{self.owner}{': ' if self.kind in WAYS_OUT else '.'}{self.own_name}"

    def __str__(self) -> str:
        return f"{self.kind} `{self.name}`"


WAYS_OUT = ("transition", "trigger")

_DEFAULTS: dict[str, Any] = {"agent": "claude", "after": [], "ensure": [], "on_fail": None}
"""Fields of steps and stages that say nothing when they have these values (v1.md section 4)."""


def spec_outline(document: Any) -> dict[PartName, Detail]:
    """The parts of a v1 document, given as plain data that has passed the rules."""
    parts: dict[PartName, Detail] = {}
    for name, fields in document["contracts"].items():
        parts[PartName("contract", name)] = dict(fields)
    for name, flow in document["flows"].items():
        if name == "entry":
            parts[PartName("document", "flows")] = {"entry": flow}
            continue
        parts[PartName("flow", name)] = {key: flow[key] for key in flow if key not in ("steps", "carry")}
        for variable, shape in flow.get("carry", {}).items():
            parts[PartName("carry variable", variable, name)] = dict(shape)
        for step in flow["steps"]:
            parts[PartName("step", step["id"], name)] = _step(step)
    return parts


def _step(step: Detail) -> Detail:
    """What a step says, defaults left out."""
    detail = {key: value for key, value in _said(step).items() if key != "id"}
    if "gate" in detail:
        detail["gate"] = {key: value for key, value in detail["gate"].items() if value is not None}
    if "fanout" in detail:
        fanout = {
            key: value for key, value in detail["fanout"].items() if (key, value) != ("dispatch", "engine")
        }
        detail["fanout"] = {**fanout, "steps": [_said(stage) for stage in fanout["steps"]]}
    return detail


def _said(step: Detail) -> Detail:
    defaults = {**_DEFAULTS, "attempts": 2} if "do" in step else _DEFAULTS
    return {
        key: value for key, value in step.items() if key not in defaults or not same(value, defaults[key])
    }


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values: booleans are no numbers, 1 is 1.0."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def workflow_outline(workflow: Workflow) -> dict[PartName, Detail]:
    """The parts of a workflow with its fragments merged."""
    parts: dict[PartName, Detail] = {
        PartName("workflow", workflow.name): {
            "initial_state": workflow.initial_state,
            "global_actions": list(workflow.global_actions),
            **{f"config.{key}": value for key, value in _config(workflow).items() if value is not None},
        }
    }
    for state in workflow.states.values():
        parts[PartName("state", state.name)] = {"description": state.description}
        parts.update(_ways_out(state))
    for item in workflow.global_transitions:
        detail = {**_transition(item.transition), "except": list(item.except_)}
        parts[PartName("global transition", item.transition.event)] = detail
    for threshold in workflow.thresholds.values():
        parts[PartName("threshold", threshold.name)] = {"value": threshold.value}
    for entry in workflow.resumption_targets.values():
        parts[PartName("resumption target", entry.previous)] = {"target": entry.target}
    return parts


def _config(workflow: Workflow) -> Detail:
    config = workflow.config
    return {
        "state_file": config.state_file,
        "log_file": config.log_file,
        "state_field": config.state_field,
        "previous_state_field": config.previous_state_field,
    }


def _ways_out(state: State) -> Iterator[tuple[PartName, Detail]]:
    for transition in state.transitions:
        yield PartName("transition", transition.event, state.name), _transition(transition)
    seen: dict[str, int] = {}
    for trigger in state.triggers:
        text = trigger.condition_text
        seen[text] = seen.get(text, 0) + 1
        again = f" ({seen[text]})" if seen[text] > 1 else ""
        detail = {"target": trigger.target, "action": trigger.action}
        yield PartName("trigger", f"{text}{again}", state.name), detail


def _transition(transition: Transition) -> Detail:
    return {"target": transition.target, "action": transition.action, "judgment": transition.judgment}
