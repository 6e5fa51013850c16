"""The shape language: what each form accepts, where and how it complains, and the schema it gives."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from stratumc.read import read_json
from stratumc.read.shape import (
    Anything,
    Boolean,
    Choice,
    Exactly,
    Fault,
    Field,
    ListOf,
    MapOf,
    Null,
    Number,
    Object,
    Shape,
    Text,
    Union,
    Unknown,
    Variant,
    Variants,
    validate,
    violations,
)
from stratumc.read.shape.schema import json_schema
from stratumc.text import Document, Location, Part, format_path
from stratumc.text.tree import Node

NAME = Text(re.compile(r"[a-z]+"), "a name")
COUNT = Number(integer=True, positive=True)
BOX = Object({"size": Field(COUNT, required=True), "label": Field(Text())}, "box")
LOOSE = Object({"size": Field(Number())}, unknown=Unknown.WARNING)
SPARSE = Object({"a": Field(COUNT), "b": Field(COUNT)}, "pair", at_least_one=True)
TABLE = MapOf(COUNT, NAME, ("self",), {"Main": Field(Text(), required=True)})
EITHER = Union((Object({"a": Field(Text(), required=True)}), BOX, Null()), "one of the forms")
ACT = Variants(
    {"id": Field(NAME, required=True), "go": Field(Text()), "wait": Field(COUNT), "far": Field(Boolean())},
    (Variant("go", ("far",)), Variant("wait")),
    "deed",
)


def tree(value: Any) -> Node:
    root = read_json(Document("case.json", json.dumps(value))).root
    assert root is not None
    return root


def found(shape: Shape, value: Any) -> list[tuple[str, str]]:
    return [(one.code, format_path(one.at.path)) for one in validate(shape, tree(value))]


def said(shape: Shape, value: Any) -> str:
    (finding,) = validate(shape, tree(value))
    return finding.message if finding.suggestion is None else f"{finding.message} ({finding.suggestion})"


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        (Text(), ["", "x\n"], [None, 1, True, [], {}]),
        (NAME, ["ab"], ["", "a\n", "\na", "aB", 1]),
        (Choice(("all", "any")), ["all"], ["All", "", None, 1]),
        (Exactly(1), [1, 1.0], [2, "1", True, None]),
        (Number(), [0, -1.5, 10**30], [True, "1", None]),
        (COUNT, [1, 3.0, 10**20], [0, -1, 1.5, True, "1", None]),
        (Boolean(), [True, False], [0, "true", None]),
        (Null(), [None], [0, "", False, []]),
        (Anything(), [None, [{}], "x"], []),
        (ListOf(COUNT, 1), [[1], [1, 2]], [[], [0], ["x"], {}, None]),
        (MapOf(COUNT), [{}, {"": 1, "a b": 2}], [{"a": 0}, [], None]),
        (
            TABLE,
            [{"Main": "x"}, {"Main": "", "a": 1}],
            [{}, {"Main": 1}, {"Main": "x", "A": 1}, {"Main": "x", "self": 1}],
        ),
        (BOX, [{"size": 1}, {"size": 1, "label": ""}], [{}, {"size": 0}, {"size": 1, "lable": ""}, [], None]),
        (LOOSE, [{}, {"size": 1, "more": 2}], [{"size": "x"}, []]),
        (SPARSE, [{"a": 1}], [{}, {"c": 1}]),
        (EITHER, [{"a": "x"}, {"size": 2}, None], [{}, {"a": 1}, {"a": "x", "b": 1}, 3]),
        (
            ACT,
            [{"id": "x", "go": "", "far": True}, {"id": "x", "wait": 1}],
            [
                {"id": "x"},
                {"id": "x", "go": "", "wait": 1},
                {"id": "x", "wait": 1, "far": True},
                {"go": ""},
                1,
            ],
        ),
    ],
)
def test_what_is_accepted_here_and_by_the_schema(shape: Shape, good: list[Any], bad: list[Any]) -> None:
    schema = Draft202012Validator(json_schema(shape))
    for value in good:
        assert [code for code, _ in found(shape, value) if code != "UNKNOWN_KEY"] == [], value
        assert schema.is_valid(value), value
    for value in bad:
        assert found(shape, value), value
        assert not schema.is_valid(value), value


_VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from([0, 1, 1.5, "", "a", "b\n", "all"]),
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(
            st.sampled_from(["a", "b", "size", "label", "Main", "self", "id", "go", "wait", "far", ""]),
            below,
            max_size=4,
        )
    ),
    max_leaves=6,
)


@given(_VALUES)
@settings(max_examples=150)
def test_the_schema_agrees_on_any_value(value: Any) -> None:
    for shape in (TABLE, BOX, LOOSE, SPARSE, EITHER, ACT, ListOf(EITHER)):
        accepted = all(code == "UNKNOWN_KEY" for code, _ in found(shape, value))
        assert Draft202012Validator(json_schema(shape)).is_valid(value) is accepted


def test_places_are_keys_for_keys_and_values_for_values() -> None:
    places = {
        (one.code, one.at.path, one.at.part)
        for one in validate(MapOf(BOX, NAME), tree({"A": {"size": 0, "x": 1}, "b": {}}))
    }
    assert places == {
        ("SCHEMA_INVALID", ("A",), Part.KEY),
        ("SCHEMA_INVALID", ("A", "size"), Part.VALUE),
        ("E2_UNKNOWN_FIELD", ("A", "x"), Part.KEY),
        ("SCHEMA_INVALID", ("b", "size"), Part.VALUE),
    }


def test_places_carry_the_source() -> None:
    (finding,) = validate(BOX, tree({}), source=3)
    assert finding.at == Location(("size",), source=3)


def test_a_reserved_name_hides_the_other_faults_of_its_mapping() -> None:
    assert found(TABLE, {"self": 0, "B": 0, "Main": 1}) == [("E2_RESERVED_FIELD", "self")]


def test_a_warned_key_is_no_error() -> None:
    assert found(LOOSE, {"sise": 1}) == [("UNKNOWN_KEY", "sise")]
    assert said(LOOSE, {"sise": 1}) == "unknown key `sise` in this mapping (did you mean `size`?)"
    assert found(Object({}, unknown=Unknown.IGNORE), {"x": 1}) == []


def test_keys_of_variants_are_compared_only_when_their_types_are_right() -> None:
    both = [("SCHEMA_INVALID", "wait"), ("E2_CONSTRUCT_MIX", "")]
    assert found(ACT, {"id": "X", "go": "", "wait": 0}) == [("SCHEMA_INVALID", "id"), *both]
    assert found(ACT, {"id": "x", "go": None, "wait": 1}) == [("SCHEMA_INVALID", "go")]
    assert found(ACT, {"go": "", "wait": 1}) == [("SCHEMA_INVALID", "id")]
    assert found(ACT, {"id": "x", "wait": 1, "far": True, "fr": 1}) == [
        ("E2_UNKNOWN_FIELD", "fr"),
        ("E2_FIELD_FOR_KIND", "far"),
    ]


def test_a_union_takes_the_first_form_that_fits_apart_from_unknown_keys() -> None:
    assert found(EITHER, {"a": "x", "size": 1}) == [("E2_UNKNOWN_FIELD", "size")]
    assert found(EITHER, {"a": 1, "size": 1}) == [("E2_UNKNOWN_FIELD", "a")]
    (one,) = violations(EITHER, tree({"a": 1}), Location())
    assert one.fault is Fault.TYPE


@pytest.mark.parametrize(
    ("shape", "value", "message"),
    [
        (BOX, [], "the document must be a mapping, not a list"),
        (BOX, {}, "`size` is missing from this box"),
        (ListOf(COUNT), ["x"], "item [0] must be a positive integer, not `x`"),
        (MapOf(ListOf(NAME)), {"a": ["b", "C\n"]}, "`a[1]` must be a name, not `C\\n`"),
        (Exactly(1), "1", "the document must be the number 1, not the text `1`"),
        (
            Choice(("all", "any")),
            "any ",
            "the document must be `all` or `any`, not `any ` (did you mean `any`?)",
        ),
        (Choice(("a", "b", "c")), None, "the document must be `a`, `b` or `c`, not null"),
        (Number(), True, "the document must be a number, not true"),
        (Text(), 1.5, "the document must be text, not the number 1.5"),
        (Text(), {}, "the document must be text, not a mapping"),
        (ListOf(Anything(), 2), [], "the document must have at least 2 items"),
        (SPARSE, {}, "the document must have at least one of `a` `b`"),
        (NAME, "", "the document must be a name, not an empty text"),
        (NAME, "`" + "x" * 50, "the document must be a name, not `'" + "x" * 38 + "…`"),
        (
            EITHER,
            {"a": 1},
            "the document must be one of the forms, not a mapping (`a` must be text, not the number 1)",
        ),
        (ACT, {"id": "x"}, "a deed must have exactly one of `go`, `wait`; this one has none"),
    ],
)
def test_messages(shape: Shape, value: Any, message: str) -> None:
    assert said(shape, value) == message
