"""Values that callers hand in, as JSON text: what JSON can't hold is refused, nothing is coerced."""

from __future__ import annotations

import json
import math
from typing import Any

MAX_DEPTH = 500

encode = json.JSONEncoder(ensure_ascii=False).encode
"""A JSON value as text, whatever characters it holds."""


class NotJsonError(ValueError):
    """A value that is no JSON; the message says why."""


def json_text(value: object) -> str:
    """A value as JSON text, in UTF-8 where it can be. Raises NotJsonError."""
    require_json(value)
    text = encode(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def require_json(value: object) -> None:
    """Raises NotJsonError for what JSON can't hold. Walks without recursion: depth is a limit, no crash."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, dict | list | tuple):
            if depth > MAX_DEPTH:
                raise NotJsonError(f"it is nested deeper than {MAX_DEPTH} levels")
            if isinstance(item, dict) and not all(isinstance(key, str) for key in item):
                raise NotJsonError("a key isn't text")
            inside = item.values() if isinstance(item, dict) else item
            waiting += ((part, depth + 1) for part in inside)
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise NotJsonError("a number is not finite")
        elif item is not None and not isinstance(item, str | int):
            raise NotJsonError("it holds something that JSON does not have")
        elif isinstance(item, int) and item.bit_length() > 10_000:
            raise NotJsonError("a number is too large")
