"""A document as a flat list of named parts, so that two versions can be compared part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow.settings import (
    DEFAULT_LOG_FILE,
    DEFAULT_PREVIOUS_FIELD,
    DEFAULT_STATE_FIELD,
    DEFAULT_STATE_FILE,
)
from stratumc.review.comparison.sameness import (
    Detail,
    plain_condition,
    plain_names,
    plain_step,
    plain_types,
    same,
)
from stratumc.workflow.syntax import State, Transition, Workflow


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


@dataclass(frozen=True, slots=True)
class Part:
    """What a part says."""

    written: Detail
    """By field; defaults are left out of steps, and put into settings."""
    plain: Detail
    """The same fields, with one value for all that mean the same."""


Outline = dict[PartName, Part]


def spec_outline(document: Any) -> Outline:
    """The parts of a v1 document, given as plain data that has passed the rules."""
    parts: Outline = {}
    for name, fields in document["contracts"].items():
        parts[PartName("contract", name)] = Part(fields, plain_types(fields))
    for name, flow in document["flows"].items():
        if name == "entry":
            parts[PartName("document", "flows")] = _as_written({"entry": flow})
            continue
        detail = {key: flow[key] for key in flow if key not in ("steps", "carry")}
        parts[PartName("flow", name)] = Part(detail, {**detail, "input": plain_types(flow["input"])})
        for variable, shape in flow.get("carry", {}).items():
            parts[PartName("carry variable", variable, name)] = _as_written(shape)
        for step in flow["steps"]:
            detail = _step(step)
            parts[PartName("step", step["id"], name)] = Part(detail, plain_step(detail))
    return parts


def _as_written(detail: Detail) -> Part:
    return Part(detail, detail)


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


def workflow_outline(workflow: Workflow, *, known_as: str) -> Outline:
    """The parts of a workflow with its fragments merged, itself under a name that two versions share."""
    parts: Outline = {
        PartName("workflow", known_as): _as_written(
            {
                "name": workflow.name,
                "initial_state": workflow.initial_state,
                "global_actions": list(workflow.global_actions),
                **{f"config.{key}": value for key, value in _config(workflow).items()},
            }
        )
    }
    for state in workflow.states.values():
        parts[PartName("state", state.name)] = _as_written({"description": state.description})
        parts.update(_ways_out(state))
    for item in workflow.global_transitions:
        detail = {**_transition(item.transition), "except": list(item.except_)}
        plain = {**detail, "except": plain_names(detail["except"])}
        parts[PartName("global transition", item.transition.event)] = Part(detail, plain)
    for threshold in workflow.thresholds.values():
        parts[PartName("threshold", threshold.name)] = _as_written({"value": threshold.value})
    for entry in workflow.resumption_targets.values():
        parts[PartName("resumption target", entry.previous)] = _as_written({"target": entry.target})
    return parts


def _config(workflow: Workflow) -> Detail:
    """The settings, each as it is when nothing is said of it (workflow.md section 3)."""
    config = workflow.config
    return {
        "state_file": config.state_file or DEFAULT_STATE_FILE,
        "log_file": config.log_file or DEFAULT_LOG_FILE,
        "state_field": config.state_field or DEFAULT_STATE_FIELD,
        "previous_state_field": config.previous_state_field or DEFAULT_PREVIOUS_FIELD,
    }


def _ways_out(state: State) -> Iterator[tuple[PartName, Part]]:
    for transition in state.transitions:
        yield PartName("transition", transition.event, state.name), _as_written(_transition(transition))
    seen: dict[str, int] = {}
    for trigger in state.triggers:
        text = plain_condition(trigger.condition)
        seen[text] = seen.get(text, 0) + 1
        again = f" ({seen[text]})" if seen[text] > 1 else ""
        detail = {"target": trigger.target, "action": trigger.action}
        yield PartName("trigger", f"{text}{again}", state.name), _as_written(detail)


def _transition(transition: Transition) -> Detail:
    return {"target": transition.target, "action": transition.action, "judgment": transition.judgment}
