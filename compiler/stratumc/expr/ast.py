"""The expression language as a closed union of nodes (expressions.md, "Grammar")."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass


class BinaryOperator(enum.Enum):
    """Every operator with two operands."""

    OR = "||"
    AND = "&&"
    EQUAL = "=="
    NOT_EQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    IN = "in"
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"


class UnaryOperator(enum.Enum):
    """Every operator with one operand."""

    NOT = "!"
    NEGATE = "-"


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number (always a float), boolean or null; offsets into the expression's text."""

    value: str | float | bool | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name to be looked up in the bindings: `input`, `result`, `item`, `prev`."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """`operand.name`; `name_start` is the offset of the name after the dot."""

    operand: Expression
    name: str
    start: int
    end: int
    name_start: int


@dataclass(frozen=True, slots=True)
class Index:
    """`operand[index]`."""

    operand: Expression
    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments…)`; whether the function exists and its arity are judged later."""

    function: str
    arguments: tuple[Expression, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unary:
    """`!operand` or `-operand`."""

    operator: UnaryOperator
    operand: Expression
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`; long chains nest to the left, so never recurse along `left`."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    start: int
    end: int


Expression = Literal | Name | Member | Index | Call | Unary | Binary


def parts_of(tree: Expression) -> Iterator[Expression]:
    """Every node of a syntax tree, parents first, without recursion."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Binary(_, left, right):
                waiting += (right, left)
            case Unary(_, operand) | Member(operand) | Index(operand):
                waiting.append(operand)
            case Call(_, arguments):
                waiting += reversed(arguments)
            case Literal() | Name():
                pass


Place = tuple[str, ...]
"""A bound name, then members: `result.draft.text` is `("result", "draft", "text")`."""


def places_read(tree: Expression) -> Iterator[Place]:
    """Each member of a bound name that is read, or asked for with `in`, up to the first index."""
    inner: set[int] = set()
    for start in parts_of(tree):
        node, path = start, list[str]()
        match start:
            case Binary(BinaryOperator.IN, Literal(str(member)), right):
                node = right
                path.append(member)
            case Member() if id(start) in inner:
                continue
            case _:
                pass
        while isinstance(node, Member):
            inner.add(id(node))
            path.append(node.name)
            node = node.operand
        if path and isinstance(node, Name):
            yield (node.name, *reversed(path))
