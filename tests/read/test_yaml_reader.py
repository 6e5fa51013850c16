"""YAML 1.2 to trees: values, keys, places, anchors, limits; with libyaml and with PyYAML alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stratumc.diagnostics import Diagnostic, Source, concretize
from stratumc.read.result import ReadResult
from stratumc.read.yaml_reader import read_yaml
from stratumc.text import Document
from stratumc.text.tree import Mapping, Scalar, descend
from support.trees import nodes, plain


@pytest.fixture(params=[None, True], ids=["libyaml", "pure"])
def pure(request: pytest.FixtureRequest) -> bool | None:
    chosen: bool | None = request.param
    return chosen


def read(text: str, pure: bool | None = None) -> ReadResult:
    return read_yaml(Document("x.yaml", text), pure=pure)


def faults(text: str, pure: bool | None = None) -> tuple[Diagnostic, ...]:
    document = Document("x.yaml", text)
    result = read_yaml(document, pure=pure)
    return concretize(result.findings, [Source(document, result.root)])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on: push\nyes: no\n", {"on": "push", "yes": "no"}),
        (
            "1e3: a\n08: b\ntrue: c\n2026-01-01: d\n~: e\n",
            dict(zip(["1e3", "08", "true", "2026-01-01", "~"], "abcde", strict=True)),
        ),
        ("<<: {a: 1}\nb: 2\n", {"<<": {"a": 1}, "b": 2}),
        ("a: &x {b: 1}\n<<: *x\n", {"a": {"b": 1}, "<<": {"b": 1}}),
        ("{a: string?}", {"a": "string?"}),
        ("{a: string?, b?: [c?, d ?]}", {"a": "string?", "b?": ["c?", "d ?"]}),
        ("{a:}", {"a": None}),
        ("[a:, b]", [{"a": None}, "b"]),
        ("{'a':1}", {"a": 1}),
        ("{a: http://x/?y=z}", {"a": "http://x/?y=z"}),
        ("a:\tb\t# c\nd: 'e'\t\n", {"a": "b", "d": "e"}),
        ("a: 'b'\n\t\nc: d\n", {"a": "b", "c": "d"}),
        ("a: b\n\t# comment\nc: d\n", {"a": "b", "c": "d"}),
        ("-\ta\n- b\tc\n", ["a", "b\tc"]),
        ("a: |\n \tb\n", {"a": "\tb\n"}),
        ("a: b\u2028c\nd: e\x85f\n", {"a": "b\u2028c", "d": "e\x85f"}),
        ('a: "b\u2028 c"\n', {"a": "b\u2028 c"}),
        ("a: |\n  b\u2029c\n", {"a": "b\u2029c\n"}),
        ('"\\L": \ufeffx\n', {"\u2028": "\ufeffx"}),
        (
            "a: !!str 12\nb: !!int '3'\nc: !!float 3\nd: !!null ''\ne: !!bool 'true'\nf: ! 12\n",
            {"a": "12", "b": 3, "c": 3, "d": None, "e": True, "f": "12"},
        ),
        ("a: !!map {b: !!seq [1]}\n", {"a": {"b": [1]}}),
        ("a: '1'\nb: \"true\"\nc: |-\n  2\n", {"a": "1", "b": "true", "c": "2"}),
        ("%YAML 1.2\n---\na: 1\n...\n", {"a": 1}),
        ("--- # c\n- a\n", ["a"]),
        ("? a\n: b\n", {"a": "b"}),
        ('a: "\\uD7FF\\u00e9\\/\\\n  x"', {"a": "\ud7ffé/x"}),
        ("a: b\r\nc: |\r\n  d\r\n  e\r\n", {"a": "b", "c": "d\ne\n"}),
    ],
)
def test_values(text: str, value: Any, pure: bool | None) -> None:
    result = read(text, pure)
    assert not result.findings
    assert plain(result.root) == value


PLACES = (
    "k: é😀v\n'q' : \"d\\n\"\nlist:\n- a\n-   {x: [1, 2]}\nblock: |  # c\n  one\n  two\n\n"
    "anchored: &n !!str  tagged\nempty:\n"
)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("k",), "é😀v"),
        (("q",), '"d\\n"'),
        (("list",), "- a\n-   {x: [1, 2]}"),
        (("list", 1), "{x: [1, 2]}"),
        (("list", 1, "x", 1), "2"),
        (("block",), "|  # c\n  one\n  two"),
        (("anchored",), "tagged"),
        (("empty",), ""),
    ],
)
def test_places_of_values(path: tuple[str | int, ...], text: str, ending: str, pure: bool | None) -> None:
    source = PLACES.replace("\n", ending)
    root = read(source, pure).root
    assert root is not None
    node = descend(root, path)[0][-1]
    assert source[node.start : node.end] == text.replace("\n", ending)


def test_places_of_keys(pure: bool | None) -> None:
    root = read(PLACES, pure).root
    assert isinstance(root, Mapping)
    keys = [PLACES[entry.key.start : entry.key.end] for entry in root.entries]
    assert keys == ["k", "'q'", "list", "block", "anchored", "empty"]


@pytest.mark.parametrize("text", ["a: &x\n  b: 1\nc: &y\n- 1\nd: &z !!map {e: 1}\nf: !!seq\n  - g\n"])
def test_collections_begin_behind_their_anchor_and_tag(text: str, pure: bool | None) -> None:
    root = read(text, pure).root
    assert isinstance(root, Mapping)
    values = [text[entry.value.start : entry.value.end] for entry in root.entries]
    assert values == ["b: 1", "- 1", "{e: 1}", "- g"]


def test_both_places_of_a_duplicate_key(pure: bool | None) -> None:
    [fault] = faults("x:\n  a: 1\n  'a': 2\n", pure)
    assert (fault.code, fault.path) == ("DUPLICATE_KEY", "x.a")
    assert (fault.span.line, fault.span.column, fault.span.end_column) == (3, 3, 6)
    [first] = fault.related
    assert (first.message, first.span.line, first.span.column) == ("first used here", 2, 3)


def test_the_first_of_two_values_is_kept_and_the_second_has_no_faults_of_its_own_key() -> None:
    result = read("a: 1\na: {b: 1, b: 2}\nc: 3\n")
    assert plain(result.root) == {"a": 1, "c": 3}
    assert [finding.code for finding in result.findings] == ["DUPLICATE_KEY", "DUPLICATE_KEY"]


@pytest.mark.parametrize("text", ["? [a]\n: b\n", "? {a: 1}\n: b\n", "{[a]: b}", "x: {{ y }}\n"])
def test_keys_are_text(text: str, pure: bool | None) -> None:
    [fault] = faults(text, pure)
    assert fault.code == "YAML_INVALID"
    assert fault.message.startswith("a key must be text, not a ")


def test_an_unquoted_template_gets_the_mend(pure: bool | None) -> None:
    [fault] = faults("x: {{ y }}\n", pure)
    assert (fault.path, fault.suggestion) == ("x", "quote the text")


def test_an_alias_as_key_gets_a_hint(pure: bool | None) -> None:
    [fault] = faults("a: &name x\n*name : y\n", pure)
    assert (fault.code, fault.span.line) == ("YAML_INVALID", 2)
    assert fault.suggestion == "quote it, `'*name'`, if the key begins with a star"


def test_aliases_carry_their_use_and_share_their_content(pure: bool | None) -> None:
    text = "a: &x {b: [1]}\nc: *x\n"
    root = read(text, pure).root
    assert isinstance(root, Mapping)
    original, copy = (entry.value for entry in root.entries)
    assert isinstance(original, Mapping)
    assert isinstance(copy, Mapping)
    assert copy.use is not None
    assert text[slice(*copy.use)] == "*x"
    assert copy.entries is original.entries
    assert copy.get("b") is original.get("b")


def test_an_anchor_may_be_set_again(pure: bool | None) -> None:
    assert plain(read("- &a 1\n- *a\n- &a 2\n- *a\n", pure).root) == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: *b\n", "there is no anchor `&b` before this alias"),
        ("a: &b [*b]\n", "the alias `*b` is inside its own anchor"),
        ("a: &b {c: {d: *b}}\n", "the alias `*b` is inside its own anchor"),
        ("a: !foo b\n", "the tag `!foo` is not one of YAML's core schema"),
        ("a: !!binary b\n", "the tag `!!binary` is not one of YAML's core schema"),
        ("!x a: b\n", "the tag `!x` is not one of YAML's core schema"),
        ("a: !!set {b}\n", "the tag `!!set` is not one of YAML's core schema"),
        ("a: !!int x\n", "`x` is not what its tag `!!int` says"),
        ("a: !!int 1.5\n", "`1.5` is not what its tag `!!int` says"),
        ("%TAG !e! tag:x,2000:\n---\na: 1\n", "`%TAG` is not supported"),
        ("a: 1\n---\nb: 2\n", "a second document begins here"),
    ],
)
def test_refused(text: str, message: str, pure: bool | None) -> None:
    assert [(fault.code, fault.message) for fault in faults(text, pure)] == [("YAML_INVALID", message)]


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments", "   \n"])
def test_a_file_without_a_document(text: str, pure: bool | None) -> None:
    [fault] = faults(text, pure)
    assert (fault.code, fault.message) == ("SCHEMA_INVALID", "the file holds no document")
    assert read(text, pure).root is None


@pytest.mark.parametrize("number", [".nan", "-.inf", "1e999"])
def test_numbers_that_are_not_finite_have_their_path(number: str, pure: bool | None) -> None:
    [fault] = faults(f"a:\n  - b: {number}\n", pure)
    assert (fault.code, fault.path, fault.span.line, fault.span.column) == ("SCHEMA_INVALID", "a[0].b", 2, 8)


def bomb(width: int, depth: int) -> str:
    lines = ["a0: &a0 [" + ", ".join(["x"] * width) + "]"]
    for level in range(1, depth):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * width) + "]")
    return "\n".join(lines)


def test_an_alias_bomb_is_refused_without_being_expanded(pure: bool | None) -> None:
    [fault] = faults(bomb(10, 50), pure)
    assert (fault.code, fault.message) == ("LIMIT_EXCEEDED", "the aliases stand for more than 100,000 nodes")


def test_nodes_in_their_own_place_are_not_counted_as_aliases(pure: bool | None) -> None:
    text = "a: &a [1, 2]\nb: *a\nc:\n" + "- x\n" * (1_000 if pure else 120_000)
    assert not faults(text, pure)


def test_depth_through_aliases_counts(pure: bool | None) -> None:
    text = "a: &a " + "[" * 300 + "]" * 300 + "\nb: " + "[" * 300 + "*a" + "]" * 300 + "\n"
    [fault] = faults(text, pure)
    assert (fault.code, fault.span.line) == ("LIMIT_EXCEEDED", 2)


@pytest.mark.parametrize("depth", [600, 2_000, 100_000])
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "[{a: "])
def test_nesting_is_limited(depth: int, opening: str, pure: bool | None) -> None:
    [fault] = faults(opening * depth, pure)
    assert fault.code == "LIMIT_EXCEEDED"
    assert fault.message == "lists and mappings are nested more than 500 deep"


def test_deep_indentation_is_limited(pure: bool | None) -> None:
    text = "".join(" " * level + "a:\n" for level in range(600))
    assert [fault.code for fault in faults(text, pure)] == ["LIMIT_EXCEEDED"]


def test_five_hundred_levels_are_read(pure: bool | None) -> None:
    assert not faults("[" * 500 + "]" * 500, pure)


def test_every_node_lies_in_the_text_and_inside_its_parent() -> None:
    root = read(PLACES).root
    assert root is not None
    for node in nodes(root):
        assert 0 <= node.start <= node.end <= len(PLACES)
        assert node is root or root.start <= node.start <= node.end <= root.end


def test_keys_are_always_strings() -> None:
    root = read("1: a\ntrue: b\n~: c\n1.5: d\n!!int 7: e\n").root
    assert isinstance(root, Mapping)
    assert [entry.name for entry in root.entries] == ["1", "true", "~", "1.5", "7"]
    assert all(isinstance(entry.key, Scalar) for entry in root.entries)


def test_reading_stops_after_a_thousand_faults(pure: bool | None) -> None:
    found = faults("a: 1\n" * 3_000, pure)
    assert len(found) == 1_001
    assert (found[-1].code, found[-1].message) == ("LIMIT_EXCEEDED", "reading stopped after 1,000 faults")
    assert found[-1].span.line == 1_001


@pytest.mark.parametrize(
    ("written", "value"),
    [(r"\ud83d\ude00", "😀"), (r"a \uD83D\uDE00\uD83D\uDE01!", "a 😀😁!"), (r"\\ud83d", r"\ud83d")],
)
def test_pairs_of_escapes_mean_what_they_mean_in_json(written: str, value: str, pure: bool | None) -> None:
    tree = read(f'a: "{written}"', pure)
    assert tree.root is not None
    assert (plain(tree.root), tree.findings) == ({"a": value}, ())
    assert json.loads(f'"{written}"') == value


@pytest.mark.parametrize(
    ("written", "place"),
    [(r"\ud83d", (4, 10)), (r"\ude00\ud83d", (4, 10)), (r"\ud83d\ude00 \ud83d", (17, 23))],
)
def test_half_a_pair_is_no_character(written: str, place: tuple[int, int], pure: bool | None) -> None:
    (found,) = read(f'a: "{written}"', pure).findings
    assert (found.code, found.at.range) == ("YAML_INVALID", place)
