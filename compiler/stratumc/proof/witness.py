"""Witnesses in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def describe_context(context: dict[str, Any]) -> str:
    """A workflow context in one phrase, as in "when `task.a` is 3"."""
    leaves = [f"`{path}` is {_value(value)}" for path, value in _leaves(context, "")]
    return "when " + " and ".join(leaves) if leaves else "in every context"


def _leaves(value: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        path = f"{prefix}.{name}" if prefix else name
        if isinstance(inner, dict) and inner:
            yield from _leaves(inner, path)
        else:
            yield path, inner


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


_MOST_CLAUSES = 6


def describe(witness: dict[str, Any]) -> str:
    """A flow's witness in one phrase, as in "`draft` returns score 0.3 and `review` is skipped"."""
    clauses = [f"`input.{path}` is {_value(value)}" for path, value in _leaves(witness["input"], "")]
    for step, output in witness["outputs"].items():
        if isinstance(output, dict) and output:
            fields = ", ".join(f"{path} {_value(value)}" for path, value in _leaves(output, ""))
            clauses.append(f"`{step}` returns {fields}")
    clauses += [
        f"gate `{gate}` is killed" for gate, decision in witness["decisions"].items() if decision == "kill"
    ]
    happened = [f"`{step}` fails" for step in witness["failed"]]
    happened += [f"`{step}` is skipped" for step in witness["skipped"]]
    kept = clauses[: max(1, _MOST_CLAUSES - len(happened))] + happened
    return _joined(kept[:_MOST_CLAUSES]) or "nothing goes wrong"


def _joined(clauses: list[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return ", ".join(clauses[:-1]) + " and " + clauses[-1]
