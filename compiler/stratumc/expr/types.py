"""What is known of a value before any run: the types of expressions, as a lattice of unions by kind."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace


class Kind(enum.IntEnum):
    """The kinds of JSON values, as bits."""

    NULL = 1
    BOOLEAN = 2
    NUMBER = 4
    STRING = 8
    ARRAY = 16
    OBJECT = 32


Kinds = int
"""A set of kinds."""
ALL_KINDS: Kinds = 63


class Presence(enum.Enum):
    """Whether a member that is declared is there when it is read."""

    ALWAYS = "always"
    OPTIONAL = "optional"
    """It may be missing."""
    UNORDERED = "unordered"
    """The output of a step that may end later than it is read."""
    LATER = "later"
    """The output of a step that only runs afterwards."""
    NEVER = "never"
    """The output of a step that has none."""


@dataclass(frozen=True, slots=True)
class Strings:
    """Some strings: `members` None means any. `declared` are all members of the enum that they come from."""

    members: tuple[str, ...] | None = None
    declared: tuple[str, ...] | None = None


class ObjectKind(enum.Enum):
    """What an object type stands for, for the words of messages."""

    CONTRACT = "contract"
    INPUT = "input"
    STEPS = "steps"
    """The outputs of a flow's steps by id."""
    OPEN = "open"
    """Any object: its members are unknown."""


@dataclass(frozen=True, slots=True, eq=False)
class ObjectType:
    """An object with these members and no others, unless it is open; by identity, so it may be recursive."""

    kind: ObjectKind
    name: str = ""
    members: Mapping[str, MemberType] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Type:
    """A set of JSON values, by kind. `unknown` means any value at all; the other fields are idle then."""

    unknown: bool = False
    null: bool = False
    true: bool = False
    false: bool = False
    integer: bool = False
    """Numbers without a fraction."""
    fraction: bool = False
    """Numbers with a fraction."""
    strings: Strings | None = None
    element: Type | None = None
    """Arrays of this element type; an empty one belongs to every array type."""
    objects: tuple[ObjectType, ...] = ()

    @property
    def kinds(self) -> Kinds:
        """The kinds of its values."""
        if self.unknown:
            return ALL_KINDS
        return (
            (Kind.NULL if self.null else 0)
            | (Kind.BOOLEAN if self.true or self.false else 0)
            | (Kind.NUMBER if self.integer or self.fraction else 0)
            | (Kind.STRING if self.strings is not None else 0)
            | (Kind.ARRAY if self.element is not None else 0)
            | (Kind.OBJECT if self.objects else 0)
        )

    @property
    def is_never(self) -> bool:
        """Whether no value belongs to it."""
        return not self.kinds

    def only(self, kinds: Kinds) -> Type:
        """Its values of these kinds."""
        if self.unknown:
            return ANY_OF.get(kinds, self)
        if not self.kinds & ~kinds:
            return self
        return Type(
            null=self.null and bool(kinds & Kind.NULL),
            true=self.true and bool(kinds & Kind.BOOLEAN),
            false=self.false and bool(kinds & Kind.BOOLEAN),
            integer=self.integer and bool(kinds & Kind.NUMBER),
            fraction=self.fraction and bool(kinds & Kind.NUMBER),
            strings=self.strings if kinds & Kind.STRING else None,
            element=self.element if kinds & Kind.ARRAY else None,
            objects=self.objects if kinds & Kind.OBJECT else (),
        )

    @property
    def literal(self) -> str | None:
        """The one string that it is, if it is just that."""
        strings = self.strings
        if self.kinds != Kind.STRING or strings is None or strings.members is None:
            return None
        return strings.members[0] if len(strings.members) == 1 else None


@dataclass(frozen=True, slots=True)
class MemberType:
    """A declared member. The type of an optional one admits null."""

    type: Type
    presence: Presence = Presence.ALWAYS


UNKNOWN = Type(unknown=True)
NEVER = Type()
NULL = Type(null=True)
BOOLEAN = Type(true=True, false=True)
TRUE = Type(true=True)
FALSE = Type(false=True)
INTEGER = Type(integer=True)
FRACTION = Type(fraction=True)
NUMBER = Type(integer=True, fraction=True)
STRING = Type(strings=Strings())
STRING_OR_NUMBER = Type(integer=True, fraction=True, strings=Strings())
ARRAY = Type(element=UNKNOWN)
OBJECT = Type(objects=(ObjectType(ObjectKind.OPEN, "object"),))
ANY_OF: dict[Kinds, Type] = {
    Kind.BOOLEAN: BOOLEAN,
    Kind.NUMBER: NUMBER,
    Kind.STRING: STRING,
    Kind.ARRAY: ARRAY,
    Kind.OBJECT: OBJECT,
}
"""What is left of an unknown value once its kind is known."""


def string_literal(text: str) -> Type:
    """Just this string."""
    return Type(strings=Strings((text,)))


def enum_of(members: tuple[str, ...]) -> Type:
    """One of these strings, which a contract declares."""
    return Type(strings=Strings(members, members))


def array_of(element: Type) -> Type:
    """Arrays whose items have this type."""
    return Type(element=element)


def or_null(inner: Type) -> Type:
    """The type, or null."""
    return inner if inner.unknown else replace(inner, null=True)


def not_null(inner: Type) -> Type:
    """The type without null."""
    return inner if inner.unknown else replace(inner, null=False)


def join(left: Type, right: Type) -> Type:
    """The values of either."""
    if left.unknown or right.unknown:
        return UNKNOWN
    element = left.element if right.element is None else right.element
    if left.element is not None and right.element is not None and left.element is not right.element:
        element = join(left.element, right.element)
    return Type(
        null=left.null or right.null,
        true=left.true or right.true,
        false=left.false or right.false,
        integer=left.integer or right.integer,
        fraction=left.fraction or right.fraction,
        strings=_join_strings(left.strings, right.strings),
        element=element,
        objects=left.objects + tuple(one for one in right.objects if one not in left.objects),
    )


def join_all(types: Iterable[Type]) -> Type:
    """The values of any of them."""
    joined = NEVER
    for one in types:
        joined = join(joined, one)
    return joined


def _join_strings(left: Strings | None, right: Strings | None) -> Strings | None:
    if left is None or right is None:
        return right if left is None else left
    if left.members is None or right.members is None:
        return Strings()
    members = left.members + tuple(one for one in right.members if one not in left.members)
    return Strings(members, left.declared if left.declared == right.declared else None)


def meet(left: Type, right: Type) -> Type:
    """At least the values of both: what a value is known to be that is equal to one of each."""
    if left.unknown:
        return right
    if right.unknown:
        return left
    both = left.only(right.kinds)
    return replace(
        both,
        true=left.true and right.true,
        false=left.false and right.false,
        integer=left.integer and right.integer,
        fraction=left.fraction and right.fraction,
        strings=_meet_strings(left.strings, right.strings),
    )


def _meet_strings(left: Strings | None, right: Strings | None) -> Strings | None:
    if left is None or right is None:
        return None
    if left.members is None:
        return replace(left, members=right.members)
    if right.members is None:
        return left
    members = tuple(one for one in left.members if one in right.members)
    return Strings(members, left.declared) if members else None


def without_string(inner: Type, text: str) -> Type:
    """The type without one string."""
    strings = inner.strings
    if inner.unknown or strings is None or strings.members is None or text not in strings.members:
        return inner
    members = tuple(one for one in strings.members if one != text)
    return replace(inner, strings=Strings(members, strings.declared) if members else None)


_MOST_SHOWN = 6
_MANY = {
    "a boolean": "booleans",
    "an integer": "integers",
    "a number": "numbers",
    "a string": "strings",
    "an object": "objects",
    "an array": "arrays",
}


def describe(inner: Type) -> str:
    """The type in the words of messages: `an integer`, `one of `a`, `b``, `an array of strings or null`."""
    if inner.unknown:
        return "any value"
    parts = [_describe_string(inner.strings)] if inner.strings is not None else []
    if inner.integer or inner.fraction:
        fraction = "a number" if inner.integer else "a number with a fraction"
        parts.append(fraction if inner.fraction else "an integer")
    if inner.true or inner.false:
        parts.append("a boolean")
    if inner.element is not None:
        parts.append(_describe_array(inner.element))
    parts.extend(map(_describe_object, inner.objects))
    if inner.null:
        parts.append("null")
    return " or ".join(parts) or "no value"


def _describe_object(inner: ObjectType) -> str:
    if inner.kind is not ObjectKind.CONTRACT:
        return "an object"
    return f"{'an' if inner.name[0] in 'AEIOU' else 'a'} `{inner.name}`"


def _describe_string(strings: Strings) -> str:
    if strings.members is None or strings.declared is None:
        return "a string"
    shown = list_names(strings.members)
    return f"one of {shown}" if len(strings.members) > 1 else shown


def list_names(names: Iterable[str]) -> str:
    """The first names in backticks."""
    shown = [f"`{name}`" for name in names]
    return ", ".join(shown[:_MOST_SHOWN]) + (", …" if len(shown) > _MOST_SHOWN else "")


def _describe_array(element: Type) -> str:
    if element.unknown or element.is_never:
        return "an array"
    if element.kinds == Kind.OBJECT and [one.kind for one in element.objects] == [ObjectKind.CONTRACT]:
        return f"an array of `{element.objects[0].name}`"
    inner = describe(element)
    return f"an array of {_MANY.get(inner, inner)}"
