"""What the type checks suggest to somebody who wrote an expression of another language, or a word wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

import stratumc

CONTRACTS = {
    "A": {"s": "string", "n": "integer", "l": "string[]", "e": "red|green", "os": "string?", "sub": "P"},
    "P": {"name": "string", "age": "integer"},
}


def suggestions(*steps: dict[str, Any]) -> list[tuple[str, str | None]]:
    flow = {
        "input": {"s": "string", "n": "integer", "ps": "P[]"},
        "output": {"from": "${a.output}", "contract": "A"},
        "steps": [{"id": "a", "do": "x", "out": "A"}, {"id": "b-c", "do": "y", "out": "A"}, *steps],
    }
    document = {"version": 1, "contracts": CONTRACTS, "flows": {"entry": "main", "main": flow}}
    result = stratumc.check(json.dumps(document), kind="spec", families=("rule", "type"))
    return [(one.code, one.suggestion) for one in result.diagnostics]


@pytest.mark.parametrize(
    ("when", "code", "suggestion"),
    [
        ("result.a.sz == 'x'", "EXPR_TYPE", None),
        ("result.a.sub.agee > 1", "EXPR_TYPE", "did you mean `age`?"),
        ("result.a.output.n > 1", "EXPR_TYPE", "leave `.output` out: `result.a` is the output"),
        ("result.a.l.count > 1", "EXPR_TYPE", "write `len(result.a.l)`"),
        ("result.a.e == 'rde'", "ENUM_VALUE_UNKNOWN", "did you mean `red`?"),
        ("result.a.e == 'z'", "ENUM_VALUE_UNKNOWN", "its values are `red`, `green`"),
        ("result.a.e == red", "EXPR_UNKNOWN_NAME", "quote it: `'red'`"),
        ("True", "EXPR_UNKNOWN_NAME", "write `true`"),
        ("result.a.s == undefined", "EXPR_UNKNOWN_NAME", "write `null`"),
        ("inputs.n > 1", "EXPR_UNKNOWN_NAME", "did you mean `input`?"),
        ("steps.a.n > 1", "EXPR_UNKNOWN_NAME", "the names bound here are `input`, `result`"),
        ("a.n > 1", "EXPR_UNKNOWN_NAME", "write `result.a`, which is the step's output"),
        (
            "result.b-c.n > 1",
            "EXPR_UNKNOWN_NAME",
            "`b-c` can't be written after `result.`; an id without a hyphen can",
        ),
        ("result.aa.n > 1", "EXPR_UNKNOWN_STEP", None),
        ("not(result.a.n > 1)", "EXPR_UNKNOWN_FUNCTION", "write `!(result.a.n > 1)`"),
        ("contains(result.a.s, 'x')", "EXPR_UNKNOWN_FUNCTION", 'write `"x" in result.a.s`'),
        ("size(result.a.l) > 1", "EXPR_UNKNOWN_FUNCTION", "did you mean `len`?"),
        ("length(result.a.s) > 1", "EXPR_UNKNOWN_FUNCTION", "did you mean `len`?"),
        ("mtaches(result.a.s, 'x')", "EXPR_UNKNOWN_FUNCTION", "did you mean `matches`?"),
        ("lower(result.a.s) == 'x'", "EXPR_UNKNOWN_FUNCTION", None),
        ("min(result.a.n, 3) > 1", "EXPR_ARITY", "`min` takes one array"),
        ("len(result.a.s, 3) > 1", "EXPR_ARITY", None),
        (
            "result.a.os == 'x'",
            "EXPR_TYPE",
            "guard it with `'os' in result.a && result.a.os != null && …`",
        ),
        ("item == 1", "EXPR_UNKNOWN_NAME", "`item` is bound in the stages of a fanout"),
        ("${a.output.n} > 1", "EXPR_SYNTAX", "in an expression this is written `result.a.n`, without `${…}`"),
        (
            "${b-c.output.n} > 1",
            "EXPR_SYNTAX",
            "an expression can't name a step whose id has a hyphen; rename it and read `result.<id>`",
        ),
        ("${input.n} > 1", "EXPR_SYNTAX", "in an expression this is written `input.n`, without `${…}`"),
    ],
)
def test_a_condition(when: str, code: str, suggestion: str | None) -> None:
    step = {"id": "q", "do": "x", "after": ["a", "b-c"], "when": when}
    assert suggestions(step) == [(code, suggestion)]


def test_prev_in_the_first_stage() -> None:
    fanout = {
        "over": "${input.ps}",
        "steps": [{"do": "x", "when": "prev == null"}],
        "concurrency": 1,
        "isolation": "none",
        "require": "all",
        "merge": "sequential",
    }
    assert suggestions({"id": "f", "fanout": fanout}) == [
        ("EXPR_UNKNOWN_NAME", "`prev` is bound in the stages of a fanout after the first")
    ]
