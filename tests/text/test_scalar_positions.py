"""Each character of a scalar's value is written where the positions say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.read.json_reader import read_json
from stratumc.read.yaml_reader import read_yaml
from stratumc.text import Document
from stratumc.text.scalar_positions import inner_range, value_pieces
from stratumc.text.tree import Entry, Mapping, Scalar


def scalar_of(text: str) -> Scalar:
    root = read_yaml(Document("x.yaml", text)).root
    assert isinstance(root, Mapping), text
    value = root.entries[0].value
    assert isinstance(value, Scalar)
    return value


CASES = [
    "k: plain text\n",
    "k: plain\n  over  \n\n  lines\n\n\n  here\n",
    "k: 'it''s\n   folded '\n",
    "k: ''\n",
    "k: ' a \n\n b '\n",
    'k: "a\\tb\\x41\\u00e9\\U0001F600 \\\n   joined\\\n\n  x \n y"\n',
    'k: ""\n',
    "k: |\n  one\n  two\n",
    "k: |-\n  one\n\n   two\n",
    "k: |+\n  one\n\n\nl: 1\n",
    "k: |2\n   one\n  two\n",
    "k: |1-   # comment\n   one\n  two\n",
    "k: >\n  one\n  two\n\n  three\n   more\n  back\n\n\n",
    "k: >-\n\n\n  one\n  two",
    "k: |\n \n  one\n",
    "k: >+\n  one\r\n  two\r\n\r\n  three\r\n",
    "k: |\r\n  one\r\n  two\r\n",
    "k: >2\n   x\n  y\n",
    "k: &a !!str  12\n",
    "k: a\u2028b\n",
]


@pytest.mark.parametrize("text", CASES)
def test_pieces_spell_the_value(text: str) -> None:
    scalar = scalar_of(text)
    assert "".join(piece[0] for piece in value_pieces(text, scalar)) == scalar.value


@pytest.mark.parametrize("text", CASES)
def test_pieces_are_in_order_and_do_not_overlap(text: str) -> None:
    pieces = list(value_pieces(text, scalar_of(text)))
    ends = [0] + [end for _, _, end in pieces]
    assert all(before <= start <= end for before, (_, start, end) in zip(ends, pieces, strict=False))


def test_a_range_in_a_double_quoted_scalar_covers_whole_escapes() -> None:
    text = 'k: "a\\u0041b"\n'
    start, end = inner_range(text, scalar_of(text), 1, 2)
    assert text[start:end] == "\\u0041"


def test_a_range_in_a_block_scalar_starts_behind_the_indentation() -> None:
    text = "k: |\n    first\n    second\n"
    start, end = inner_range(text, scalar_of(text), 6, 12)
    assert text[start:end] == "second"


def test_a_range_beyond_the_value_is_its_end() -> None:
    text = "k: 'abc'\n"
    assert inner_range(text, scalar_of(text), 9, 12) == (7, 7)


def test_numbers_are_covered_whole() -> None:
    text = "k: 0x1F\n"
    assert inner_range(text, scalar_of(text), 0, 1) == (3, 7)


def test_json_surrogate_pairs_are_one_character() -> None:
    text = '{"k": "x\\ud83d\\ude00y"}'
    root = read_json(Document("x.json", text)).root
    assert isinstance(root, Mapping)
    entry: Entry = root.entries[0]
    assert isinstance(entry.value, Scalar)
    assert inner_range(text, entry.value, 1, 2) == (8, 20)


LINES = st.lists(st.text("ab \t'\"\\:é", max_size=6), min_size=1, max_size=6)


@given(
    LINES, st.sampled_from(["|", "|-", "|+", ">", ">-", ">+", "|2", ">2-"]), st.sampled_from(["\n", "\r\n"])
)
def test_block_scalars_spell_their_value(lines: list[str], header: str, ending: str) -> None:
    text = ending.join([f"k: {header}", *("  " + line for line in lines), "l: 1", ""])
    result = read_yaml(Document("x.yaml", text))
    if result.root is None:
        return
    scalar = scalar_of(text)
    assert "".join(piece[0] for piece in value_pieces(text, scalar)) == scalar.value


@given(st.lists(st.text("ab é#", max_size=6), min_size=1, max_size=5), st.sampled_from("'\" "))
def test_flow_scalars_spell_their_value(lines: list[str], quote: str) -> None:
    quote = quote.strip()
    text = f"k: {quote}" + "\n  ".join(lines) + f"{quote}\n"
    result = read_yaml(Document("x.yaml", text))
    if result.root is None:
        return
    scalar = scalar_of(text)
    if isinstance(scalar.value, str):
        assert "".join(piece[0] for piece in value_pieces(text, scalar)) == scalar.value


@given(st.text(max_size=20))
def test_json_strings_spell_their_value(value: str) -> None:
    import json

    for ascii_only in (True, False):
        text = json.dumps({"k": value}, ensure_ascii=ascii_only)
        root = read_json(Document("x.json", text)).root
        if root is None:
            assert any(0xD800 <= ord(c) <= 0xDFFF for c in value)
            return
        assert isinstance(root, Mapping)
        scalar = root.entries[0].value
        assert isinstance(scalar, Scalar)
        assert scalar.value == value
        assert "".join(piece[0] for piece in value_pieces(text, scalar)) == value
