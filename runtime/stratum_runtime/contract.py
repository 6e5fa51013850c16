"""Whether a value has the form its contract demands: strict, each violation with its place (v1.md, 2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

ABSENT = object()
"""In place of a value that isn't there, which is not the same as null."""


class Violation:
    """One place where a value breaks its contract.

    `kind` is `missing` (a required field), `extra` (a field the contract lacks) or `wrong` (another type);
    `path` is dotted, with `[n]` for items, and empty for the whole value.
    """

    __slots__ = ("expected", "found", "kind", "path")

    def __init__(self, kind: str, path: str, expected: str, found: str) -> None:
        self.kind = kind
        self.path = path
        self.expected = expected
        self.found = found

    def to_dict(self) -> dict[str, str]:
        """The violation as a JSON object."""
        return {"kind": self.kind, "path": self.path, "expected": self.expected, "found": self.found}

    def __repr__(self) -> str:
        return f"Violation({self.kind}:{self.path}, expected {self.expected}, found {self.found})"


def violations(contracts: Sequence[dict[str, Any]], contract: int, value: Any) -> tuple[Violation, ...]:
    """Every violation of a contract of the pool by a JSON value (or ABSENT), in document order."""
    found: list[Violation] = []
    waiting: list[tuple[Any, Any, str]] = [(["contract", contract], value, "")]
    while waiting:
        kind, item, path = waiting.pop()
        if isinstance(kind, str):
            if not _PRIMITIVES[kind](item):
                _report(found, contracts, kind, item, path)
        elif kind[0] == "enum":
            if item.__class__ is not str or item not in kind[1]:
                _report(found, contracts, kind, item, path)
        elif kind[0] == "array":
            if item.__class__ is list:
                waiting.extend((kind[1], item[n], f"{path}[{n}]") for n in range(len(item) - 1, -1, -1))
            else:
                _report(found, contracts, kind, item, path)
        elif item.__class__ is dict:
            waiting.extend(reversed(_fields(found, contracts, kind[1], item, path)))
        else:
            _report(found, contracts, kind, item, path)
    return tuple(found)


def _fields(
    found: list[Violation],
    contracts: Sequence[dict[str, Any]],
    contract: int,
    value: dict[str, Any],
    path: str,
) -> list[tuple[Any, Any, str]]:
    """Reports missing and extra fields; returns those whose values are still to be checked."""
    inside: list[tuple[Any, Any, str]] = []
    declared = set()
    for name, kind, optional in contracts[contract]["fields"]:
        declared.add(name)
        place = f"{path}.{name}" if path else name
        item = value.get(name, ABSENT)
        if item is not ABSENT and not (optional and item is None):
            inside.append((kind, item, place))
        elif item is ABSENT and not optional:
            _report(found, contracts, kind, ABSENT, place)
    for name, item in value.items():
        if name not in declared:
            place = f"{path}.{name}" if path else name
            found.append(Violation("extra", place, "no such field", kind_of(item)))
    return inside


def _report(
    found: list[Violation], contracts: Sequence[dict[str, Any]], kind: Any, value: Any, path: str
) -> None:
    violation = "missing" if value is ABSENT else "wrong"
    found.append(Violation(violation, path, type_text(contracts, kind), kind_of(value)))


def type_text(contracts: Sequence[dict[str, Any]], kind: Any) -> str:
    """A type as a spec writes it."""
    suffix = ""
    while isinstance(kind, list) and kind[0] == "array":
        kind, suffix = kind[1], suffix + "[]"
    if isinstance(kind, str):
        return kind + suffix
    if kind[0] == "enum":
        members = "|".join(kind[1])
        return f"({members}){suffix}" if suffix else members
    return (contracts[kind[1]]["name"] or "object") + suffix


def kind_of(value: Any) -> str:
    """What a JSON value is, in the words of contracts."""
    if value is ABSENT:
        return "nothing"
    if value is None:
        return "null"
    if value.__class__ is bool:
        return "boolean"
    if value.__class__ is str:
        return "string"
    if value.__class__ is list:
        return "array"
    if value.__class__ is dict:
        return "object"
    return "integer" if _is_integer(value) else "number"


def _is_number(value: Any) -> bool:
    return value.__class__ is int or (value.__class__ is float and value - value == 0)


def _is_integer(value: Any) -> bool:
    return value.__class__ is int or (value.__class__ is float and value.is_integer())


_PRIMITIVES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: value.__class__ is str,
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: value.__class__ is bool,
    "object": lambda value: value.__class__ is dict,
    "array": lambda value: value.__class__ is list,
}
