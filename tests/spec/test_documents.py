"""The rules by example: each edit of a clean document in `documents.jsonl` has just the findings there."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import stratumc

CASES = [
    json.loads(line) for line in Path(__file__).with_name("documents.jsonl").read_text("ascii").splitlines()
]
CLEAN: dict[str, Any] = {
    "version": 1,
    "contracts": {
        "Note": {
            "text": "string",
            "n": "integer",
            "tags": "string[]",
            "more": "object",
            "rest": "array",
            "opt": "string?",
            "kids": "Kid[]",
            "grid": "integer[][]",
            "e": "a|b",
        },
        "Kid": {"size": "integer", "note": "Note2?"},
        "Note2": {"x": "boolean"},
    },
    "flows": {
        "entry": "main",
        "main": {
            "input": {"topic": "string", "list": "string[]", "o": "object", "arr": "array", "opt": "Note?"},
            "output": {"from": "${w.output}", "contract": "Note"},
            "max_rounds": 2,
            "steps": [
                {"id": "w", "do": "Write ${input.topic}", "out": "Note"},
                {"id": "c", "after": ["w"], "do": "Check"},
                {"id": "g", "after": ["c"], "gate": {"on_approve": None, "on_revise": "w", "on_kill": None}},
            ],
        },
        "kid": {
            "input": {"a": "string", "b": "integer?"},
            "output": {"from": "${k.output}", "contract": "Note2"},
            "steps": [{"id": "k", "set": {"x": "true"}, "out": "Note2"}],
        },
    },
}


def _edited(edits: list[list[Any]]) -> dict[str, Any]:
    """The clean document with values put at paths (`+` appends), or taken away where an edit has none."""
    document = copy.deepcopy(CLEAN)
    for path, *value in edits:
        holder: Any = document
        for part in path[:-1]:
            holder = holder[part]
        if not value:
            del holder[path[-1]]
        elif path[-1] == "+":
            holder.append(value[0])
        else:
            holder[path[-1]] = value[0]
    return document


@pytest.mark.parametrize("case", CASES, ids=[f"{n}" for n in range(len(CASES))])
def test_example(case: dict[str, Any]) -> None:
    result = stratumc.check(json.dumps(_edited(case["edits"])), kind="spec", families=("rule",))
    assert sorted({f"{one.code} {one.path}" for one in result.diagnostics}) == sorted(case["found"])
    assert all(one.span.line >= 1 for one in result.diagnostics)
