"""Syntax trees to the runtime's compiled form (`stratum_runtime.expression`)."""

from __future__ import annotations

from typing import Any, assert_never

from stratumc.expr.ast import (
    Binary,
    BinaryOperator,
    Call,
    Expression,
    Index,
    Literal,
    Member,
    Name,
    Unary,
    UnaryOperator,
)
from stratumc.expr.lexer import ParseFailure
from stratumc.expr.parser import parse

_UNARY = {UnaryOperator.NOT: "not", UnaryOperator.NEGATE: "neg"}
_LOGICAL = {BinaryOperator.AND: "and", BinaryOperator.OR: "or"}


def compile_text(text: str) -> dict[str, Any]:
    """The compiled form of an expression's text; one that doesn't parse always fails with its code."""
    return compile_expression(parse(text))


def compile_expression(expression: Expression | ParseFailure) -> dict[str, Any]:
    """The compiled form, a JSON object; of a failure to parse, an expression that always fails."""
    if isinstance(expression, ParseFailure):
        message = f"{expression.message} (character {expression.start + 1})"
        return {"fails": {"code": expression.code, "message": message}}
    ops: list[list[Any]] = []
    at: list[int] = []
    waiting: list[Expression | _Emit | _Skip] = [expression]
    while waiting:
        one = waiting.pop()
        if isinstance(one, _Emit):
            ops.append(one.op)
            at.append(one.at)
            if one.skip is not None:
                one.skip.begin = len(ops)
        elif isinstance(one, _Skip):
            ops[one.begin - 1].append(len(ops) - one.begin)
        else:
            waiting.extend(reversed(_parts(one)))
    return {"ops": ops, "at": at}


class _Skip:
    """Where a logical operator's jump ends; `begin` is the index after its instruction."""

    begin = 0


class _Emit:
    """An instruction to be put out, with its place; `skip` learns where it stands."""

    def __init__(self, op: list[Any], at: int, skip: _Skip | None = None) -> None:
        self.op = op
        self.at = at
        self.skip = skip


def _parts(node: Expression) -> list[Expression | _Emit | _Skip]:
    """A node as its operands and instructions, in the order in which they run."""
    match node:
        case Literal(value):
            return [_Emit(["const", _constant(value)], node.start)]
        case Name(name):
            return [_Emit(["name", name], node.start)]
        case Member(operand, name):
            return [operand, _Emit(["member", name], node.name_start)]
        case Index(operand, index):
            return [operand, _Emit(["index", index], node.start)]
        case Call(function, arguments):
            return [*arguments, _Emit(["call", function, len(arguments)], node.start)]
        case Unary(operator, operand):
            return [operand, _Emit([_UNARY[operator]], node.start)]
        case Binary(operator, left, right):
            logical = _LOGICAL.get(operator)
            if logical is None:
                return [left, right, _Emit([operator.value], node.start)]
            skip = _Skip()
            return [left, _Emit([logical], node.start, skip), right, _Emit(["bool"], right.start), skip]
        case _:
            assert_never(node)


def _constant(value: str | float | bool | None) -> str | float | bool | None:
    """A whole number as an integer, so that the compiled form reads the same from every JSON library."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value
