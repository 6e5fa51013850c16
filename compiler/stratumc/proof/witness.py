"""Witnesses in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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

Place = tuple[str, ...]
"""`("input", field, …)` or `(step id, field, …)`."""


def describe(
    witness: dict[str, Any], shown: Iterable[Place] | None = None, without: Iterable[str] = ()
) -> str:
    """A flow's witness in one phrase, as in "`draft` returns score 0.3 and `review` is skipped".

    `shown` are the places of inputs and outputs that the phrase may speak of (all, when None); `without` are
    steps whose failure goes without saying.
    """
    places = None if shown is None else tuple(shown)
    clauses = [
        f"`input.{path}` is {_value(value)}"
        for path, value in _leaves(witness["input"], "")
        if _is_shown(("input", *path.split(".")), places)
    ]
    for step, output in witness["outputs"].items():
        leaves = _leaves(output, "") if isinstance(output, dict) else ()
        fields = ", ".join(
            f"{path} {_value(value)}" for path, value in leaves if _is_shown((step, *path.split(".")), places)
        )
        clauses += [f"`{step}` returns {fields}"] if fields else []
    clauses += [
        f"gate `{gate}` is killed" for gate, decision in witness["decisions"].items() if decision == "kill"
    ]
    happened = [f"`{step}` fails" for step in witness["failed"] if step not in without]
    happened += [f"`{step}` is skipped" for step in witness["skipped"]]
    kept = clauses[: max(1, _MOST_CLAUSES - len(happened))] + happened
    return _joined(kept[:_MOST_CLAUSES]) or "it runs"


def _is_shown(place: Place, shown: tuple[Place, ...] | None) -> bool:
    return shown is None or any(place[: len(one)] == one[: len(place)] for one in shown)


def _joined(clauses: list[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return ", ".join(clauses[:-1]) + " and " + clauses[-1]
