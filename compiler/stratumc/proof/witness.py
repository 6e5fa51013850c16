"""Witnesses in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from stratumc.expr.ast import Place


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


def describe(
    witness: dict[str, Any], shown: Iterable[Place] | None = None, without: Iterable[str] = ()
) -> str:
    """A flow's witness in one phrase, as in "`draft` returns score 0.3 and `review` is skipped".

    `shown` are the places of `input` and `result` that the phrase may speak of (all, when None); `without`
    are steps whose failure goes without saying.
    """
    places = None if shown is None else _Places(shown)
    clauses = [
        f"`input.{path}` is {_value(value)}"
        for path, value in _leaves(witness["input"], "")
        if places is None or places.touch(("input", *path.split(".")))
    ]
    for step, output in witness["outputs"].items():
        leaves = _leaves(output, "") if isinstance(output, dict) else ()
        fields = ", ".join(
            f"{path} {_value(value)}"
            for path, value in leaves
            if places is None or places.touch(("result", step, *path.split(".")))
        )
        clauses += [f"`{step}` returns {fields}"] if fields else []
    clauses += [
        f"gate `{gate}` is killed" for gate, decision in witness["decisions"].items() if decision == "kill"
    ]
    happened = [f"`{step}` fails" for step in witness["failed"] if step not in without]
    happened += [f"`{step}` is skipped" for step in witness["skipped"]]
    kept = clauses[: max(1, _MOST_CLAUSES - len(happened))] + happened
    return _joined(kept[:_MOST_CLAUSES]) or "it runs"


class _Places:
    """Places with all that is inside of them, and all that they are inside of."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._whole = frozenset(places)
        self._around = frozenset(place[:length] for place in self._whole for length in range(len(place)))

    def touch(self, place: Place) -> bool:
        """Whether a place is one of these, inside of one, or around one."""
        inside = any(place[:length] in self._whole for length in range(len(place) + 1))
        return inside or place in self._around


def _joined(clauses: list[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return ", ".join(clauses[:-1]) + " and " + clauses[-1]
