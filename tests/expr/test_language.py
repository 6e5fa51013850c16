"""The whole language by example: each expression of `language.jsonl` has the outcome decided there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.expression import Value

CASES = [
    json.loads(line) for line in Path(__file__).with_name("language.jsonl").read_text("ascii").splitlines()
]
BINDINGS = {
    "input": {
        "n": 7, "s": "abc", "b": True, "z": None, "a": [1, 2, 3], "f": 0.5, "neg": -3,
        "e": [], "eo": {}, "es": "", "o": {"k": 1, "in": 2, "": 3, "é": 4, "a.b": 5},
        "big": 2**70, "aa": [[1], [1.0], [True]],
        "mixed": [1, "1", None, False, {}], "emoji": "a😀b", "e2": "e\u0301", "lone": "\ud83d",
    },
    "result": {
        "ok": True, "text": "Hello\nWorld", "n": 2, "list": ["x", "y"], "objs": [{"id": 1}, {"id": 2}],
    },
    "item": "it",
    "prev": {"p": 1},
}  # fmt: skip
KINDS = {
    "null": "null", "boolean": "true", "number": "1", "string": "'a'",
    "array": "input.a", "object": "input.o",
}  # fmt: skip
FAILS = {"fails": "type_error"}


def outcome(text: str) -> Any:
    found = stratumc.evaluate(text, BINDINGS)
    return found.value if isinstance(found, Value) else {"fails": found.code}


def same(left: Any, right: Any) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


@pytest.mark.parametrize(("text", "wanted"), CASES, ids=[f"{n}" for n in range(len(CASES))])
def test_example(text: str, wanted: Any) -> None:
    assert same(outcome(text), wanted), (text, outcome(text))


def _binary(operator: str, left: str, right: str) -> Any:
    """What `left operator right` gives for the values of KINDS."""
    both = left if left == right else None
    match operator:
        case "==" | "!=":
            return (left == right) is (operator == "==")
        case "<" | "<=" | ">" | ">=":
            return "=" in operator if both in ("number", "string") else FAILS
        case "+" if both == "string":
            return "aa"
        case "+" | "-" | "*" | "/":
            return {"+": 2, "-": 0, "*": 1, "/": 1}[operator] if both == "number" else FAILS
        case "in":
            is_member = {"array": left == "number", "string": True, "object": False}
            takes = right == "array" or (left == "string" and right in is_member)
            return is_member[right] if takes else FAILS
        case "&&":
            return True if both == "boolean" else FAILS
        case _:
            return True if left == "boolean" else FAILS


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "in", "&&", "||"])
def test_every_operator_on_every_pair_of_kinds(operator: str) -> None:
    for left, first in KINDS.items():
        for right, second in KINDS.items():
            text = f"{first} {operator} {second}"
            assert same(outcome(text), _binary(operator, left, right)), text


@pytest.mark.parametrize("kind", KINDS)
def test_every_unary_operator_and_left_operand_on_every_kind(kind: str) -> None:
    value = KINDS[kind]
    assert outcome(f"!{value}") == (False if kind == "boolean" else FAILS)
    assert outcome(f"-{value}") == (-1 if kind == "number" else FAILS)
    assert outcome(f"false && {value}") is False
    assert outcome(f"false || {value}") == (True if kind == "boolean" else FAILS)


def test_what_no_double_holds_fails() -> None:
    for text in ("input", "input > 1", "1 == input", "str(input)", "int(input)", "-input", "input in 'a'"):
        found = stratumc.evaluate(text, {"input": 10**400})
        assert getattr(found, "code", None) == "type_error", text
    assert stratumc.evaluate("input.a == 1", {"input": {"a": 1, "b": 10**400}}) == Value(True)


def test_halves_of_pairs_are_found_at_whole_code_units_only() -> None:
    def finds(item: str, text: str) -> Any:
        return stratumc.evaluate("input in result", {"input": item, "result": text})

    assert finds("\ude00", "Þa") == Value(False)
    assert finds("\ude00", "Þa😀") == Value(True)
    assert finds("\ud83d", "=Øa") == Value(False)


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        (2**53 + 1, "9007199254740992"),
        (63050394783186944, "63050394783186940"),
        (123456789012345680000, "123456789012345680000"),
        (1.2345678901234568e20, "123456789012345680000"),
        (-1e20, "-100000000000000000000"),
        (10**21, "1e+21"),
        (2**70, "1.1805916207174113e+21"),
        (1.5, "1.5"),
        (3.0, "3"),
    ],
)
def test_a_number_is_handed_out_as_javascript_prints_it(given: float, printed: str) -> None:
    for text, wanted in (("input", json.loads(printed)), ("result", [{"a": json.loads(printed)}, 1])):
        found = stratumc.evaluate(text, {"input": given, "result": [{"a": given}, 1]})
        assert isinstance(found, Value)
        assert found.value == wanted
    assert stratumc.evaluate("str(input)", {"input": given}) == Value(printed)
