"""Conditions of workflow triggers over a context (workflow.md, "Conditions")."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MISSING = object()


class Unresolved:
    """Why a condition could not be decided: it counts as one that doesn't hold."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"Unresolved({self.reason!r})"


def holds(code: Any, context: Mapping[str, Any], thresholds: Mapping[str, float]) -> bool | Unresolved:
    """Whether a compiled condition holds in a context, or why that can't be said."""
    if code == "always":
        return True
    left, operator, right = code
    a = operand(left, context, thresholds)
    b = operand(right, context, thresholds)
    if isinstance(a, Unresolved):
        return a
    if isinstance(b, Unresolved):
        return b
    numbers = _is_number(a) and _is_number(b)
    if operator in ("==", "!="):
        same = a == b if numbers else _same(a, b)
        return same if operator == "==" else not same
    if not numbers:
        return False
    if operator == ">=":
        return bool(a >= b)
    if operator == "<=":
        return bool(a <= b)
    return bool(a > b) if operator == ">" else bool(a < b)


def operand(code: Any, context: Mapping[str, Any], thresholds: Mapping[str, float]) -> Any:
    """The value of one side; a missing leaf of an object that is there reads as 0."""
    kind, value = code
    if kind == "number":
        return value
    if kind == "threshold":
        return thresholds[value]
    found: Any = context
    for depth, name in enumerate(value):
        if not isinstance(found, dict):
            return Unresolved(f"`{'.'.join(value[:depth]) or 'the context'}` isn't an object")
        found = found.get(name, _MISSING)
        if found is _MISSING:
            if depth == len(value) - 1:
                return 0
            return Unresolved(f"`{'.'.join(value[: depth + 1])}` is missing")
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(a: Any, b: Any) -> bool:
    """JSON equality: booleans aren't numbers, 1 equals 1.0, key order doesn't matter."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return bool(a == b)
