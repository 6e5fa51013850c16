"""What a type string says, and which type a path into a typed value has (v1.md sections 2 and 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never

from stratumc.spec.syntax import ArrayType, Contract, ContractType, EnumType, Primitive, Type
from stratumc.text.record import record

DEEPEST_ARRAY = 100
"""How far `T[]` may nest, so that walks over a type may recurse."""

_CONTRACT_NAME = re.compile(r"[A-Z][a-zA-Z0-9_]*")
_PRIMITIVES: dict[str, Type] = {primitive.value: primitive for primitive in Primitive}


@record
class TypeString:
    """A type string that was understood."""

    type: Type
    optional: bool


def parse_type(text: str) -> TypeString | None:
    """What a type string says; None when it has none of the forms of section 2."""
    optional = text.endswith("?")
    rest = text.removesuffix("?")
    depth = 0
    while depth <= DEEPEST_ARRAY and rest.endswith("[]") and not rest.endswith(")[]"):
        rest, depth = rest[:-2], depth + 1
    if rest.endswith(")[]") and rest.startswith("("):
        element, depth = _enum(rest[1:-3]), depth + 1
    elif rest.endswith("?"):
        return None
    else:
        element = _PRIMITIVES.get(rest) or (_enum(rest) if "|" in rest else _contract(rest))
    if element is None or depth > DEEPEST_ARRAY:
        return None
    for _ in range(depth):
        element = ArrayType(element)
    return TypeString(element, optional)


def _enum(text: str) -> Type | None:
    """The enum of members parted by `|`; an enum in parentheses may have one member only."""
    members = tuple(text.split("|"))
    if not all(members) or any(character in text for character in "[]()"):
        return None
    return EnumType(members)


def _contract(text: str) -> Type | None:
    return ContractType(text) if _CONTRACT_NAME.fullmatch(text) else None


def format_type(type_: Type) -> str:
    """A type as type strings write it."""
    match type_:
        case Primitive():
            return type_.value
        case EnumType():
            return "|".join(type_.members)
        case ArrayType(element=EnumType() as element):
            return f"({format_type(element)})[]"
        case ArrayType():
            return f"{format_type(type_.element)}[]"
        case ContractType():
            return type_.name
        case _:
            assert_never(type_)


@record
class Followed:
    """Where a path led. `type` is None when it isn't known: nothing can be said of it then."""

    type: Type | None = None
    failed: int | None = None
    """Index of the first part of the path that doesn't exist; `type` then is what it isn't in."""


def follow(start: Type | None, path: tuple[str | int, ...], contracts: Mapping[str, Contract]) -> Followed:
    """The type at a path below a value of the type `start`.

    Optional fields are followed as if they were there. `object` and `array` admit anything behind
    a first field or index.
    """
    current = start
    for index, part in enumerate(path):
        match current:
            case None:
                return Followed()
            case Primitive.OBJECT if isinstance(part, str):
                return Followed()
            case Primitive.ARRAY if isinstance(part, int):
                return Followed()
            case ArrayType() if isinstance(part, int):
                current = current.element
            case ContractType() if isinstance(part, str):
                contract = contracts.get(current.name)
                if contract is None:
                    return Followed()
                field = contract.fields.get(part)
                if field is None:
                    return Followed(current, index)
                current = field.type
            case _:
                return Followed(current, index)
    return Followed(current)


def named_contract(type_: Type | None) -> str | None:
    """The contract that a type names, below any arrays."""
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_.name if isinstance(type_, ContractType) else None
