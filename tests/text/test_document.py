"""Offsets to lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.text import Document, Span


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_end_counts_once(ending: str) -> None:
    text = f"one{ending}two{ending}three"
    document = Document("x", text)
    assert document.position(text.index("three")) == (3, 1)
    assert [document.line(number) for number in (1, 2, 3)] == ["one", "two", "three"]


def test_columns_are_code_points() -> None:
    assert Document("x", "é😀 here").position(3) == (1, 4)


def test_separators_of_unicode_do_not_end_a_line() -> None:
    assert Document("x", "a\u2028b\x85c\x0bd").position(6) == (1, 7)


def test_a_file_without_a_final_line_end_has_its_last_line() -> None:
    assert Document("x", "a\nb").line(2) == "b"


def test_a_final_line_end_is_followed_by_an_empty_line() -> None:
    assert Document("x", "a\n").position(2) == (2, 1)
    assert Document("x", "a\n").line(2) == ""


def test_offsets_outside_are_brought_inside() -> None:
    assert Document("x", "ab").span(-3, 9) == Span("x", 1, 1, 1, 3)


@given(st.text("ab\r\né", max_size=30), st.integers(0, 30))
def test_positions_grow_with_offsets(text: str, offset: int) -> None:
    document = Document("x", text)
    offset = min(offset, len(text))
    line, column = document.position(offset)
    assert document.line_starts[line - 1] + column - 1 == offset
    assert line == 1 or offset >= document.line_starts[line - 1]
