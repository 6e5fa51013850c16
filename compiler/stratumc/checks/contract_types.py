"""The types of contracts and fields, as the types of expressions."""

from __future__ import annotations

from typing import assert_never

from stratumc.expr.knowledge import NOTHING, Knowledge, Path
from stratumc.expr.types import (
    ARRAY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    STRING,
    UNKNOWN,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    Type,
    array_of,
    enum_of,
    or_null,
)
from stratumc.spec import syntax
from stratumc.spec.syntax import ArrayType, ContractType, EnumType, Field, Primitive, Spec, Text

_PRIMITIVES = {
    Primitive.STRING: STRING,
    Primitive.INTEGER: INTEGER,
    Primitive.NUMBER: NUMBER,
    Primitive.BOOLEAN: BOOLEAN,
    Primitive.OBJECT: OBJECT,
    Primitive.ARRAY: ARRAY,
}

EVALUATION = Type(
    objects=(
        ObjectType(
            ObjectKind.CONTRACT,
            "what a checker prints",
            {
                "status": MemberType(enum_of(("closed", "open", "failed"))),
                "children": MemberType(ARRAY),
                "reason": MemberType(STRING),
                "score": MemberType(NUMBER, Presence.OPTIONAL),
                "route": MemberType(enum_of(("claude", "codex")), Presence.OPTIONAL),
            },
        ),
    )
)
"""What an `evaluate` command returns (runs.md section 3)."""


class ContractTypes:
    """The object type of each contract, made once, so that a contract is one type everywhere."""

    def __init__(self, spec: Spec) -> None:
        self._objects: dict[str, Type] = {}
        members: dict[str, dict[str, MemberType]] = {name: {} for name in spec.contracts}
        for name, inner in members.items():
            self._objects[name] = Type(objects=(ObjectType(ObjectKind.CONTRACT, name, inner),))
        for name, contract in spec.contracts.items():
            members[name].update(self.members(contract.fields))

    def of(self, name: Text | None) -> Type:
        """The type of a contract that a step names; unknown when it names none."""
        return UNKNOWN if name is None else self._objects.get(name.value, UNKNOWN)

    def members(self, fields: dict[str, Field]) -> dict[str, MemberType]:
        """Fields as members; what is optional may be missing or null."""
        return {name: self._member(one) for name, one in fields.items()}

    def _member(self, one: Field) -> MemberType:
        inner = UNKNOWN if one.type is None else self._type(one.type)
        return MemberType(or_null(inner), Presence.OPTIONAL) if one.optional else MemberType(inner)

    def _type(self, declared: syntax.Type) -> Type:
        match declared:
            case Primitive():
                return _PRIMITIVES[declared]
            case EnumType(members):
                return enum_of(members)
            case ArrayType(element):
                return array_of(self._type(element))
            case ContractType(name):
                return self._objects.get(name, UNKNOWN)
            case _:
                assert_never(declared)


def follow(start: MemberType, path: Path, known: Knowledge = NOTHING, at: Path = ()) -> MemberType:
    """What a reference's path leads to; optional when something on the way may be missing or null.

    What is known is of places by their paths; `at` is the one of `start`.
    """
    here = _known(start, known, at)
    for part in path:
        at = (*at, part)
        inner = here.type
        may_miss = here.presence is not Presence.ALWAYS or inner.null
        if inner.unknown:
            here = MemberType(UNKNOWN)
        else:
            next_type, presence = _step_into(inner, part)
            if may_miss or presence is not Presence.ALWAYS:
                here = MemberType(or_null(next_type), Presence.OPTIONAL)
            else:
                here = MemberType(next_type)
        here = _known(here, known, at)
    return here


def _known(here: MemberType, known: Knowledge, at: Path) -> MemberType:
    fact = known.facts.get(at)
    return here if fact is None else MemberType(fact)


def _step_into(inner: Type, part: str | int) -> tuple[Type, Presence]:
    if isinstance(part, int):
        return inner.element or UNKNOWN, Presence.ALWAYS
    if len(inner.objects) != 1 or part not in inner.objects[0].members:
        return UNKNOWN, Presence.ALWAYS
    member = inner.objects[0].members[part]
    return member.type, member.presence
