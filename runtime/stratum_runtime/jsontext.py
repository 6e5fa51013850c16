"""Values as JavaScript prints them: the shortest number text, compact JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPES: dict[int, str] = {}


def number_text(number: float) -> str:
    """A finite number as JavaScript's `String(number)`: `1`, `0.1`, `1e+21`, `1e-7`, and `0` for -0."""
    if number.__class__ is int and -(2**53) <= number <= 2**53:
        return str(number)
    number = float(number)
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + ("" if fraction == "0" else fraction)
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    return sign + _placed(digits, point) if digits else "0"


def _placed(digits: str, point: int) -> str:
    """Digits with the decimal point after the first `point` of them, by exponent outside 1e-7 to 1e21."""
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        if point >= len(digits):
            return digits + "0" * (point - len(digits))
        return f"{digits[:point]}.{digits[point:]}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{tail}e{'-' if point <= 0 else '+'}{abs(point - 1)}"


def string_text(text: str) -> str:
    """A string as JSON, in double quotes; only what must be escaped is, and surrogates that stand alone."""
    if not _ESCAPES:
        _ESCAPES.update({code: f"\\u{code:04x}" for code in (*range(0x20), *range(0xD800, 0xE000))})
        _ESCAPES.update({ord(a): f"\\{b}" for a, b in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)})
    return f'"{text.translate(_ESCAPES)}"'


def scalar_text(value: str | float | bool | None) -> str:
    """A JSON scalar as JSON text."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    return string_text(value) if isinstance(value, str) else number_text(value)


def json_text(value: Any) -> str:
    """A JSON value as compact JSON, keys in their order; nesting of any depth."""
    parts: list[str] = []
    waiting: list[Any] = [iter((value,))]
    closing = [""]
    comma = False
    while waiting:
        for item in waiting[-1]:
            if comma:
                parts.append(",")
            comma = True
            if isinstance(item, _Entry):
                parts.append(string_text(item.key) + ":")
                item = item.value  # noqa: PLW2901
            if isinstance(item, dict):
                parts.append("{")
                waiting.append(map(_Entry, item.keys(), item.values()))
                closing.append("}")
                comma = False
                break
            if isinstance(item, list):
                parts.append("[")
                waiting.append(iter(item))
                closing.append("]")
                comma = False
                break
            parts.append(scalar_text(item))
        else:
            waiting.pop()
            parts.append(closing.pop())
            comma = True
    return "".join(parts)


class _Entry:
    """A key with its value on the way into the text."""

    __slots__ = ("key", "value")

    def __init__(self, key: str, value: Any) -> None:
        self.key = key
        self.value = value
