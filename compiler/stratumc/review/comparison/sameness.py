"""Decides when two texts of one field mean the same: sets in any order, expressions written differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from stratum_runtime.jsontext import number_text
from stratumc.expr.ast import Expression
from stratumc.expr.parser import parse
from stratumc.expr.printer import print_expression
from stratumc.spec.syntax import ArrayType, EnumType, Type
from stratumc.spec.types import format_type, parse_type
from stratumc.workflow.syntax import Always, Condition, ContextPath, Number, Operand, ThresholdName

Detail = dict[str, Any]


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values: booleans are no numbers, 1 is 1.0."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def plain_step(step: Detail) -> Detail:
    """A step or stage (v1.md section 4) in one form: `after` as a set, expressions as they are printed."""
    return _each(step, _STEP)


def plain_types(types: Detail) -> Detail:
    """Fields with their type strings (v1.md section 2), the members of enums in one order."""
    return {field: _type(text) for field, text in types.items()}


def plain_names(names: list[str]) -> list[str]:
    """A list of names that is a set."""
    return sorted(frozenset(names))


def plain_condition(condition: Condition) -> str:
    """A workflow's condition with one space around its operator, numbers in their shortest form."""
    if isinstance(condition, Always):
        return "always"
    left, right = _operand(condition.left), _operand(condition.right)
    return f"{left} {condition.operator.value} {right}"


def _operand(operand: Operand) -> str:
    match operand:
        case ContextPath(parts):
            return ".".join(parts)
        case ThresholdName(name):
            return f"thresholds.{name}"
        case Number(value):
            return str(value) if isinstance(value, int) else number_text(value)
        case _:
            assert_never(operand)


def _expression(text: str) -> str:
    """An expression as it is printed; the text itself where it doesn't parse."""
    found = parse(text)
    return print_expression(found) if isinstance(found, Expression) else text


def _type(text: str) -> str:
    """A type string with the members of enums in one order; the text itself where it is none."""
    found = parse_type(text)
    if found is None:
        return text
    return f"{format_type(_ordered(found.type))}{'?' if found.optional else ''}"


def _ordered(type_: Type) -> Type:
    match type_:
        case EnumType(members):
            return EnumType(tuple(plain_names(list(members))))
        case ArrayType(element):
            return ArrayType(_ordered(element))
        case _:
            return type_


def _each(detail: Detail, forms: dict[str, Callable[[Any], Any]]) -> Detail:
    return {field: forms[field](value) if field in forms else value for field, value in detail.items()}


_STAGE: dict[str, Callable[[Any], Any]] = {
    "when": _expression,
    "ensure": lambda listed: [_each(one, {"expr": _expression}) for one in listed],
}
_STEP: dict[str, Callable[[Any], Any]] = {
    **_STAGE,
    "after": plain_names,
    "set": lambda fields: {field: _expression(text) for field, text in fields.items()},
    "iterate": lambda iterate: _each(iterate, {"until": _expression}),
    "fanout": lambda fanout: {**fanout, "steps": [_each(stage, _STAGE) for stage in fanout["steps"]]},
}
