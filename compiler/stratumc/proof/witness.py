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
