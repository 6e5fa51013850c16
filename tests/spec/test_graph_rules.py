"""The rules about edges, gates and carry variables, compared with their definitions on small random flows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc import check
from support.spec_texts import Faults, faults

IDS = ("a", "b", "c", "d", "e")
Pairs = list[tuple[str, str, str]]
"""Edges in the order of the document: source, target, and the path of what makes the edge."""


@dataclass(frozen=True)
class Case:
    """A flow, with its edges written down beside it."""

    steps: list[dict[str, Any]]
    carry: dict[str, Any]
    dependencies: Pairs
    all_edges: Pairs


@st.composite
def cases(draw: st.DrawFn) -> Case:
    ids = IDS[: draw(st.integers(2, 5))]
    gates = [name for name in ids if draw(st.integers(0, 2)) == 0]
    tasks = [name for name in ids if name not in gates]
    steps, dependencies, edges = [], [], []
    for index, name in enumerate(ids):
        others = [other for other in ids if other != name]
        other = st.sampled_from(others)
        at = f"flows.main.steps[{index}]"
        step: dict[str, Any] = {"id": name, "after": draw(st.lists(other, max_size=2))}
        own = [(source, name, f"{at}.after[{n}]") for n, source in enumerate(step["after"])]
        routes: Pairs = []
        if name in gates:
            gate = {key: draw(st.none() | other) for key in ("on_approve", "on_revise", "on_kill")}
            step["gate"] = gate
            routes = [
                (name, target, f"{at}.gate.{route}")
                for route in ("on_approve", "on_kill")
                if (target := gate[route]) is not None
            ]
            edges += own + routes
        else:
            reads = draw(
                st.lists(st.sampled_from([one for one in tasks if one != name] or ["input"]), max_size=1)
            )
            step |= {"out": "Note", "do": " ".join(f"${{{one}.output}}" for one in reads if one != "input")}
            read = [(one, name, f"{at}.do") for one in reads if one != "input"]
            if draw(st.integers(0, 2)) == 0:
                step["on_fail"] = draw(other)
                routes = [(name, step["on_fail"], f"{at}.on_fail")]
            edges += own + routes + read
            own = own + read
            step["do"] += draw(st.sampled_from(["", "", " ${wave}"]))
        dependencies += own
        steps.append(step)
    source = draw(st.sampled_from(["${input.topic}", *(f"${{{name}.output}}" for name in tasks)]))
    writers = draw(st.lists(st.sampled_from(gates), unique=True)) if gates else []
    carry = {"wave": {"initial": source, "on_revise": dict.fromkeys(writers, "${input.topic}")}}
    return Case(steps, carry, dependencies, edges)


def reached(edges: Pairs) -> set[tuple[str, str]]:
    """Every pair of steps of which the first leads to the second, and each step with itself."""
    pairs = {(name, name) for name in IDS} | {(source, target) for source, target, _ in edges}
    while True:
        more = {(one, last) for one, middle in pairs for start, last in pairs if middle == start}
        if more <= pairs:
            return pairs
        pairs |= more


def circles(edges: Pairs) -> Faults:
    found = set()
    for index, (source, target, path) in enumerate(edges):
        before, after = reached(edges[:index]), reached(edges[: index + 1])
        if (target, source) in after and not {(source, target), (target, source)} <= before:
            found.add(("ROUTING_CYCLE", path))
    return found


def expected(case: Case) -> Faults:
    """Sections 6 to 8 of v1.md, word for word."""
    found = circles(case.all_edges)
    leads, depends = reached(case.all_edges), reached(case.dependencies)
    steps = {step["id"]: step for step in case.steps}
    place = {step["id"]: f"flows.main.steps[{index}]" for index, step in enumerate(case.steps)}
    for name, step in steps.items():
        target = step.get("gate", {}).get("on_revise")
        if target is not None and (target, name) not in leads:
            found.add(("GATE_REVISE_NOT_ANCESTOR", f"{place[name]}.gate.on_revise"))
    wave = case.carry["wave"]
    readers = [name for name, step in steps.items() if "${wave}" in step.get("do", "")]
    source = wave["initial"][2:-1].split(".")[0]
    routed = {target for source, target, path in case.all_edges if "after" not in path and ".do" not in path}
    if source in routed:
        found.add(("CARRY_INITIAL_SOURCE_CONDITIONAL", "flows.main.carry.wave.initial"))
    for reader in readers:
        if source != "input" and (reader == source or (source, reader) not in depends):
            found.add(("CARRY_REF_BEFORE_INITIAL", f"{place[reader]}.do"))
    for gate in wave["on_revise"]:
        path = f"flows.main.carry.wave.on_revise.{gate}"
        target = steps[gate]["gate"]["on_revise"]
        if target is None:
            found.add(("CARRY_REVISE_TARGET_NULL", path))
            continue
        if any((target, reader) not in leads for reader in readers):
            found.add(("CARRY_REVISE_MISSES_CONSUMER", path))
        if any((reader, gate) not in depends for reader in readers):
            found.add(("CARRY_REVISE_GATE_NOT_AFTER_CONSUMER", path))
    return found


@given(cases())
@settings(max_examples=300)
def test_the_rules_say_what_their_definitions_say(case: Case) -> None:
    flow: dict[str, Any] = {
        "input": {"topic": "string"},
        "output": {"from": "${last.output}", "contract": "Note"},
        "steps": [*case.steps, {"id": "last", "do": "Finish", "out": "Note"}],
        "max_rounds": 2,
        "carry": case.carry,
    }
    spec = {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": {"entry": "main", "main": flow}}
    assert faults(json.dumps(spec)) == expected(case)


def test_circles_of_contracts_are_cut_short() -> None:
    """Each is told with its first fields only, so that what is written grows with the text alone."""
    count = 60
    contracts = {f"C{n}": {"next": f"C{(n + 1) % count}", "first": "C0"} for n in range(count)}
    step = {"id": "a", "do": "x", "out": "C0"}
    flow = {"input": {}, "output": {"from": "${a.output}", "contract": "C0"}, "steps": [step]}
    text = json.dumps({"version": 1, "contracts": contracts, "flows": {"entry": "main", "main": flow}})
    found = check(text, kind="spec", families=("rule",)).diagnostics
    assert {one.code for one in found} == {"CONTRACT_RECURSIVE_REF"}
    assert len(found) == count + 1
    assert max(len(one.related) for one in found) == 8
    assert found[-1].message.endswith("`C7.next` → … → `C59.first`")
