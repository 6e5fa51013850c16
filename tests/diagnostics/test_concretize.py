"""Symbolic places to lines and columns: the one function that does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.diagnostics import Finding, RelatedPlace, Severity, concretize
from stratumc.text import Document, Location, Path
from support.findings import TEXT, at, diagnose, finding, source_of, spans

STEP = ("flows", "main", "steps", 0)


@pytest.mark.parametrize(
    ("location", "span"),
    [
        (at("version"), (1, 10, 1, 11)),
        (at("version").key, (1, 1, 1, 8)),
        (at("contracts", "Result", "name"), (3, 18, 3, 24)),
        (at(*STEP), (8, 9, 9, 31)),
        (at(*STEP).key, (8, 9, 9, 31)),
        (at(*STEP, "when"), (9, 15, 9, 31)),
        (at(*STEP, "when").within(11, 14), (9, 27, 9, 30)),
        (at("flows", "main", "steps", 1, "empty"), (11, 9, 11, 14)),
        (at("flows", "main", "budget", "usd"), (6, 3, 6, 7)),
        (at(*STEP, "do"), (8, 9, 8, 9)),
        (at("flows", "main", "steps", 9), (7, 5, 7, 10)),
        (at("nowhere"), (1, 1, 1, 1)),
        (Location(range=(3, 5)), (1, 4, 1, 6)),
    ],
)
def test_places(location: Location, span: tuple[int, int, int, int]) -> None:
    assert spans(diagnose(Finding("SCHEMA_INVALID", location, "x"))) == [span]


def test_a_missing_key_is_at_the_bracket_of_its_mapping() -> None:
    text = "{a: [{b: 1}]}"
    found = diagnose(finding("SCHEMA_INVALID", ("c",)), finding("SCHEMA_INVALID", ("a", 0, "c")), text=text)
    assert spans(found) == [(1, 1, 1, 2), (1, 6, 1, 7)]


def test_a_place_without_a_tree_is_the_beginning() -> None:
    [diagnostic] = diagnose(finding("YAML_INVALID", ("a",)), text="a: b: c")
    assert (diagnostic.span.line, diagnostic.span.column) == (1, 1)


def test_a_finding_in_an_alias_points_at_the_use_with_a_note_at_the_anchor() -> None:
    text = "a: &x {b: bad}\nc:\n  d: *x\n"
    [original, use] = diagnose(
        finding("EXPR_SYNTAX", ("a", "b")), finding("EXPR_SYNTAX", ("c", "d", "b")), text=text
    )
    assert (original.span.line, original.span.column, original.related) == (1, 11, ())
    assert (use.path, use.span.line, use.span.column, use.span.end_column) == ("c.d.b", 3, 6, 8)
    [note] = use.related
    assert (note.message, note.span.line, note.span.column) == ("anchored here", 1, 11)


def test_the_outermost_of_several_aliases_is_the_use() -> None:
    text = "a: &x bad\nb: &y {c: *x}\nd: *y\n"
    [diagnostic] = diagnose(finding("EXPR_SYNTAX", ("d", "c")), text=text)
    assert (diagnostic.span.line, diagnostic.span.column) == (3, 4)
    assert [place.span.line for place in diagnostic.related] == [1]


def test_an_alias_of_nothing_is_shown_at_its_use() -> None:
    [diagnostic] = diagnose(finding("SCHEMA_INVALID", ("b",)), text="a: &x\nb: *x\n")
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 4)
    assert [(place.span.line, place.span.column) for place in diagnostic.related] == [(1, 6)]


def test_a_key_whose_value_is_an_alias_is_in_its_own_place() -> None:
    text = "a: &x {b: 1}\nc: *x\n"
    [diagnostic] = diagnose(Finding("E2_UNKNOWN_FIELD", at("c").key, "x"), text=text)
    assert (diagnostic.span.line, diagnostic.span.column, diagnostic.related) == (2, 1, ())
    [inside] = diagnose(Finding("E2_UNKNOWN_FIELD", at("c", "b").key, "x"), text=text)
    assert (inside.span.line, inside.span.column) == (2, 4)


def test_diagnostics_are_in_the_order_of_their_places_and_each_once() -> None:
    first, second = finding("SCHEMA_INVALID", ("flows", "entry")), finding("SCHEMA_INVALID", ("version",))
    assert spans(diagnose(first, second, first)) == [(1, 10, 1, 11), (5, 10, 5, 14)]


def test_severity_and_family_come_from_the_catalog_unless_the_finding_says_otherwise() -> None:
    [default] = diagnose(finding("STEP_NEVER_RUNS", ("version",)))
    assert (default.severity, default.family) == ("warning", "proof")
    [own] = diagnose(finding("STEP_NEVER_RUNS", ("version",), severity=Severity.INFO))
    assert own.severity == "info"


def test_messages_stay_on_one_line_whatever_names_hold() -> None:
    [diagnostic] = diagnose(finding("SCHEMA_INVALID", ("version",), "`a\nb\x1b[31m\u2028é 日本` is bad"))
    assert diagnostic.message == "`a\\nb\\x1b[31m\\u2028é 日本` is bad"


def test_related_places_of_another_source() -> None:
    base, fragment = source_of("a: 1\n", "base.yaml"), source_of("\nb: 2\n", "fragment.yaml")
    found = Finding(
        "STATE_DEFINED_TWICE",
        Location(("b",), source=1).key,
        "x",
        related=(RelatedPlace(Location(("a",)).key, "first"),),
    )
    [diagnostic] = concretize([found], [base, fragment])
    assert (diagnostic.span.file, diagnostic.span.line) == ("fragment.yaml", 2)
    assert [(place.span.file, place.span.line) for place in diagnostic.related] == [("base.yaml", 1)]


def test_paths_are_written_as_in_the_language() -> None:
    [diagnostic] = diagnose(finding("SCHEMA_INVALID", ("flows", "main", "steps", 2, "gate")))
    assert diagnostic.path == "flows.main.steps[2].gate"


PARTS = st.sampled_from(["version", "flows", "main", "steps", "when", "x", 0, 1, 7])


@given(
    st.lists(PARTS, max_size=6).map(tuple),
    st.booleans(),
    st.none() | st.tuples(st.integers(0, 40), st.integers(0, 40)),
)
def test_every_location_has_a_place_in_the_text(path: Path, key: bool, inner: tuple[int, int] | None) -> None:
    location = Location(path, inner=inner)
    [diagnostic] = diagnose(Finding("SCHEMA_INVALID", location.key if key else location, "x"))
    span = diagnostic.span
    document = Document("x", TEXT)
    assert 1 <= span.line <= span.end_line <= len(document.line_starts)
    assert (span.line, span.column) <= (span.end_line, span.end_column)
    assert span.column <= len(document.line(span.line)) + 1
