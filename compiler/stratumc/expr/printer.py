"""Syntax trees back to canonical text: one space around operators, only the parentheses that are needed."""

from __future__ import annotations

from typing import assert_never

from stratum_runtime.jsontext import number_text, string_text
from stratumc.expr.ast import Binary, Call, Expression, Index, Literal, Member, Name, Unary
from stratumc.expr.parser import precedence_of

_UNARY = 6
_POSTFIX = 7


def print_expression(expression: Expression) -> str:
    """Text that parses to the same tree (but for offsets)."""
    parts: list[str] = []
    waiting: list[str | tuple[Expression, int]] = [(expression, 0)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            parts.append(one)
            continue
        node, least = one
        pieces = _pieces(node)
        waiting.extend(reversed(["(", *pieces, ")"] if _binding(node) < least else pieces))
    return "".join(parts)


def _binding(node: Expression) -> int:
    """How tightly a node holds together; operands that hold less need parentheses."""
    match node:
        case Binary(operator):
            return precedence_of(operator)
        case Unary():
            return _UNARY
        case Literal() | Name() | Member() | Index() | Call():
            return _POSTFIX
        case _:
            assert_never(node)


def _pieces(node: Expression) -> list[str | tuple[Expression, int]]:
    """A node as text and operands, each operand with the least binding that needs no parentheses."""
    match node:
        case Literal(value):
            return [_literal(value)]
        case Name(name):
            return [name]
        case Member(operand, name):
            return [(operand, _POSTFIX), f".{name}"]
        case Index(operand, index):
            return [(operand, _POSTFIX), f"[{index}]"]
        case Unary(operator, operand):
            return [operator.value, (operand, _UNARY)]
        case Binary(operator, left, right):
            binding = precedence_of(operator)
            return [(left, binding), f" {operator.value} ", (right, binding + 1)]
        case Call(function, arguments):
            pieces: list[str | tuple[Expression, int]] = [f"{function}("]
            for number, argument in enumerate(arguments):
                pieces.extend([", ", (argument, 0)] if number else [(argument, 0)])
            return [*pieces, ")"]
        case _:
            assert_never(node)


def _literal(value: str | float | bool | None) -> str:
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else number_text(value)
