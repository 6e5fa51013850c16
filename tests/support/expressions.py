"""Random expressions, as text and as trees, and random values of a contract to evaluate them on."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from stratumc.expr import (
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
from stratumc.expr.types import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    STRING,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    Type,
    array_of,
    enum_of,
    or_null,
)


def _optional(inner: Type) -> MemberType:
    return MemberType(or_null(inner), Presence.OPTIONAL)


INNER = ObjectType(
    ObjectKind.CONTRACT,
    "Inner",
    {"n": MemberType(INTEGER), "label": _optional(STRING), "level": MemberType(enum_of(("low", "high")))},
)
REPORT = ObjectType(
    ObjectKind.CONTRACT,
    "Report",
    {
        "text": MemberType(STRING),
        "note": _optional(STRING),
        "n": MemberType(INTEGER),
        "x": _optional(NUMBER),
        "ok": MemberType(BOOLEAN),
        "flag": _optional(BOOLEAN),
        "kind": MemberType(enum_of(("a", "b", "c"))),
        "rank": _optional(enum_of(("low", "high"))),
        "tags": MemberType(array_of(STRING)),
        "inner": MemberType(Type(objects=(INNER,))),
        "maybe": _optional(Type(objects=(INNER,))),
        "meta": MemberType(OBJECT),
    },
)
"""A contract with every kind of field, required and optional."""

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, -1.5])
    | st.sampled_from(["", "a", "low"])
)
JSON_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abn"), inner, max_size=3),
    max_leaves=6,
)


def values_of(inner: Type) -> st.SearchStrategy[Any]:
    """JSON values that belong to a type."""
    if inner.unknown:
        return JSON_VALUES
    options: list[st.SearchStrategy[Any]] = []
    if inner.null:
        options.append(st.none())
    if inner.true or inner.false:
        options.append(st.booleans())
    if inner.integer:
        options.append(st.integers(-3, 3))
    if inner.fraction:
        options.append(st.sampled_from([0.5, -1.5]))
    if inner.strings is not None:
        members = inner.strings.members
        options.append(st.sampled_from(["", "a", "low", "zz"] if members is None else members))
    if inner.element is not None:
        options.append(st.lists(values_of(inner.element), max_size=3))
    options.extend(_objects(one) for one in inner.objects)
    return st.one_of(options)


def _objects(inner: ObjectType) -> st.SearchStrategy[Any]:
    if inner.kind is ObjectKind.OPEN:
        return st.dictionaries(st.sampled_from("abn"), JSON_VALUES, max_size=3)
    required = {k: values_of(m.type) for k, m in inner.members.items() if m.presence is Presence.ALWAYS}
    optional = {k: values_of(m.type) for k, m in inner.members.items() if m.presence is not Presence.ALWAYS}
    return st.fixed_dictionaries(required, optional=optional)


def belongs(value: Any, inner: Type) -> bool:
    """Whether a JSON value belongs to a type."""
    if inner.unknown:
        return True
    if value is None:
        return inner.null
    if isinstance(value, bool):
        return inner.true if value else inner.false
    if isinstance(value, str):
        return inner.strings is not None and (inner.strings.members is None or value in inner.strings.members)
    if isinstance(value, int | float):
        return inner.integer if float(value).is_integer() else inner.fraction
    if isinstance(value, list):
        return inner.element is not None and all(belongs(item, inner.element) for item in value)
    return any(_is_object(value, one) for one in inner.objects)


def _is_object(value: dict[str, Any], inner: ObjectType) -> bool:
    if inner.kind is ObjectKind.OPEN:
        return True
    return all(
        name in inner.members and belongs(item, inner.members[name].type) for name, item in value.items()
    )


_PATHS = [
    *(f"result.{name}" for name in REPORT.members),
    "result.inner.n", "result.inner.label", "result.maybe.level", "result.maybe.label", "result.meta.a",
    "result.nope", "result",
]  # fmt: skip
_LITERALS = ["0", "2", "0.5", "'a'", "'low'", "'zz'", "''", "true", "false", "null"]
_OPERATORS = ["==", "!=", "<", ">=", "+", "-", "*", "in", "&&", "||"]
_GUARDED = ["note", "x", "flag", "rank", "maybe"]


def _guards(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = st.sampled_from(_GUARDED)
    return st.one_of(
        st.builds("'{0}' in result && {1}".format, names, inner),
        st.builds("!('{0}' in result) || {1}".format, names, inner),
        st.builds("'{0}' in result && result.{0} != null && {1}".format, names, inner),
        st.builds("!('{0}' in result) || result.{0} == null || {1}".format, names, inner),
        st.builds("bool(result.{0}) && {1}".format, names, inner),
    )


TEXTS: st.SearchStrategy[str] = st.recursive(
    st.sampled_from(_PATHS) | st.sampled_from(_LITERALS),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(_OPERATORS), inner),
        st.builds("{}({})".format, st.sampled_from(["len", "any", "all", "str", "bool", "!", "-"]), inner),
        st.builds("({})".format, _guards(inner)),
    ),
    max_leaves=8,
)
"""Expressions over `result`, a Report; none of them fails for the size or the digits of a value."""


def _nodes(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}", fullmatch=True).filter(
        lambda name: name not in ("in", "true", "false", "null")
    )
    return st.one_of(
        st.builds(lambda a, name: Member(a, name, 0, 0, 0), inner, names),
        st.builds(lambda a, index: Index(a, index, 0, 0), inner, st.integers(0, 99)),
        st.builds(lambda op, a: Unary(op, a, 0, 0), st.sampled_from(UnaryOperator), inner),
        st.builds(lambda op, a, b: Binary(op, a, b, 0, 0), st.sampled_from(BinaryOperator), inner, inner),
        st.builds(lambda name, args: Call(name, tuple(args), 0, 0), names, st.lists(inner, max_size=3)),
    )


_NUMBERS = st.floats(min_value=0, allow_infinity=False, allow_nan=False).map(abs)
_STRINGS = st.text(max_size=5).map(
    lambda t: t.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
TREES: st.SearchStrategy[Expression] = st.recursive(
    st.builds(lambda value: Literal(value, 0, 0), st.none() | st.booleans() | _NUMBERS | _STRINGS)
    | st.sampled_from([Name("input", 0, 0), Name("result", 0, 0), Name("other", 0, 0)]),
    _nodes,
    max_leaves=15,
)
"""Syntax trees without places."""


def shape(node: Expression) -> Any:
    """A small tree without its places, to compare."""
    match node:
        case Literal(value):
            return value.__class__.__name__, value
        case Name(name):
            return ("name", name)
        case Member(operand, name):
            return ("member", shape(operand), name)
        case Index(operand, index):
            return ("index", shape(operand), index)
        case Unary(operator, operand):
            return (operator.value, shape(operand))
        case Binary(operator, left, right):
            return (operator.value, shape(left), shape(right))
        case Call(function, arguments):
            return ("call", function, *map(shape, arguments))
