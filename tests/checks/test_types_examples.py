"""The type checks by example: the steps of `type_examples.jsonl` have just the findings decided there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stratumc

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("type_examples.jsonl").read_text("ascii").splitlines()
]
CONTRACTS = {
    "A": {
        "s": "string",
        "n": "integer",
        "x": "number",
        "b": "boolean",
        "l": "string[]",
        "nl": "integer[]",
        "o": "object",
        "ar": "array",
        "e": "red|green|blue",
        "os": "string?",
        "on": "integer?",
        "oe": "lo|hi?",
        "sub": "P",
        "osub": "P?",
        "ps": "P[]",
        "es": "(red|green)[]",
    },
    "P": {"name": "string", "age": "integer", "nick": "string?"},
    "Num": {"v": "integer"},
    "Fl": {"v": "number"},
    "Op": {"v": "integer?"},
    "St": {"v": "string"},
    "En": {"v": "red|green"},
    "Wide": {"v": "red|green|blue"},
    "Ar": {"v": "integer[]"},
    "Ev": {
        "status": "closed|open|failed",
        "children": "array",
        "reason": "string",
        "score": "number?",
        "route": "claude|codex?",
    },
    "EvNo": {"status": "closed|open|failed", "children": "array", "reason": "string"},
    "EvBad": {"ok": "boolean"},
    "EvS": {
        "status": "string",
        "children": "array",
        "reason": "string",
        "score": "number?",
        "route": "string?",
    },
}
INPUT = {
    "s": "string",
    "n": "integer",
    "x": "number",
    "l": "string[]",
    "os": "string?",
    "oa": "A?",
    "ol": "string[]?",
    "e": "red|green",
    "o": "object",
    "ar": "array",
    "b": "boolean",
}


def _document(case: dict[str, Any]) -> dict[str, Any]:
    """A flow of a step `a`, whose output is an `A`, and the steps of the case; perhaps with a flow `kid`."""
    flows: dict[str, Any] = {
        "entry": "main",
        "main": {
            "input": INPUT,
            "output": case.get("output", {"from": "${a.output}", "contract": "A"}),
            "steps": [{"id": "a", "do": "x", "out": "A"}, *case["steps"]],
        },
    }
    if "callee_input" in case:
        flows["kid"] = {
            "input": case["callee_input"],
            "output": {"from": "${z.output}", "contract": "Num"},
            "steps": [{"id": "z", "do": "y", "out": "Num"}],
        }
    return {"version": 1, "contracts": CONTRACTS, "flows": flows}


@pytest.mark.parametrize("case", CASES, ids=[f"{n}" for n in range(len(CASES))])
def test_example(case: dict[str, Any]) -> None:
    result = stratumc.check(json.dumps(_document(case)), kind="spec", families=("rule", "type"))
    found = sorted(f"{one.severity} {one.code} {one.path}" for one in result.diagnostics)
    assert found == sorted(case["found"]), [one.message for one in result.diagnostics]
