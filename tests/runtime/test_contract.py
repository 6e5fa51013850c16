"""Contracts: every violation, with its kind and place."""

from __future__ import annotations

from typing import Any

import pytest

from stratum_runtime.contract import ABSENT, type_text, violations

CONTRACTS: list[dict[str, Any]] = [
    {
        "name": "All",
        "fields": [
            ["s", "string", False],
            ["n", "number", False],
            ["i", "integer", False],
            ["b", "boolean", False],
            ["o", "object", True],
            ["l", ["array", ["array", "integer"]], True],
            ["e", ["enum", ["low", "high"]], True],
            ["kid", ["contract", 1], True],
            ["kids", ["array", ["contract", 1]], True],
        ],
    },
    {"name": "Kid", "fields": [["text", "string", False], ["more", "string", True]]},
]
GOOD: dict[str, Any] = {"s": "", "n": 0.5, "i": 3.0, "b": False}


def told(value: Any, contract: int = 0) -> list[str]:
    return [f"{one.kind}:{one.path}" for one in violations(CONTRACTS, contract, value)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"o": None, "l": None, "e": None, "kid": None}, []),
        ({"s": None}, ["wrong:s"]),
        ({"s": 1}, ["wrong:s"]),
        ({"n": True}, ["wrong:n"]),
        ({"n": 10**400}, []),
        ({"n": float("nan")}, ["wrong:n"]),
        ({"i": 0.5}, ["wrong:i"]),
        ({"i": True}, ["wrong:i"]),
        ({"b": 0}, ["wrong:b"]),
        ({"o": []}, ["wrong:o"]),
        ({"o": {"any": [1]}}, []),
        ({"l": [[1], [2, 0.5], 3]}, ["wrong:l[1][1]", "wrong:l[2]"]),
        ({"e": "high"}, []),
        ({"e": "High"}, ["wrong:e"]),
        ({"e": ["low"]}, ["wrong:e"]),
        ({"kid": {}}, ["missing:kid.text"]),
        ({"kid": {"text": "", "extra": 1}}, ["extra:kid.extra"]),
        ({"kids": [{"text": "a"}, {"text": 1, "x": 2}]}, ["extra:kids[1].x", "wrong:kids[1].text"]),
        ({"x": 1}, ["extra:x"]),
    ],
)
def test_violations(change: dict[str, Any], expected: list[str]) -> None:
    assert sorted(told({**GOOD, **change})) == sorted(expected)


def test_a_missing_required_field() -> None:
    assert told({"n": 1, "i": 1, "b": True}) == ["missing:s"]


@pytest.mark.parametrize(
    ("value", "expected"), [(ABSENT, "missing:"), (None, "wrong:"), ([], "wrong:"), ("x", "wrong:")]
)
def test_a_whole_value_that_is_no_object(value: Any, expected: str) -> None:
    assert told(value, 1) == [expected]


def test_violations_say_what_was_expected_and_found() -> None:
    found = violations(CONTRACTS, 0, {**GOOD, "i": 1.5, "l": "x", "kid": 3, "e": 1})
    assert [(one.path, one.expected, one.found) for one in found] == [
        ("i", "integer", "number"),
        ("l", "integer[][]", "string"),
        ("e", "low|high", "integer"),
        ("kid", "Kid", "integer"),
    ]
    assert found[0].to_dict() == {"kind": "wrong", "path": "i", "expected": "integer", "found": "number"}


def test_types_as_a_spec_writes_them() -> None:
    assert type_text(CONTRACTS, ["array", ["enum", ["a", "b"]]]) == "(a|b)[]"
    assert type_text(CONTRACTS, ["array", ["contract", 1]]) == "Kid[]"


def test_deep_values_need_no_stack() -> None:
    deep: Any = "x"
    kind: Any = "integer"
    for _ in range(5000):
        deep, kind = [deep], ["array", kind]
    contracts = [{"name": None, "fields": [["deep", kind, False]]}]
    assert len(violations(contracts, 0, {"deep": deep})) == 1
