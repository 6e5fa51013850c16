"""Type strings and paths through types."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.spec.syntax import ArrayType, Contract, ContractType, EnumType, Field, Primitive, Type
from stratumc.spec.types import Followed, TypeString, follow, format_type, named_contract, parse_type
from stratumc.text import Location

TEXT, NUMBER = Primitive.STRING, Primitive.NUMBER
PAIR = EnumType(("a", "b"))


@pytest.mark.parametrize(
    ("text", "type_", "optional"),
    [
        ("string", TEXT, False),
        ("number?", NUMBER, True),
        ("string[][]", ArrayType(ArrayType(TEXT)), False),
        ("Name_1[]?", ArrayType(ContractType("Name_1")), True),
        ("a|b", PAIR, False),
        ("a|b?", PAIR, True),
        ("a|b[]", ArrayType(PAIR), False),
        ("(a|b)[]", ArrayType(PAIR), False),
        ("(a|b)[][]?", ArrayType(ArrayType(PAIR)), True),
        ("(one)[]", ArrayType(EnumType(("one",))), False),
        ("(string)[]", ArrayType(EnumType(("string",))), False),
        ("string|integer", EnumType(("string", "integer")), False),
        (" a | b\n", EnumType((" a ", " b\n")), False),
        ("a?|b", EnumType(("a?", "b")), False),
        ("${x}|y", EnumType(("${x}", "y")), False),
    ],
)
def test_forms(text: str, type_: Type, optional: bool) -> None:
    assert parse_type(text) == TypeString(type_, optional)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "[]",
        "date",
        "lower",
        "_Under",
        "K-3",
        "K\n",
        " string",
        "string ",
        "string []",
        "string\n",
        "string[]\n",
        "integer??",
        "integer[]??",
        "string?[]",
        "a|b??",
        "a|b?[]",
        "a|",
        "|a",
        "a||b",
        "()[]",
        "(|a)[]",
        "((a|b))[]",
        "(a|b)",
        "a[]|b",
        "a|(b)",
        "a|[b",
        "String?x",
    ],
)
def test_what_is_no_type(text: str) -> None:
    assert parse_type(text) is None


def test_arrays_nest_up_to_a_hundred_deep() -> None:
    assert parse_type("string" + "[]" * 100) is not None
    assert parse_type("string" + "[]" * 101) is None
    assert parse_type("string" + "[]" * 1_000_000) is None


_ENUMS = st.lists(st.text("ab c?", min_size=1, max_size=3), min_size=2, max_size=3).map(
    lambda members: EnumType(tuple(members))
)
_TYPES = st.recursive(
    st.sampled_from(list(Primitive)) | _ENUMS | st.sampled_from([ContractType("A"), ContractType("Bc_1")]),
    lambda inner: inner.map(ArrayType),
    max_leaves=3,
)


@given(_TYPES, st.booleans())
@settings(max_examples=200)
def test_types_are_read_as_they_are_written(type_: Type, optional: bool) -> None:
    text = format_type(type_)
    if not text.endswith("?"):
        assert parse_type(text + "?" * optional) == TypeString(type_, optional)


def _contract(name: str, **fields: Type | None) -> Contract:
    at = Location(("contracts", name))
    return Contract(name, {one: Field(one, type_, False, at.child(one)) for one, type_ in fields.items()}, at)


CONTRACTS = {
    "A": _contract("A", text=TEXT, list=ArrayType(ContractType("B")), more=Primitive.OBJECT, bad=None),
    "B": _contract("B", rest=Primitive.ARRAY, back=ContractType("A"), lost=ContractType("Gone")),
}


@pytest.mark.parametrize(
    ("path", "followed"),
    [
        ((), Followed(ContractType("A"))),
        (("text",), Followed(TEXT)),
        (("text", "x"), Followed(TEXT, 1)),
        (("text", 0), Followed(TEXT, 1)),
        (("list", 3, "back", "text"), Followed(TEXT)),
        (("list", "length"), Followed(ArrayType(ContractType("B")), 1)),
        (("list", 0, "none"), Followed(ContractType("B"), 2)),
        (("more", "any", 1, "thing"), Followed()),
        (("more", 0), Followed(Primitive.OBJECT, 1)),
        (("list", 0, "rest", 1, "thing"), Followed()),
        (("list", 0, "rest", "x"), Followed(Primitive.ARRAY, 3)),
        (("bad", "x", 1), Followed()),
        (("list", 0, "lost", "x"), Followed()),
        ((0,), Followed(ContractType("A"), 0)),
    ],
)
def test_following_a_path(path: tuple[str | int, ...], followed: Followed) -> None:
    assert follow(ContractType("A"), path, CONTRACTS) == followed


def test_nothing_is_known_behind_an_unknown_type() -> None:
    assert follow(None, ("x", 0), CONTRACTS) == Followed()


def test_the_contract_below_arrays() -> None:
    assert named_contract(ArrayType(ArrayType(ContractType("A")))) == "A"
    assert named_contract(ArrayType(PAIR)) is None
    assert named_contract(None) is None
