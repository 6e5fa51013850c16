"""Guards hold beyond the string they stand in: for the step, for those after it, for the next stage."""

from __future__ import annotations

import json
from typing import Any

import pytest

import stratumc

CONTRACTS = {
    "P": {"n": "integer", "note": "string?", "tags": "string[]?", "q": "P2?"},
    "P2": {"label": "string?"},
    "T": {"t": "string"},
    "O": {"t": "string?"},
}
PLAN = {"id": "p", "do": "Plan.", "out": "P"}
END = {"id": "last", "set": {"t": "'x'"}, "out": "T"}
GUARD = "'note' in result.p && result.p.note != null"
SUB = {
    "input": {"a": "string"},
    "output": {"from": "${i.output}", "contract": "T"},
    "steps": [{"id": "i", "do": "x", "out": "T"}],
}


def findings(*steps: dict[str, Any], **more: Any) -> list[str]:
    main = {
        "input": {"hint": "string?", "flag": "boolean"},
        "output": {"from": "${last.output}", "contract": "T"},
        "steps": [*steps, END],
        **more,
    }
    document = {"version": 1, "contracts": CONTRACTS, "flows": {"entry": "main", "main": main, "sub": SUB}}
    result = stratumc.check(json.dumps(document), kind="spec", families=("rule", "type"))
    assert all(one.family == "type" for one in result.diagnostics), result.diagnostics
    return [f"{one.severity} {one.code} {one.path.removeprefix('flows.main.')}" for one in result.diagnostics]


def fan(over: str, *stages: dict[str, Any]) -> dict[str, Any]:
    shape = {"concurrency": 1, "isolation": "none", "require": "all", "merge": "sequential"}
    return {"id": "f", "fanout": {"over": over, "steps": list(stages), **shape}}


def step(step_id: str = "s", /, **more: Any) -> dict[str, Any]:
    return {"id": step_id, "after": ["p"], **more}


def ensured(*texts: str) -> dict[str, Any]:
    return {**PLAN, "ensure": [{"expr": text} for text in texts]}


NOTED = ensured("'note' in result && result.note != null")
SET = step(set={"t": "result.p.note"}, out="T")
CALL = {**step(run="sub"), "with": {"a": "${p.output.note}"}}


@pytest.mark.parametrize(
    "steps",
    [
        [PLAN, {**SET, "when": GUARD}],
        [PLAN, {**CALL, "when": GUARD}],
        [
            PLAN,
            {**fan("${p.output.tags}", {"do": "x"}), "when": "'tags' in result.p && result.p.tags != null"},
        ],
        [
            PLAN,
            step(
                do="x",
                out="T",
                when="'hint' in input && input.hint != null",
                ensure=[{"expr": "len(input.hint) > 1"}],
            ),
        ],
        [PLAN, step(set={"t": "input.hint"}, out="T", when="'hint' in input && input.hint != null")],
        [
            PLAN,
            step("a", do="x", out="T", when=GUARD),
            step(do="Use ${a.output.t}.", when="result.p.note < 'x'"),
        ],
        [
            PLAN,
            step("a", do="x", out="T", when=GUARD),
            step(set={"t": "result.a.t + result.p.note"}, out="T", after=["a"]),
        ],
        [
            PLAN,
            step("a", do="x", out="T", when=GUARD),
            step(do="Use ${a.output}.", when="result.p.note < 'x'"),
        ],
        [NOTED, SET],
        [NOTED, CALL],
        [NOTED, step(do="x", when="result.p.note < 'x'")],
        [NOTED, step(do="x", when="'p' in result && result.p.note < 'x'")],
        [ensured("'tags' in result", "result.tags != null"), fan("${p.output.tags}", {"do": "x"})],
        [ensured("'note' in result", "result.note != 'x'", "result.note == null || len(result.note) > 1")],
        [{**ensured("'note' in result"), "iterate": {"max": 2, "until": "result.note == 'x'"}}],
        [
            PLAN,
            fan(
                "${p.output.tags}",
                {"do": "x", "out": "O", "ensure": [{"expr": "'t' in result"}]},
                {"do": "y", "when": "prev.t == 'a'"},
            )
            | {"when": "'tags' in result.p && result.p.tags != null"},
        ],
        [
            step("a", after=[], set={"t": "'x'"}, out="O"),
            step("b", after=["a"], set={"t": "result.a.t"}, out="T"),
        ],
        [ensured("('note' in result) == true && result.note == 'x'")],
        [ensured("true == ('note' in result) && result.note == 'x'")],
        [ensured("'note' in result == false || result.note == 'x'")],
        [ensured("('note' in result) != true || result.note == 'x'")],
        [
            PLAN,
            {"id": "g", "after": ["p"], "gate": {"on_approve": "s", "on_revise": None, "on_kill": None}},
            {"id": "s", "set": {"t": "result.p.note"}, "out": "T", "when": GUARD},
        ],
        [
            ensured("'note' in result && result.note != null && 'hint' in input"),
            step(do="x", when="input.hint != 'a'"),
        ],
    ],
)
def test_what_a_guard_tells_is_known_later(steps: list[dict[str, Any]]) -> None:
    assert findings(*steps) == []


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([PLAN, SET], ["warning SET_TYPE_MISMATCH steps[1].set.t"]),
        ([PLAN, CALL], ["warning WITH_TYPE_MISMATCH steps[1].with.a"]),
        ([PLAN, {**SET, "when": "'note' in result.p"}], ["warning SET_TYPE_MISMATCH steps[1].set.t"]),
        # a step that may be skipped tells nothing to those that don't read it
        (
            [
                PLAN,
                step("a", do="x", when="'hint' in input"),
                step(do="x", after=["a"], when="input.hint != 'a'"),
            ],
            ["warning EXPR_TYPE steps[2].when"],
        ),
        # a step that may have failed over tells nothing
        (
            [
                {**NOTED, "on_fail": "r"},
                {"id": "r", "do": "x"},
                step(do="x", when="'hint' in input && input.hint == 'a'"),
                step("z", do="x", when="input.hint == 'a'"),
            ],
            ["warning EXPR_TYPE steps[3].when"],
        ),
        # the ensure of a stage holds for the item, not for the step after the fanout
        (
            [
                PLAN,
                fan("${p.output.tags}", {"do": "x", "out": "T", "ensure": [{"expr": "'hint' in input"}]})
                | {"when": "'tags' in result.p && result.p.tags != null"},
                step(do="x", after=["f"], when="input.hint == 'a'"),
            ],
            ["warning EXPR_TYPE steps[2].when"],
        ),
        # a stage that may be passed over tells nothing to the next
        (
            [
                PLAN,
                fan(
                    "${p.output.tags}",
                    {"do": "x", "out": "O"},
                    {"do": "x", "out": "O", "when": "input.flag", "ensure": [{"expr": "'t' in result"}]},
                    {"do": "y", "when": "prev.t == 'a'"},
                )
                | {"when": "'tags' in result.p && result.p.tags != null"},
            ],
            ["warning EXPR_TYPE steps[1].fanout.steps[2].when"],
        ),
        # an ensure tells nothing to one before it
        ([ensured("result.note != 'x'", "'note' in result")], ["warning EXPR_TYPE steps[0].ensure[0].expr"]),
        (
            [ensured("('note' in result) == false && result.note == 'x'")],
            ["warning EXPR_TYPE steps[0].ensure[0].expr"],
        ),
    ],
)
def test_what_no_guard_tells_is_not_known(steps: list[dict[str, Any]], expected: list[str]) -> None:
    assert findings(*steps) == expected


HINTED = {"ensure": [{"expr": "'hint' in input && input.hint != null"}]}


def asked(step_id: str, when: str, *after: str, **more: Any) -> dict[str, Any]:
    return {"id": step_id, "after": list(after), "when": when, "do": "x", "out": "T", **more}


def used(when: str, *after: str) -> dict[str, Any]:
    return {"id": "s", "after": list(after), "when": when, "set": {"t": "input.hint"}, "out": "T"}


@pytest.mark.parametrize(
    "when", ["input.flag", "result.p.n > 3 && input.flag", "matches(str(result.p.n), '1')"]
)
def test_a_step_with_the_same_condition_ran_too(when: str) -> None:
    assert findings(PLAN, asked("a", when, "p", **HINTED), used(when, "a")) == []
    between = step("b", do="x", after=["a"], when="!input.flag")
    assert findings(PLAN, asked("a", when, "p", **HINTED), between, used(f" {when}", "b")) == []


@pytest.mark.parametrize(
    "steps",
    [
        [PLAN, asked("a", "input.flag", "p", **HINTED), used("!input.flag", "a")],
        [PLAN, asked("a", "input.flag", "p", **HINTED), used("input.flag", "p")],
        # What was missing when the earlier step asked may be there for the later one.
        [PLAN, asked("a", "result.p.n > 3", **HINTED), used("result.p.n > 3", "a", "p")],
        # The file may have come in between.
        [asked("a", "file_exists('x')", **HINTED), used("file_exists('x')", "a")],
        # It may fail, and the run go on.
        [
            asked("a", "input.flag", **HINTED, on_fail="f"),
            {"id": "f", "do": "x"},
            used("input.flag", "a", "f"),
        ],
    ],
)
def test_a_step_that_may_not_have_run_tells_nothing(steps: list[dict[str, Any]]) -> None:
    assert "warning SET_TYPE_MISMATCH" in [row.split(" steps")[0] for row in findings(*steps)]
