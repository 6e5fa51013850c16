"""Which value a YAML scalar has: the core schema of YAML 1.2 (section 10.3), and nothing of YAML 1.1."""

from __future__ import annotations

import re

from stratumc.text.tree import ScalarValue

_SPECIAL: dict[str, ScalarValue] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
SCALAR_KINDS = frozenset(("str", "int", "float", "bool", "null"))
"""The tags of scalars in the core schema, without `tag:yaml.org,2002:`."""
_MAY_BE_NUMBER = frozenset("0123456789+-.")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_SAFE_DIGITS = 300
"""Decimal integers up to this length surely lie in the range of doubles."""


class NotFiniteError(ValueError):
    """A number that no finite double can hold (v1.md section 1); the message says which."""


class TagError(ValueError):
    """A text that is not what its tag says."""


def plain_value(text: str) -> ScalarValue:
    """The value of an untagged plain scalar.

    Raises NotFiniteError for infinities, not-a-number and numbers beyond the range of doubles.
    """
    if text in _SPECIAL:
        return _SPECIAL[text]
    if text[0] not in _MAY_BE_NUMBER:
        return text
    number = parse_number(text)
    return text if number is None else number


def parse_number(text: str) -> int | float | None:
    """The number that a text of the core schema is; None for any other text. Raises NotFiniteError."""
    if _DECIMAL.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _whole_or_fraction(float(text))
    if _OCTAL.fullmatch(text):
        return _bounded(int(text[2:], 8))
    if _HEXADECIMAL.fullmatch(text):
        return _bounded(int(text[2:], 16))
    if _NOT_FINITE.fullmatch(text):
        raise NotFiniteError("isn't a finite number")
    return None


def tagged_value(kind: str, text: str) -> ScalarValue:
    """The value of a text with the tag `!!kind`, one of SCALAR_KINDS.

    Raises NotFiniteError, and TagError when the text is not what the tag says.
    """
    if kind == "str":
        return text
    special = _SPECIAL.get(text, text)
    if (kind == "null" and special is None) or (kind == "bool" and isinstance(special, bool)):
        return special
    if kind in ("int", "float"):
        number = parse_number(text)
        if number is not None and (kind == "float" or isinstance(number, int)):
            return number
    raise TagError


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
        raise NotFiniteError("is larger than any number that can be computed with") from None
    return number


def _whole_or_fraction(number: float) -> int | float:
    """A number without a fraction is an integer (v1.md section 1)."""
    if number in (float("inf"), float("-inf")):
        raise NotFiniteError("is larger than any number that can be computed with")
    return int(number) if number.is_integer() else number
