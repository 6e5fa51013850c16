"""Random v1 documents, valid by construction, with every construct.

`specs()` draws documents without any finding of the families rule and type (`evaluate` steps have no
`out`). `support.damage` draws damaged ones.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Json = Any
Draw = st.DrawFn

_SCALARS = {
    "string": "'x'",
    "integer": "3",
    "number": "1.5",
    "boolean": "true",
    "low|mid|high": "'mid'",
}
_FIELD_TYPES = (*_SCALARS, "string[]", "(a|b)[]", "object", "array", "string?", "integer?")
_INPUT_TYPES = ("string", "integer", "boolean", "string[]")
_LITERALS: dict[str, Json] = {"string": "plain", "integer": 7, "boolean": False, "string[]": ["a", "b"]}
_FIELDS = ("text", "count", "score", "done", "level", "tags", "Notes_2", "_x")
_WORDS = ("plan", "draft", "check", "build", "review", "ship", "fix", "note")
_TEXTS = ("Do it", "Über 100% {sure}", "Costs $5.", "Line one\nline two", "Read 😀")


@dataclass
class _Flow:
    """A flow under construction; steps in an order in which every dependency comes first."""

    name: str
    contracts: dict[str, dict[str, str]]
    input: dict[str, str]
    steps: list[dict[str, Json]] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    """By step id, the contract of its output; a fanout's is written `Name[]`."""
    before: dict[str, set[str]] = field(default_factory=dict)
    """By step id, everything it depends on."""
    routed: set[str] = field(default_factory=set)

    def add(self, step: dict[str, Json], uses: set[str], out: str | None = None) -> None:
        step_id = step["id"]
        self.steps.append(step)
        self.before[step_id] = uses.union(*(self.before[used] for used in uses))
        if out is not None:
            self.outputs[step_id] = out

    @property
    def ids(self) -> list[str]:
        return [step["id"] for step in self.steps]


def _some(draw: Draw, options: list[str], most: int = 2) -> list[str]:
    chosen: list[str] = (
        draw(st.lists(st.sampled_from(options), max_size=most, unique=True)) if options else []
    )
    return chosen


@st.composite
def specs(draw: Draw, *, largest: int = 6, subflows: bool = True, carry: bool = True) -> dict[str, Json]:
    """A valid document whose flows have up to about `largest` steps."""
    contracts = _contracts(draw)
    children = [
        _flow(draw, name, contracts, [], largest=3, carry=False)
        for name in _some(draw, ["child", "sub-a", "Polish"] if subflows else [])
    ]
    main = _flow(
        draw, draw(st.sampled_from(["main", "root"])), contracts, children, largest=largest, carry=carry
    )
    flows = [*children, main]
    if draw(st.booleans()):
        flows.reverse()
    named = {flow["name"]: flow["body"] for flow in flows}
    return {"version": 1, "contracts": contracts, "flows": {"entry": main["name"], **named}}


def _contracts(draw: Draw) -> dict[str, dict[str, str]]:
    contracts: dict[str, dict[str, str]] = {}
    for name in draw(st.lists(st.sampled_from(["Plan", "Note", "Row_2"]), min_size=1, unique=True)):
        types = [*_FIELD_TYPES, *contracts, *(f"{other}[]?" for other in contracts)]
        names = draw(st.lists(st.sampled_from(_FIELDS), min_size=1, max_size=4, unique=True))
        contracts[name] = {one: draw(st.sampled_from(types)) for one in names}
    contracts["Flat"] = {"text": "string", "level": "low|mid|high", "done": "boolean", "tags": "string[]"}
    return contracts


def _flow(
    draw: Draw,
    name: str,
    contracts: dict[str, dict[str, str]],
    children: list[Json],
    *,
    largest: int,
    carry: bool,
) -> dict[str, Json]:
    names = draw(st.lists(st.sampled_from(["goal", "limit", "go", "parts"]), max_size=3, unique=True))
    inputs = {one: draw(st.sampled_from(_INPUT_TYPES)) for one in names}
    is_entry = name not in ("child", "sub-a", "Polish")
    if is_entry:
        inputs["parts"] = "string[]"
    flow = _Flow(name, contracts, inputs)
    first = {"id": "start", "do": "Begin", "out": "Flat"}
    flow.add(first, set(), "Flat")
    kinds = ["do", "set", "gate", "evaluate", *(["fanout", "run"] if is_entry else [])]
    if not children:
        kinds = [kind for kind in kinds if kind != "run"]
    for number in range(draw(st.integers(0, largest))):
        step_id = draw(st.sampled_from(_WORDS)) + draw(st.sampled_from(["", "_", "-"])) + str(number)
        _STEPS[draw(st.sampled_from(kinds))](draw, flow, step_id, children)
    _routes(draw, flow)
    body: dict[str, Json] = {"input": inputs, "output": _output(draw, flow)}
    if draw(st.booleans()) or any(step.get("gate", {}).get("on_revise") for step in flow.steps):
        body["max_rounds"] = draw(st.integers(1, 4))
    if draw(st.booleans()):
        body["budget"] = draw(st.sampled_from([{"usd": 2.5}, {"ms": 90000, "dispatches": 500}]))
    variables = _carry(draw, flow) if carry else {}
    if variables:
        body["carry"] = variables
    body["steps"] = flow.steps[::-1] if draw(st.booleans()) else flow.steps
    return {"name": name, "body": body, "input": inputs, "contract": body["output"]["contract"]}


def _output(draw: Draw, flow: _Flow) -> dict[str, str]:
    step_id = draw(st.sampled_from(list(flow.outputs)))
    contract = flow.outputs[step_id]
    index = "[0]" if contract.endswith("[]") else ""
    return {"from": f"${{{step_id}.output{index}}}", "contract": contract.removesuffix("[]")}


# --- steps ---------------------------------------------------------------------------------------


def _text(draw: Draw, flow: _Flow, uses: set[str]) -> str:
    """A rendered text with references to inputs and to the steps `uses`."""
    parts = [draw(st.sampled_from(_TEXTS))]
    parts += [f"${{input.{name}}}" for name in _some(draw, list(flow.input))]
    for step_id in sorted(uses):
        if step_id in flow.outputs and draw(st.booleans()):
            parts.append("${" + _path(draw, flow, step_id) + "}")
    return " ".join(parts)


def _path(draw: Draw, flow: _Flow, step_id: str) -> str:
    contract, way = flow.outputs[step_id], f"{step_id}.output"
    if contract.endswith("[]"):
        if draw(st.booleans()):
            return way
        contract, way = contract.removesuffix("[]"), way + "[0]"
    while contract in flow.contracts and draw(st.booleans()):
        name = draw(st.sampled_from(list(flow.contracts[contract])))
        contract, way = flow.contracts[contract][name].removesuffix("?"), f"{way}.{name}"
    return way


def _common(draw: Draw, flow: _Flow, step_id: str) -> tuple[dict[str, Json], set[str]]:
    """The fields of every step, and the steps that it comes after."""
    step: dict[str, Json] = {"id": step_id}
    after = _some(draw, flow.ids)
    if draw(st.booleans()) or after:
        step["after"] = after
    ordered = set(after).union(*(flow.before[used] for used in after))
    conditions = [
        f"len(input.{name}) > 0" for name, kind in flow.input.items() if kind in ("string", "string[]")
    ]
    conditions += [f"input.{name} > 2" for name, kind in flow.input.items() if kind == "integer"]
    conditions += [
        f"result.{one}.done" for one in sorted(ordered) if flow.outputs.get(one) == "Flat" and "-" not in one
    ]
    if conditions and draw(st.integers(0, 3)) == 0:
        step["when"] = draw(st.sampled_from(conditions))
    return step, set(after)


def _ensures(draw: Draw, contract: str | None) -> list[Json]:
    options: list[Json] = [
        {"file_exists": "out.txt"},
        {"file_contains": {"path": "out.txt", "text": "${not} scanned"}},
        {"judged": {"statement": "It is good", "stakes": "cheap"}},
    ]
    if contract == "Flat":
        options += [{"expr": "result.text != ''"}, {"expr": "result.level in 'low high' || result.done"}]
    return draw(st.lists(st.sampled_from(options), max_size=2, unique_by=json.dumps))


def _do(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    uses = after | set(_some(draw, list(flow.outputs)))
    out = draw(st.sampled_from([None, *flow.contracts]))
    step["do"] = _text(draw, flow, uses)
    step |= {} if out is None else {"out": out}
    optional: dict[str, Json] = {
        "agent": draw(st.sampled_from(["claude", "codex"])),
        "attempts": draw(st.integers(1, 3)),
        "ensure": _ensures(draw, out),
        "budget": {"tokens": 1000},
    }
    if out == "Flat":
        optional["iterate"] = {"max": 3, "until": "result.done"}
    step |= {name: optional[name] for name in _some(draw, list(optional))}
    flow.add(step, after | _read(step, flow), out)


def _set(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    plain = [
        name
        for name, fields in flow.contracts.items()
        if all(kind in _SCALARS or kind.endswith("?") for kind in fields.values())
    ]
    if not plain:
        _do(draw, flow, step_id, children)
        return
    out = draw(st.sampled_from(plain))
    step["set"] = {name: _SCALARS[kind] for name, kind in flow.contracts[out].items() if kind in _SCALARS}
    flow.add({**step, "out": out}, after, out)


def _gate(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    back = sorted(after.union(*(flow.before[used] for used in after)))
    step["gate"] = {
        "on_approve": None,
        "on_revise": draw(st.sampled_from([None, *back])),
        "on_kill": None,
        **draw(st.sampled_from([{}, {"max_rounds": 1}])),
    }
    flow.add(step, after)


def _evaluate(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    step["evaluate"] = {"command": "make ${test}", "timeout_ms": draw(st.sampled_from([1, 60000.0]))}
    if draw(st.booleans()):
        step["evaluate"]["in"] = _text(draw, flow, after)
    flow.add(step, after | _read(step, flow))


def _fanout(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    out = draw(st.sampled_from([None, *flow.contracts]))
    stages: list[dict[str, Json]] = [{"do": "Look at ${item}", "when": "item != ''"}]
    if draw(st.booleans()):
        stages.append({"do": "Then ${prev} of ${item}", "agent": "codex"})
    stages[-1] |= {} if out is None else {"out": out}
    consumer = draw(st.booleans())
    step["fanout"] = {
        "over": draw(st.sampled_from(["${input.parts}", "${start.output.tags}"])),
        "steps": stages,
        "concurrency": draw(st.integers(1, 4)),
        "isolation": draw(st.sampled_from(["worktree", "none"])),
        "require": draw(st.sampled_from(["all", "any", 2])),
        "merge": "sequential",
        **draw(st.sampled_from([{}, {"pre_merge": ["make lint ${x"]}])),
        **({"dispatch": "consumer"} if consumer else {}),
    }
    flow.add(step, after | _read(step, flow), None if out is None else f"{out}[]")
    if consumer:
        gate = {"on_approve": None, "on_revise": None, "on_kill": None}
        flow.add({"id": f"land-{step_id}", "after": [step_id], "gate": gate}, {step_id})


def _run(draw: Draw, flow: _Flow, step_id: str, children: list[Json]) -> None:
    step, after = _common(draw, flow, step_id)
    callee = draw(st.sampled_from(children))
    arguments: dict[str, Json] = {}
    for name, kind in callee["input"].items():
        arguments[name] = _text(draw, flow, after) if kind == "string" else _LITERALS[kind]
        if kind == "string[]" and draw(st.booleans()):
            arguments[name] = "${start.output.tags}"
    step |= {"run": callee["name"], "with": arguments}
    flow.add(step, after | _read(step, flow), callee["contract"])


_STEPS = {"do": _do, "set": _set, "gate": _gate, "evaluate": _evaluate, "fanout": _fanout, "run": _run}


def _read(step: dict[str, Json], flow: _Flow) -> set[str]:
    text = json.dumps({key: value for key, value in step.items() if key != "ensure"})
    return {one for one in flow.ids if "${" + one + ".output" in text}


def _routes(draw: Draw, flow: _Flow) -> None:
    """Recovery steps, and routes that lead to them; nothing depends on a recovery step."""
    routers = [step for step in flow.steps if not step["id"].startswith("land-") and step["id"] != "start"]
    for number, router in enumerate(routers):
        key = draw(st.sampled_from([None, None, "on_fail", "on_approve", "on_kill"]))
        if (
            key is None
            or (key == "on_fail") != ("gate" not in router)
            or "set" in router
            or "evaluate" in router
        ):
            continue
        target = f"rescue{number}"
        (router if key == "on_fail" else router["gate"])[key] = target
        flow.add({"id": target, "do": "Recover"}, set())
        flow.routed.add(target)


# --- carry ---------------------------------------------------------------------------------------


def _carry(draw: Draw, flow: _Flow) -> dict[str, Json]:
    variables: dict[str, Json] = {}
    for name in _some(draw, ["wave", "todo-2"]):
        initial = draw(st.sampled_from(["${input.parts}", "${start.output.tags}"]))
        readers = []
        for step in flow.steps:
            early = initial.startswith("${start") and "start" not in flow.before[step["id"]]
            if "do" in step and step["id"] not in flow.routed and step["id"] != "start" and not early:
                readers.append(step)
        chosen = _some(draw, [step["id"] for step in readers])
        for step in readers:
            if step["id"] in chosen:
                step["do"] += f" ${{{name}}} ${{{name}[0]}}"
        writers = [step for step in flow.steps if _may_write(flow, step, set(chosen))]
        value = draw(st.sampled_from(["${input.parts}", "${start.output.tags}"]))
        on_revise = {step["id"]: value for step in writers if draw(st.booleans())}
        variables[name] = {"initial": initial, **({"on_revise": on_revise} if on_revise else {})}
    return variables


def _may_write(flow: _Flow, step: dict[str, Json], readers: set[str]) -> bool:
    target = step.get("gate", {}).get("on_revise")
    if target is None or not readers <= flow.before[step["id"]]:
        return False
    return all(reader == target or target in flow.before[reader] for reader in readers)
