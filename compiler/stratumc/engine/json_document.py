"""A JSON text as values that can be edited and written again: key order and the spelling of numbers stay."""

from __future__ import annotations

import json
from typing import Any


class NumberText(str):
    """A number as it is spelt in the text."""

    __slots__ = ()


def parse(text: str) -> Any:
    """The value of a valid JSON text, numbers as `NumberText`."""
    return json.loads(text, parse_int=NumberText, parse_float=NumberText)


def dump(value: Any) -> str:
    """A value as JSON with an indent of two spaces and a final line end."""
    return _text(value, "\n") + "\n"


def _text(value: Any, line: str) -> str:
    inner = line + "  "
    if isinstance(value, NumberText):
        return str(value)
    if isinstance(value, dict) and value:
        members = [f"{_string(key)}: {_text(item, inner)}" for key, item in value.items()]
        return "{" + inner + ("," + inner).join(members) + line + "}"
    if isinstance(value, list) and value:
        return "[" + inner + ("," + inner).join(_text(item, inner) for item in value) + line + "]"
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _string(value: str) -> str:
    """As it is, and escaped where it holds half a surrogate pair, which UTF-8 can't."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if any(0xD800 <= ord(mark) < 0xE000 for mark in text) else text
