"""JSON to trees: values, places, duplicate keys, limits, and every way in which a text is no JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.diagnostics import Diagnostic, Source, concretize
from stratumc.read.json_reader import read_json
from stratumc.text import Document
from stratumc.text.tree import descend
from support.trees import nodes, plain


def faults(text: str) -> tuple[Diagnostic, ...]:
    document = Document("x.json", text)
    result = read_json(document)
    return concretize(result.findings, [Source(document, result.root)])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def is_paired(value: Any) -> bool:
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in json.dumps(value, ensure_ascii=False))


@given(JSON.filter(is_paired), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_all_of_json_is_read(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    result = read_json(Document("x.json", text))
    assert not result.findings
    assert plain(result.root) == value


@given(JSON.filter(is_paired))
def test_every_place_reads_as_its_value(value: Any) -> None:
    text = json.dumps(value, indent=2)
    root = read_json(Document("x.json", text)).root
    assert root is not None
    for node in nodes(root):
        assert json.loads(text[node.start : node.end]) == plain(node)


@given(st.text("{}[]:,\"\\ \n\t0123456789.eE+-truefalsnNaN'/#u", max_size=12))
def test_what_the_standard_library_refuses_is_refused(text: str) -> None:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
        valid = True
    except (ValueError, RecursionError):
        valid = False
    result = read_json(Document("x.json", text))
    is_invalid = any(finding.code == "JSON_INVALID" for finding in result.findings)
    assert is_invalid is not valid or any("surrogate" in finding.message for finding in result.findings)


def test_places() -> None:
    text = '{\n  "a": [1, {"b": "é😀"}],\n  "c": null }'
    root = read_json(Document("x.json", text)).root
    assert root is not None
    found = {path: descend(root, path)[0][-1] for path in [("a",), ("a", 1), ("a", 1, "b"), ("c",)]}
    assert [text[node.start : node.end] for node in found.values()] == [
        '[1, {"b": "é😀"}]',
        '{"b": "é😀"}',
        '"é😀"',
        "null",
    ]


def test_numbers_without_a_fraction_are_integers() -> None:
    root = read_json(Document("x.json", "[1.0, 1e3, -0.0, 2.50, 12345678901234567890]")).root
    assert [(type(value), value) for value in plain(root)] == [
        (int, 1), (int, 1000), (int, 0), (float, 2.5), (int, 12345678901234567890)
    ]  # fmt: skip


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 400, "9" * 9000])
def test_numbers_beyond_doubles_have_their_path(number: str) -> None:
    [fault] = faults(f'{{"a": [{number}]}}')
    assert (fault.code, fault.path) == ("SCHEMA_INVALID", "a[0]")
    assert math.isinf(float(number))


def test_both_places_of_a_duplicate_key() -> None:
    [fault] = faults('{"x": {"a": 1,\n "\\u0061": 2}}')
    assert (fault.code, fault.path, fault.span.line, fault.span.column) == ("DUPLICATE_KEY", "x.a", 2, 2)
    [first] = fault.related
    assert (first.span.line, first.span.column) == (1, 8)


def test_depth_is_limited() -> None:
    assert not faults("[" * 500 + "]" * 500)
    for text in ("[" * 501 + "]" * 501, '{"a":' * 100_000):
        [fault] = faults(text)
        assert (fault.code, fault.message) == (
            "JSON_INVALID",
            "lists and mappings are nested more than 500 deep",
        )


COMMENT = ("JSON has no comments", "remove the comment, or use YAML")
NUMBER = "write plain decimal digits"
AFTER = "keep one JSON value in the file"

CASES = [
    ('{"a":1,}', 7, "there is a comma before `}`", "remove the comma"),
    ("[1,\n]", 3, "there is a comma before `]`", "remove the comma"),
    ("[1,,2]", 4, "a value is missing before this comma", None),
    ("{,}", 2, "a key is missing before this comma", None),
    ('{"a":1 "b":2}', 8, 'a comma is missing before `"b"`', "add `,`"),
    ("[1 2]", 4, "a comma is missing before `2`", "add `,`"),
    ('{"a" 1}', 6, "expected `:` here, not `1`", None),
    ('{"a":}', 6, "expected a value here, not `}`", None),
    ("{a:1}", 2, "the key `a` has no quotes", 'write `"a"`'),
    ("{'a':1}", 2, "this string is in single quotes", 'use double quotes, `"`'),
    ("[1:2]", 3, "a list has no keys", "use `{` and `}` for a mapping"),
    ("[NaN]", 2, "JSON has no `NaN`", "use a number or `null`"),
    ("[-Infinity]", 2, "JSON has no `-Infinity`", "use a number or `null`"),
    ("[+1]", 2, "`+1` begins with a plus sign", NUMBER),
    ("[-01]", 2, "`-01` begins with a zero", NUMBER),
    ("[1.]", 2, "`1.` lacks a digit beside its point", NUMBER),
    ("[.5]", 2, "`.5` lacks a digit beside its point", NUMBER),
    ("[0x1F]", 2, "`0x1F` isn't a JSON number", NUMBER),
    ("[1_000]", 2, "`1_000` isn't a JSON number", NUMBER),
    ("[True]", 2, "JSON has no `True`", "write `true`"),
    ("[foo]", 2, "expected a value or `]` here, not `foo`", "put double quotes around text"),
    ('["a', 2, "this string isn't closed on its line", 'close it with `"`'),
    ('["a\nb"]', 2, "this string isn't closed on its line", 'close it with `"`'),
    ('["a\\', 2, "this string isn't closed on its line", 'close it with `"`'),
    ('["a\tb"]', 4, "a tab must be escaped in a string", "write `\\t`"),
    ('["\x01"]', 3, "the control character U+0001 must be escaped in a string", "write `\\u0001`"),
    ('["\0"]', 3, "a NUL character must be escaped in a string", "write `\\u0000`"),
    ('["\\q"]', 3, "`\\q` is not an escape of JSON", "write `\\\\` for a backslash"),
    ('["\\u12"]', 3, "`\\u` needs 4 hexadecimal digits after it", None),
    ('["\\ud800"]', 2, "this string holds half of a surrogate pair", None),
    ('{"a":1} x', 9, "`x` comes after the end of the document", AFTER),
    ('{"a":1}{"b":2}', 8, "`{` comes after the end of the document", AFTER),
    ("]", 1, "`]` closes nothing", "remove it"),
    ("[1}", 3, "`}` can't close `[`", None),
    ('{"a":[1,2', 6, "`[` is never closed", "close it with `]`"),
    ("", 1, "the file holds no JSON value", None),
    ("// c\n{}", 1, *COMMENT),
    ("{} /* c */", 4, *COMMENT),
    ('{"a": /* x\n */ 1}', 7, *COMMENT),
    ("# c", 1, *COMMENT),
    ("\xa0{}", 1, "the character U+00A0 isn't allowed here", "remove it"),
]


@pytest.mark.parametrize(("text", "column", "message", "suggestion"), CASES)
def test_fault(text: str, column: int, message: str, suggestion: str | None) -> None:
    [fault] = faults(text)
    assert (fault.code, fault.message, fault.suggestion) == ("JSON_INVALID", message, suggestion)
    assert (fault.span.line, fault.span.column) == (1, column)


def test_a_bracket_that_is_closed_wrongly_shows_where_it_was_opened() -> None:
    [fault] = faults('{"a":\n [1}')
    assert [(place.message, place.span.line, place.span.column) for place in fault.related] == [
        ("opened here", 2, 2)
    ]
    assert fault.path == "a"


def test_reading_stops_after_a_thousand_faults() -> None:
    found = faults("{" + '"a": 1, ' * 3_000 + '"b": 1}')
    assert len(found) == 1_001
    assert {fault.code for fault in found} == {"DUPLICATE_KEY", "LIMIT_EXCEEDED"}
