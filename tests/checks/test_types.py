"""What the type checks know of flows: outputs, orders, stages, carry variables; and where they point."""

from __future__ import annotations

import json
from typing import Any

import pytest

import stratumc
from stratumc.diagnostics import Diagnostic

CONTRACTS = {
    "Note": {"text": "string", "n": "integer", "tags": "string[]", "by": "Person?"},
    "Person": {"name": "string"},
}


def flow(
    *steps: dict[str, Any], source: str = "${last.output}", contract: str = "Note", **more: Any
) -> dict[str, Any]:
    inputs = more.pop("input", {"topic": "string", "wave": "string[]?"})
    return {"input": inputs, "output": {"from": source, "contract": contract}, "steps": list(steps), **more}


def do(step_id: str, task: str = "Work.", **more: Any) -> dict[str, Any]:
    return {"id": step_id, "do": task, "out": "Note", **more}


def fan(
    step_id: str, over: str, *stages: dict[str, Any], require: str = "all", **more: Any
) -> dict[str, Any]:
    fanout = {
        "over": over,
        "steps": list(stages),
        "concurrency": 1,
        "isolation": "none",
        "require": require,
        "merge": "sequential",
    }
    return {"id": step_id, "fanout": fanout, **more}


def check(*steps: dict[str, Any], flows: dict[str, Any] | None = None, **more: Any) -> list[Diagnostic]:
    document = {
        "version": 1,
        "contracts": CONTRACTS,
        "flows": {"entry": "main", "main": flow(*steps, do("last"), **more), **(flows or {})},
    }
    result = stratumc.check(json.dumps(document), kind="spec", families=("type",))
    return [one for one in result.diagnostics if one.family == "type"]


def codes(*steps: dict[str, Any], **more: Any) -> list[str]:
    return [f"{one.severity} {one.code}" for one in check(*steps, **more)]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("result.work[0].n > 1", []),
        ("len(result.work) > 1", []),
        ("result.work.n > 1", ["error EXPR_TYPE"]),
        ("result.work[0].m > 1", ["error EXPR_TYPE"]),
    ],
)
def test_the_output_of_a_fanout_is_an_array_of_the_last_stage(when: str, expected: list[str]) -> None:
    stages = {"do": "a"}, {"do": "b", "out": "Note"}
    assert (
        codes(do("plan"), fan("work", "${plan.output.tags}", *stages), do("x", after=["work"], when=when))
        == expected
    )


def test_a_fanout_that_may_lack_items_has_nulls_in_their_place() -> None:
    stage = {"do": "b", "out": "Note"}
    reader = do("x", after=["work"], when="result.work[0].n > 1")
    assert codes(do("plan"), fan("work", "${plan.output.tags}", stage, require="any"), reader) == [
        "warning EXPR_TYPE"
    ]
    guarded = do("x", after=["work"], when="result.work[0] != null && result.work[0].n > 1")
    assert codes(do("plan"), fan("work", "${plan.output.tags}", stage, require="any"), guarded) == []


def test_prev_is_the_last_output_of_the_stages_that_were_not_passed_over() -> None:
    contracts = {"do": "a", "out": "Person"}, {"do": "b", "out": "Note", "when": "item != ''"}
    reads_both = {
        "do": "c",
        "ensure": [{"expr": "prev.name != 'x'"}, {"expr": "prev.n > 1"}, {"expr": "prev.z == 1"}],
    }
    found = codes(do("plan"), fan("work", "${plan.output.tags}", *contracts, reads_both))
    assert found == ["warning EXPR_TYPE", "warning EXPR_TYPE", "error EXPR_TYPE"]


def test_items_and_carry_variables_have_the_types_of_their_sources() -> None:
    stage = {"do": "a", "out": "Note", "ensure": [{"expr": "item > 1"}]}
    carry = {"wave": {"initial": "${plan.output.tags}", "on_revise": {"ok": "${plan.output.tags}"}}}
    gate = {"id": "ok", "after": ["work"], "gate": {"on_approve": None, "on_revise": "work", "on_kill": None}}
    steps = do("plan"), fan("work", "${wave}", stage, after=["plan"]), gate
    assert codes(*steps, carry=carry, max_rounds=2) == ["error EXPR_TYPE"]
    both = {"wave": {"initial": "${input.wave}", "on_revise": {"ok": "${plan.output.tags}"}}}
    assert codes(*steps, carry=both, max_rounds=2) == ["warning FANOUT_OVER_NOT_ARRAY", "error EXPR_TYPE"]


def test_items_of_a_carry_variable_are_of_any_of_its_sources() -> None:
    carry = {"wave": {"initial": "${plan.output.tags}", "on_revise": {"ok": "${input.sizes}"}}}
    inputs = {"topic": "string", "sizes": "integer[]"}
    gate = {"id": "ok", "after": ["work"], "gate": {"on_approve": None, "on_revise": "work", "on_kill": None}}

    def said(when: str) -> list[str]:
        stage = {"do": "a", "when": when}
        steps = do("plan"), fan("work", "${wave}", stage, after=["plan"]), gate
        return [one.message for one in check(*steps, carry=carry, max_rounds=2, input=inputs)]

    assert said("item == 'x' || item == 1") == []
    assert said("item > 1") == ["`item` may be a string, but `>` takes two numbers or two strings"]
    assert said("item > 'x'") == ["`item` may be an integer, but `>` takes two numbers or two strings"]
    assert said("item.x == 1") == ["`item` is a string or an integer, but `.x` needs an object"]


def test_the_output_of_a_subflow_is_what_it_declares() -> None:
    callee = flow(do("inner"), source="${inner.output.by}", contract="Person", input={"who": "Person"})
    call = {"id": "call", "run": "sub", "with": {"who": {"name": 3, "age": 4}}}
    reader = do("x", after=["call"], when="result.call.name == 'a' && result.call.n == 1")
    found = check(do("plan"), call, reader, flows={"sub": callee})
    assert [(one.code, one.severity, one.path) for one in found] == [
        ("WITH_TYPE_MISMATCH", "error", "flows.main.steps[1].with.who.name"),
        ("WITH_TYPE_MISMATCH", "error", "flows.main.steps[1].with.who.age"),
        ("EXPR_TYPE", "warning", "flows.main.steps[2].when"),
        ("OUTPUT_TYPE_MISMATCH", "warning", "flows.sub.output.from"),
    ]


def test_values_inside_literal_lists_and_objects_are_judged_one_by_one() -> None:
    callee = flow(do("last"), input={"tags": "string[]", "who": "Person", "any": "object"})
    call = {
        "id": "call",
        "run": "sub",
        "with": {"tags": ["a", 1, "${plan.output.n}"], "who": {}, "any": {"x": 1}},
    }
    found = check(do("plan"), call, flows={"sub": callee})
    assert [one.path for one in found] == [
        f"flows.main.steps[1].with.{end}" for end in ("tags[1]", "tags[2]", "who")
    ]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([do("a"), do("b", when="result.a.n > 1")], ["warning EXPR_STEP_NOT_ORDERED"]),
        ([do("a"), do("b", after=["a"], when="result.a.n > 1")], []),
        ([do("a"), do("b", "Use ${a.output.n}.", when="result.a.n > 1")], []),
        ([do("a", on_fail="b"), do("b", when="'a' in result && result.a.n > 1")], []),
        ([do("a", when="result.b.n > 1"), do("b", after=["a"])], ["error EXPR_STEP_NOT_ORDERED"]),
        ([do("a", when="result.a.n > 1")], ["error EXPR_STEP_NOT_ORDERED"]),
        ([do("a"), do("b", when="'a' in result && result.a.n > 1")], []),
        ([do("a"), do("b", when="result.a.n > 1 || result.a.text == ''")], ["warning EXPR_STEP_NOT_ORDERED"]),
    ],
)
def test_only_what_is_ordered_before_is_there(steps: list[dict[str, Any]], expected: list[str]) -> None:
    assert codes(*steps) == expected


def test_an_evaluate_step_without_a_contract_returns_what_checkers_print() -> None:
    probe = {"id": "probe", "evaluate": {"command": "make", "timeout_ms": 1}}
    assert codes(probe, do("a", after=["probe"], when="result.probe.status == 'open'")) == []
    assert codes(probe, do("a", after=["probe"], when="result.probe.status == 'opened'")) == [
        "error ENUM_VALUE_UNKNOWN"
    ]
    assert codes(probe, do("a", after=["probe"], when="result.probe.verdict")) == ["error EXPR_TYPE"]


def test_what_is_unknown_gives_silence() -> None:
    untyped = {"id": "free", "do": "Anything."}
    assert codes(untyped, do("a", after=["free"], when="result.free.x.y[3] > 2")) == []
    assert codes(do("a", out="Nope", ensure=[{"expr": "result.x > 1"}])) == []
    assert codes(do("a", "Use ${b.output.q}", when="result.b.n")) == ["error EXPR_UNKNOWN_STEP"]


def test_places_lie_inside_strings_of_every_style() -> None:
    text = """\
version: 1
contracts: {Note: {text: string}}
flows:
  entry: main
  main:
    input: {}
    output: {from: "${a.output}", contract: Note}
    steps:
      - id: a
        do: Go.
        out: Note
        ensure:
          - expr: result.txt == 'é'
          - expr: 'result.text == ''a'' && result.txt == ''😀'''
          - expr: "\\u0072esult.text == \\"x\\" && result.txt != \\"\\""
          - expr: |
              result.text == ''
                || result.txt == ''
          - expr: >-
              result.text == 'b'
              || result.txt == ''
"""
    found = [one for one in stratumc.check(text, kind="spec").diagnostics if one.code == "EXPR_TYPE"]
    lines = text.split("\n")
    assert [lines[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1] for one in found] == [
        "txt"
    ] * 5


def test_long_flows_and_deep_or_circular_contracts() -> None:
    chain = [
        do("s0"),
        *(do(f"s{i}", after=[f"s{i - 1}"], when=f"result.s{i - 1}.n > 0") for i in range(1, 1000)),
    ]
    assert codes(*chain) == []
    shared = {f"A{i}": {"f": f"A{i + 1}", "g": f"A{i + 1}"} for i in range(200)} | {"A200": {"v": "string"}}
    copies = {f"B{i}": {"f": f"B{i + 1}", "g": f"B{i + 1}"} for i in range(200)} | {"B200": {"v": "string"}}
    circle = {"C": {"c": "C?", "n": "integer"}}
    document = {
        "version": 1,
        "contracts": {**shared, **copies, **circle},
        "flows": {
            "entry": "main",
            "main": flow(
                {"id": "a", "do": "x", "out": "A0"},
                {"id": "c", "do": "x", "out": "C", "ensure": [{"expr": "result.c.c.c.n > 'x'"}]},
                source="${a.output}",
                contract="B0",
            ),
        },
    }
    found = [
        one for one in stratumc.check(json.dumps(document), kind="spec").diagnostics if one.family == "type"
    ]
    assert [one.code for one in found] == ["EXPR_TYPE"]
