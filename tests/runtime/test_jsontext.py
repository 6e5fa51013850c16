"""Values as JavaScript prints them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratum_runtime.jsontext import json_text, number_text, string_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1, "1"),
        (1.0, "1"),
        (-7, "-7"),
        (0.1, "0.1"),
        (1.5, "1.5"),
        (100.0, "100"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.5e21, "-1.5e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.234e-7, "1.234e-7"),
        (0.00001234, "0.00001234"),
        (123456789012345680000, "123456789012345680000"),
        (9007199254740993, "9007199254740992"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (5e-324, "5e-324"),
        (0.30000000000000004, "0.30000000000000004"),
    ],
)
def test_numbers(number: float, text: str) -> None:
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_their_value(number: float) -> None:
    text = number_text(number)
    assert float(text) == number
    assert ("e" in text) == (abs(number) >= 1e21 or 0 < abs(number) < 1e-6)


def test_strings_escape_only_what_must_be() -> None:
    assert (
        string_text('a"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é😀')
        == '"a\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é😀"'
    )
    assert string_text("\ud83dx\ude00") == '"\\ud83dx\\ude00"'


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_json_reads_back(value: object) -> None:
    assert json.loads(json_text(value), parse_int=float) == value


def test_json_is_compact_and_keeps_the_order_of_keys() -> None:
    assert (
        json_text({"b": [1.0, {}, []], "a": {"d": None, "c": True}})
        == '{"b":[1,{},[]],"a":{"d":null,"c":true}}'
    )


def test_json_of_any_depth() -> None:
    value: object = 1
    for _ in range(5000):
        value = [value]
    assert json_text(value) == "[" * 5000 + "1" + "]" * 5000
