"""Which value a YAML scalar has: the core schema of YAML 1.2 (section 10.3), and nothing of YAML 1.1."""

from __future__ import annotations

import re

from stratumc.text.tree import ScalarValue

_SPECIAL: dict[str, ScalarValue] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MAY_BE_NUMBER = frozenset("0123456789+-.")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_SAFE_DIGITS = 300
"""Decimal integers up to this length surely lie in the range of doubles."""


class NotFinite(ValueError):
    """A number that no finite double can hold (v1.md section 1); the message says which."""


def plain_value(text: str) -> ScalarValue:
    """The value of an untagged plain scalar.

    Raises NotFinite for infinities, not-a-number and numbers beyond the range of doubles.
    """
    if text in _SPECIAL:
        return _SPECIAL[text]
    if text[0] not in _MAY_BE_NUMBER:
        return text
    number = parse_number(text)
    return text if number is None else number


def parse_number(text: str) -> int | float | None:
    """The number that a text of the core schema is; None for any other text. Raises NotFinite."""
    if _DECIMAL.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _whole_or_fraction(float(text))
    if _OCTAL.fullmatch(text):
        return _bounded(int(text[2:], 8))
    if _HEXADECIMAL.fullmatch(text):
        return _bounded(int(text[2:], 16))
    if _NOT_FINITE.fullmatch(text):
        raise NotFinite("is no finite number")
    return None


def parse_boolean(text: str) -> bool | None:
    """The boolean that a text of the core schema is; None for any other text."""
    value = _SPECIAL.get(text)
    return value if isinstance(value, bool) else None


def is_null(text: str) -> bool:
    """Whether a text of the core schema is null."""
    return text in _SPECIAL and _SPECIAL[text] is None


def _integer(text: str) -> int:
    """A decimal integer, exact; checks its range first, because Python limits the digits it converts."""
    if len(text) <= _SAFE_DIGITS:
        return int(text)
    _whole_or_fraction(float(text))
    return int(text.lstrip("+-").lstrip("0") or "0") * (-1 if text[0] == "-" else 1)


def _bounded(number: int) -> int:
    try:
        float(number)
    except OverflowError:
        raise NotFinite("is larger than any number that can be computed with") from None
    return number


def _whole_or_fraction(number: float) -> int | float:
    """A number without a fraction is an integer (v1.md section 1)."""
    if number in (float("inf"), float("-inf")):
        raise NotFinite("is larger than any number that can be computed with")
    return int(number) if number.is_integer() else number
