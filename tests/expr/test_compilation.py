"""The compiled form of expressions, which tables carry."""

from __future__ import annotations

import json

from hypothesis import given, settings

from stratum_runtime.expression import Failure, evaluate
from stratumc.expr import Expression, compile_expression, compile_text
from support.expressions import TREES


def test_the_form_is_postfix_with_places() -> None:
    assert compile_text("result.score >= 0.8 && !input.dry") == {
        "ops": [
            ["name", "result"],
            ["member", "score"],
            ["const", 0.8],
            [">="],
            ["and", 4],
            ["name", "input"],
            ["member", "dry"],
            ["not"],
            ["bool"],
        ],
        "at": [0, 7, 16, 0, 0, 24, 30, 23, 23],
    }


def test_calls_indexes_and_whole_numbers() -> None:
    assert compile_text("len(item[2]) == 3.0")["ops"] == [
        ["name", "item"],
        ["index", 2],
        ["call", "len", 1],
        ["const", 3],
        ["=="],
    ]


def test_what_does_not_parse_always_fails() -> None:
    compiled = compile_text("result.ok = true")
    assert compiled == {"fails": {"code": "parse_error", "message": "`=` is written `==` (character 11)"}}
    assert evaluate(compiled, {"result": {"ok": True}}) == Failure(
        "parse_error", "`=` is written `==` (character 11)"
    )


@settings(max_examples=200)
@given(TREES)
def test_every_instruction_has_a_place_and_json_keeps_the_form(node: Expression) -> None:
    compiled = compile_expression(node)
    assert len(compiled["ops"]) == len(compiled["at"])
    assert json.loads(json.dumps(compiled)) == compiled


def test_long_chains_compile_and_run() -> None:
    assert evaluate(compile_text("||".join(["false"] * 2047 + ["true"])), {}).value is True  # type: ignore[union-attr]
    assert evaluate(compile_text("-".join(["1"] * 2048)), {}).value == -2046  # type: ignore[union-attr]
    nested = "true"
    for _ in range(128):
        nested = f"(true && {nested})"
    assert evaluate(compile_text(nested), {}).value is True  # type: ignore[union-attr]
