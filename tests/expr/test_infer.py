"""The faults and types that inference finds, guard by guard."""

from __future__ import annotations

import pytest

from stratumc.expr import Binary, Expression, parse
from stratumc.expr.infer import infer
from stratumc.expr.outcome import Scope, Use
from stratumc.expr.types import INTEGER, Type, describe
from support.expressions import REPORT

SCOPE = Scope({"result": Type(objects=(REPORT,)), "input": INTEGER})


def faults(text: str, use: Use = Use.VALUE) -> list[str]:
    tree = parse(text)
    assert isinstance(tree, Expression)
    return [
        f"{'' if one.is_certain else 'maybe '}{one.code} {text[one.start : one.end]}"
        for one in infer(tree, SCOPE, use).faults
    ]


@pytest.mark.parametrize(
    "text",
    [
        "result.n + 1 > 2 && result.ok",
        "'note' in result && result.note != null && len(result.note) > 3",
        "!('note' in result) || result.note == null || len(result.note) > 3",
        "!('note' in result && result.note == null) || result.n == 1",
        "'note' in result && bool(result.note) && result.note < 'b'",
        "'maybe' in result && result.maybe != null && 'label' in result.maybe && result.maybe.label == null",
        "'x' in result && (result.x == 0.5 || result.x == null || result.x > 3)",
        "'rank' in result && result.rank == 'low' && result.rank + '!' == 'low!'",
        "result.meta.a.b.c > 3 && len(result.meta.list) > 0",
        "'a' in result.meta && result.meta.a == 1",
        "true || result.nope",
        "false && result.nope == 1",
        "result.kind == 'a' || result.kind == 'a'",
        "str(result.kind) + str(result.n) + str(null) == ''",
        "result.n == 'a' || result.text == null || result.tags == 3",
        "'low' in result.tags && 'a' in result.text",
        "min(result.tags) < max(result.tags)",
    ],
)
def test_nothing_to_find(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("result.nope", ["EXPR_TYPE nope"]),
        ("result.ok && result.nope", ["maybe EXPR_TYPE nope"]),
        ("result.n.x", ["EXPR_TYPE result.n"]),
        ("result.tags.x", ["EXPR_TYPE result.tags"]),
        ("result.text[0]", ["EXPR_TYPE result.text"]),
        ("result.n && true", ["EXPR_TYPE result.n"]),
        ("!result.text", ["EXPR_TYPE result.text"]),
        ("-result.ok", ["EXPR_TYPE result.ok"]),
        ("result.n < result.text", ["EXPR_TYPE result.n < result.text"]),
        ("result.ok < true", ["EXPR_TYPE result.ok", "EXPR_TYPE true"]),
        ("result.n + 'a'", ["EXPR_TYPE result.n + 'a'"]),
        ("result.n * null", ["EXPR_TYPE null"]),
        ("1 / 0", ["EXPR_TYPE 0"]),
        ("1 in result.n", ["EXPR_TYPE result.n"]),
        ("1 in result.text", ["EXPR_TYPE 1"]),
        ("'constructor' in result", ["EXPR_TYPE 'constructor'"]),
        ("len(result.n)", ["EXPR_TYPE result.n"]),
        ("any(result.text)", ["EXPR_TYPE result.text"]),
        ("int(result.tags)", ["EXPR_TYPE result.tags"]),
        ("len(result.note)", ["maybe EXPR_TYPE note"]),
        ("result.note != null && len(result.note) > 3", ["maybe EXPR_TYPE note"]),
        ("'note' in result && len(result.note) > 3", ["maybe EXPR_TYPE result.note"]),
        ("'note' in result || len(result.note) > 3", ["maybe EXPR_TYPE note"]),
        ("result.maybe.label == 'a'", ["maybe EXPR_TYPE maybe", "maybe EXPR_TYPE label"]),
        ("result.kind == 'd'", ["ENUM_VALUE_UNKNOWN 'd'"]),
        ("'mid' != result.rank", ["maybe EXPR_TYPE rank", "ENUM_VALUE_UNKNOWN 'mid'"]),
        ("reslt.n", ["EXPR_UNKNOWN_NAME reslt"]),
        ("item", ["EXPR_UNKNOWN_NAME item"]),
        ("lenn(result.text)", ["EXPR_UNKNOWN_FUNCTION lenn(result.text)"]),
        ("max(1, 2)", ["EXPR_ARITY max(1, 2)"]),
        ("matches(result.text, 'a++')", ["PATTERN_REJECTED 'a++'"]),
        ("matches(result.text, '" + "a" * 257 + "')", ["PATTERN_REJECTED '" + "a" * 257 + "'"]),
        ("nope - result.text > 1", ["EXPR_UNKNOWN_NAME nope"]),
    ],
)
def test_each_fault_once_and_where(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("text", "use", "expected"),
    [
        ("result.n", Use.PREDICATE, ["EXPR_NOT_BOOLEAN result.n"]),
        ("result.n", Use.CONDITION, ["EXPR_NOT_BOOLEAN result.n"]),
        ("result.n", Use.VALUE, []),
        ("'flag' in result && result.flag", Use.PREDICATE, ["maybe EXPR_TYPE result.flag"]),
        ("result.flag", Use.PREDICATE, ["maybe EXPR_TYPE flag"]),
        ("result.meta.a", Use.PREDICATE, []),
        ("result.nope", Use.PREDICATE, ["EXPR_TYPE nope"]),
    ],
)
def test_what_the_value_is_for(text: str, use: Use, expected: list[str]) -> None:
    assert faults(text, use) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("result.n * 2 - 1", "an integer"),
        ("result.n / 2", "a number"),
        ("result.n * 0.5", "a number"),
        ("int(result.n / 2)", "an integer"),
        ("result.kind", "one of `a`, `b`, `c`"),
        ("result.kind + '!'", "a string"),
        ("result.tags", "an array of strings"),
        ("result.inner", "an `Inner`"),
        ("result.meta", "an object"),
        ("result.meta.x", "any value"),
        ("max(result.tags)", "a string"),
        ("'ok' in result", "a boolean"),
    ],
)
def test_types(text: str, expected: str) -> None:
    tree = parse(text)
    assert isinstance(tree, Expression)
    assert describe(infer(tree, SCOPE).type) == expected


def test_parts_have_types_narrowed_by_their_guards() -> None:
    tree = parse("'note' in result && result.note != null && result.note == 'x'")
    assert isinstance(tree, Binary)
    assert isinstance(tree.right, Binary)
    typing = infer(tree, SCOPE)
    assert describe(typing.type_of(tree.right.left)) == "a string"
    assert describe(typing.type_of(tree)) == "a boolean"


def test_long_chains_and_deep_nesting_do_not_recurse() -> None:
    chain = parse(" && ".join(["result.ok"] * 1300))
    assert isinstance(chain, Binary)
    assert infer(chain, SCOPE).faults == ()
    nested = "result.ok"
    for _ in range(128):
        nested = f"(true && result.n == 1 * 1 + 2 || {nested})"
    tree = parse(nested)
    assert isinstance(tree, Binary)
    assert infer(tree, SCOPE).faults == ()
