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
    name: str

    def __str__(self) -> str:
        return f"{self.kind} `{self.name}`"


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
            parts[PartName("carry variable", f"{name}.{variable}")] = dict(shape)
        for step in flow["steps"]:
            detail = {key: value for key, value in step.items() if key != "id"}
            parts[PartName("step", f"{name}.{step['id']}")] = detail
    return parts


def workflow_outline(workflow: Workflow) -> dict[PartName, Detail]:
    """The parts of a workflow with its fragments merged."""
    parts: dict[PartName, Detail] = {
        PartName("workflow", workflow.name): {
            "initial_state": workflow.initial_state,
            "global_actions": list(workflow.global_actions),
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


def _ways_out(state: State) -> Iterator[tuple[PartName, Detail]]:
    for transition in state.transitions:
        yield PartName("transition", f"{state.name}: {transition.event}"), _transition(transition)
    seen: dict[str, int] = {}
    for trigger in state.triggers:
        text = trigger.condition_text
        seen[text] = seen.get(text, 0) + 1
        again = f" ({seen[text]})" if seen[text] > 1 else ""
        detail = {"target": trigger.target, "action": trigger.action}
        yield PartName("trigger", f"{state.name}: {text}{again}"), detail


def _transition(transition: Transition) -> Detail:
    return {"target": transition.target, "action": transition.action, "judgment": transition.judgment}
