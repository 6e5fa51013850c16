"""The expression language: text to syntax tree, types, and the runtime's compiled form (expressions.md)."""

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
from stratumc.expr.compilation import compile_expression, compile_text
from stratumc.expr.lexer import ParseFailure
from stratumc.expr.parser import parse
from stratumc.expr.printer import print_expression

__all__ = [
    "Binary",
    "BinaryOperator",
    "Call",
    "Expression",
    "Index",
    "Literal",
    "Member",
    "Name",
    "ParseFailure",
    "Unary",
    "UnaryOperator",
    "compile_expression",
    "compile_text",
    "parse",
    "print_expression",
]
