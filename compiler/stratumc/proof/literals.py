"""The strings that a document names."""

from __future__ import annotations

from collections.abc import Callable

from stratumc.expr import Expression, Literal, ParseFailure
from stratumc.expr.ast import parts_of
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
                            for node in parts_of(tree)
                            if isinstance(node, Literal) and isinstance(node.value, str)
                        )
                    )
    return tuple(found)


def _members(type_: Type | None) -> tuple[str, ...]:
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_.members if isinstance(type_, EnumType) else ()
