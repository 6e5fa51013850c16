"""Translation validation: a table against the source it is said to come from (table.md, "Verified")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from stratum_runtime import Table
from stratumc.workflow.syntax import Transition, Workflow

_STEP_OUTPUT = re.compile(r"\$\{([a-z][a-z0-9_-]*)\.output(?=[.\[}])")
_CONSTRUCTS = ("do", "set", "gate", "fanout", "run", "evaluate")


def recompiled_faults(table: Table, compiled: Table) -> Iterator[str]:
    """Whether a table is the one that the source compiles to now, proofs included; paths may differ."""
    for key in compiled.data:
        if key != "digest" and _comparable(key, table.data[key]) != _comparable(key, compiled.data[key]):
            yield f"`{key}` is not what the source compiles to"


def _comparable(key: str, value: Any) -> Any:
    return [item["sha256"] for item in value] if key == "source" else value


# --- documents ---


def document_faults(table: Table, document: dict[str, Any]) -> Iterator[str]:
    """Each step of the document's data against its record, told in the document's own terms."""
    data = table.data
    flows = {name: flow for name, flow in document["flows"].items() if name != "entry"}
    machines = [machine for machine in data["machines"] if machine["role"] == "flow"]
    if [machine["name"] for machine in machines] != list(flows) or data["name"] != document["flows"]["entry"]:
        yield "the flows are not those of the source"
        return
    for machine, flow in zip(machines, flows.values(), strict=True):
        names = [region["name"] for region in machine["regions"][:-1]]
        if names != [step["id"] for step in flow["steps"]]:
            yield f"the steps of `{machine['name']}` are not those of the source"
            continue
        if (machine["data"]["max_rounds"], machine["data"]["budget"]) != (
            flow.get("max_rounds"),
            _budget(flow.get("budget")),
        ):
            yield f"the limits of `{machine['name']}` are not those of the source"
        for region, step in zip(machine["regions"], flow["steps"], strict=False):
            told, written = _told(data, region["step"], names), _written(step)
            for key in written:
                if told.get(key) != written[key]:
                    yield f"`{key}` of `{machine['name']}.{step['id']}` is not that of the source"


def _told(data: dict[str, Any], record: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """A record in the terms of a document."""
    pools = data["pools"]
    told: dict[str, Any] = {
        "construct": record["construct"],
        "deps": {names[region] for region in record["deps"]},
    }
    told["when"] = None if record["when"] is None else pools["expressions"][record["when"]]["text"]
    for key in ("on_fail", "on_approve", "on_revise", "on_kill"):
        told[key] = None if record.get(key) is None else names[record[key]]
    for key in (
        "attempts",
        "agent",
        "max_rounds",
        "command",
        "timeout_ms",
        "concurrency",
        "require",
        "dispatch",
    ):
        told[key] = record.get(key)
    told["budget"] = record.get("budget")
    told["out"] = None if record.get("out") is None else pools["contracts"][record["out"]]["name"]
    for key in ("task", "over", "input"):
        told[key] = None if record.get(key) is None else pools["templates"][record[key]]["text"]
    told["stages"] = [pools["templates"][stage["task"]]["text"] for stage in record.get("stages", ())]
    told["ensure"] = [_told_ensure(pools, item) for item in record.get("ensure", ())]
    iterate = record.get("iterate")
    told["iterate"] = None
    if iterate is not None:
        told["iterate"] = (iterate["max"], pools["expressions"][iterate["until"]]["text"])
    told["fields"] = [(name, pools["expressions"][index]["text"]) for name, index in record.get("fields", ())]
    told["run"] = data["machines"][record["machine"]]["name"] if record["construct"] == "run" else None
    return told


def _told_ensure(pools: dict[str, Any], item: list[Any]) -> dict[str, Any]:
    match item:
        case ["expr", index]:
            return {"expr": pools["expressions"][index]["text"]}
        case ["file_contains", path, text]:
            return {"file_contains": {"path": path, "text": text}}
        case ["judged", statement, stakes]:
            return {"judged": {"statement": statement, "stakes": stakes}}
        case _:
            return {item[0]: item[1]}


def _written(step: dict[str, Any]) -> dict[str, Any]:
    """A step of the document in the same terms, defaults put in."""
    construct = next(name for name in _CONSTRUCTS if step.get(name) is not None)
    body = step[construct]
    written: dict[str, Any] = {
        "construct": construct,
        "when": step.get("when"),
        "on_fail": step.get("on_fail"),
    }
    written["deps"] = set(step.get("after", ())) | {
        name for text in _scanned(step) for name in _STEP_OUTPUT.findall(text)
    }
    written["budget"] = _budget(step.get("budget"))
    if construct not in ("gate", "run", "fanout"):
        written["out"] = step.get("out")
    if construct == "do":
        iterate = step.get("iterate")
        written |= {"task": body, "attempts": step.get("attempts", 2), "agent": step.get("agent", "claude")}
        written["iterate"] = None if iterate is None else (iterate["max"], iterate["until"])
    if construct in ("do", "set"):
        written["ensure"] = step.get("ensure", [])
    if construct == "set":
        written["fields"] = list(body.items())
    if construct == "gate":
        written |= {key: body.get(key) for key in ("on_approve", "on_revise", "on_kill", "max_rounds")}
    if construct == "fanout":
        written |= {key: body[key] for key in ("over", "concurrency", "require")}
        written["stages"] = [stage["do"] for stage in body["steps"]]
        written["attempts"] = step.get("attempts", 2)
    if construct == "run":
        written["run"] = body
    if construct == "evaluate":
        written |= {"command": body["command"], "timeout_ms": body["timeout_ms"], "input": body.get("in")}
    return written


def _budget(budget: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if budget is None else {key: budget.get(key) for key in ("usd", "tokens", "dispatches", "ms")}


def _scanned(step: dict[str, Any]) -> Iterator[str]:
    """The strings of a step that may refer to others (v1.md section 5)."""
    waiting: list[Any] = [step.get("do"), step.get("with"), step.get("when"), step.get("set")]
    fanout = step.get("fanout") or {}
    parts = [step, *fanout.get("steps", ())]
    waiting += [part.get("do") for part in parts] + [part.get("when") for part in parts]
    waiting += [item.get("expr") for part in parts for item in part.get("ensure", ())]
    waiting += [
        fanout.get("over"),
        (step.get("evaluate") or {}).get("in"),
        (step.get("iterate") or {}).get("until"),
    ]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)


# --- workflows ---


def workflow_faults(table: Table, workflow: Workflow) -> Iterator[str]:
    """Each state's rows, told as `(event, guard, target, action, judgment)`, against the merged workflow."""
    machine = table.data["machines"][0]
    names = table.data["pools"]["states"][machine["regions"][0]["states"]]["names"]
    if names != list(workflow.states) or names[machine["data"]["initial"]] != workflow.initial_state:
        yield "the states are not those of the source"
        return
    for number, name in enumerate(names):
        rows = [_told_row(table.data, names, row) for row in machine["rows"] if row[1] == number]
        if rows != list(_written_rows(workflow, name)):
            yield f"the rows of `{name}` are not those of the source"
    if machine["data"]["thresholds"] != {item.name: item.value for item in workflow.thresholds.values()}:
        yield "the thresholds are not those of the source"


def _told_row(data: dict[str, Any], names: list[str], row: list[Any]) -> tuple[Any, ...]:
    guard = None
    for kind, argument in row[3]:
        guard = names[argument] if kind == "previous" else data["pools"]["conditions"][argument]["text"]
    action = next((effect[1] for effect in row[5] if effect[0] == "action"), None)
    return row[2], guard, names[row[4]], action, ["judgment"] in row[5]


def _written_rows(workflow: Workflow, name: str) -> Iterator[tuple[Any, ...]]:
    state = workflow.states[name]
    own = [transition.event for transition in state.transitions]
    offered: list[Transition] = list(state.transitions)
    for item in workflow.global_transitions:
        if name not in item.except_ and item.transition.event not in own:
            offered.append(item.transition)
    for one in offered:
        if one.target is not None:
            yield one.event, None, one.target, one.action, one.judgment
        else:
            for resumption in workflow.resumption_targets.values():
                yield one.event, resumption.previous, resumption.target, one.action, one.judgment
    for trigger in state.triggers:
        yield "auto", trigger.condition_text, trigger.target, trigger.action, False
