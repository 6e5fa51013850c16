"""What expressions name: the strings of a document, and the places that an expression reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stratumc.expr import Binary, Call, Expression, Index, Literal, Member, Name, ParseFailure, Unary
from stratumc.graph.step_text import expressions_of
from stratumc.spec.syntax import ArrayType, EnumType, Spec, Text, Type


def literals_of(spec: Spec, parse: Callable[[Text], Expression | ParseFailure]) -> tuple[str, ...]:
    """Literals of expressions and members of enums, each once, in document order."""
    found: dict[str, None] = {}
    for contract in spec.contracts.values():
        for field in contract.fields.values():
            found.update(dict.fromkeys(_members(field.type)))
    for flow in spec.flows.values():
        for field in flow.input.values():
            found.update(dict.fromkeys(_members(field.type)))
        for step in flow.steps:
            for text in expressions_of(step):
                tree = parse(text)
                if not isinstance(tree, ParseFailure):
                    found.update(
                        dict.fromkeys(
                            node.value
                            for node in nodes_of(tree)
                            if isinstance(node, Literal) and isinstance(node.value, str)
                        )
                    )
    return tuple(found)


def _members(type_: Type | None) -> tuple[str, ...]:
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_.members if isinstance(type_, EnumType) else ()


def nodes_of(tree: Expression) -> Iterator[Expression]:
    """Every node of a syntax tree, parents first; without recursion."""
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


def places_in(tree: Expression) -> Iterator[tuple[str, ...]]:
    """The inputs and outputs that a `when` or `set` reads: `("input", field, …)` or `(step id, field, …)`."""
    inner: set[int] = set()
    for start in nodes_of(tree):
        node, path = start, list[str]()
        while isinstance(node, Member) and id(node) not in inner:
            path.append(node.name)
            node = node.operand
            inner.add(id(node))
        if path and isinstance(node, Name):
            path.reverse()
            if node.name == "input":
                yield ("input", *path)
            elif node.name == "result":
                yield tuple(path)
