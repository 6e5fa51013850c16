"""Whether a compiled expression is well formed, so that running it never goes astray."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BINARY = ("==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/")


def check_code(ops: Any, at: Any) -> None:
    """Raises ValueError unless `ops` leaves one value, with one place for each instruction.

    Every jump must land where the stack is as high as where it starts.
    """
    if not isinstance(ops, list) or not isinstance(at, list) or len(ops) != len(at):
        raise ValueError("an expression's code is a list of instructions with a place each")
    joins: dict[int, int] = {}
    depth = 0
    for number, op in enumerate(ops):
        if joins.pop(number, depth) != depth or not _is_count(at[number]):
            raise ValueError(f"instruction {number} is out of order")
        if not isinstance(op, list) or not op or not isinstance(op[0], str):
            raise ValueError(f"instruction {number} is none")
        taken, left = _effect(op, number)
        if op[0] in ("and", "or"):
            joins[number + 1 + op[1]] = depth
        if taken > depth:
            raise ValueError(f"instruction {number} lacks operands")
        depth += left - taken
    if depth != 1 or any(place != len(ops) or kept != 1 for place, kept in joins.items()):
        raise ValueError("an expression's code must leave one value")


def _effect(op: list[Any], number: int) -> tuple[int, int]:
    """How many values an instruction takes from the stack and leaves there."""
    match op:
        case ["const", value] if value is None or isinstance(value, (str, int, float)):
            return 0, 1
        case ["name", str()]:
            return 0, 1
        case ["member", str()]:
            return 1, 1
        case ["index" | "and" | "or", count] if _is_count(count):
            return 1, 1 if op[0] == "index" else 0
        case ["not" | "neg" | "bool"]:
            return 1, 1
        case ["call", str(), count] if _is_count(count):
            return count, 1
        case [symbol] if symbol in _BINARY:
            return 2, 1
    raise ValueError(f"instruction {number} is none")


def _is_count(value: Any) -> bool:
    return value.__class__ is int and value >= 0
