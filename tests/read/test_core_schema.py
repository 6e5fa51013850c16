"""Scalars of YAML 1.2's core schema, and of nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.read.core_schema import NotFiniteError, plain_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, None) for text in ("", "~", "null", "Null", "NULL")),
        *((text, True) for text in ("true", "True", "TRUE")),
        *((text, False) for text in ("false", "False", "FALSE")),
        *((text, text) for text in ("yes", "no", "on", "off", "Yes", "ON", "y", "n", "tRUE", "nULL", "None")),
        *(
            (text, text)
            for text in ("2026-01-01", "12:30:00", "190:20:30", "1_000", "0b101", "0x", "0o8", "1e", "e3")
        ),
        *(
            (text, text)
            for text in ("-", "+", ".", "..", "+-1", "1.2.3", "1,5", ".e3", "0x1G", "-0x1", "<<", "=")
        ),
        ("0", 0),
        ("08", 8),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("-12", -12),
        ("+12", 12),
        ("3.0", 3),
        ("3.", 3),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1e3", 1000),
        ("1.5E-1", 0.15),
        ("12345678901234567890123", 12345678901234567890123),
        ("1e-999", 0),
        ("0" * 5000 + "7", 7),
    ],
)
def test_plain_values(text: str, value: Any) -> None:
    found = plain_value(text)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    "text",
    [
        ".inf",
        "-.Inf",
        "+.INF",
        ".nan",
        ".NaN",
        ".NAN",
        "1e999",
        "-1e999",
        "9" * 400,
        "9" * 9000,
        "0x" + "f" * 300,
    ],
)
def test_numbers_that_are_not_finite(text: str) -> None:
    with pytest.raises(NotFiniteError):
        plain_value(text)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(number: float) -> None:
    assert plain_value(repr(number)) == number


@given(st.integers(0, 10**6), st.integers(0, 20))
def test_a_number_without_a_fraction_is_an_integer(number: int, zeros: int) -> None:
    assert type(plain_value(f"{number}.{'0' * zeros}")) is int
