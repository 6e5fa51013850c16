"""What callers may pass to the engine; anything else is an `invalid_argument`, never an exception."""

from __future__ import annotations

import math
import os
import sys
from typing import Any

MAX_DEPTH = 200
"""Deepest nesting of a JSON value that the engine takes."""

MAX_CHARACTERS = 8_000_000
"""Largest JSON value, counted in characters of its texts plus one for every value in it."""

MAX_TEXT = 100_000
"""Longest name, label, rationale or reason, in characters."""

MAX_BITS = 13_000
"""Largest integer of a usage, in bits: about 3900 digits, which isn't a wrong argument but a wrong usage."""

OUTCOMES = ("approve", "revise", "kill")
RESOLVERS = ("human", "agent", "system")
STATUSES = ("in_progress", "complete", "failed", "killed", "budget_exhausted", "cancelled")


class ArgumentError(Exception):
    """An argument that can't be used: which one, and what is wrong with it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"`{name}` {message}")
        self.name = name


def check_text(name: str, value: Any, *, empty: bool = True, limit: int = MAX_TEXT) -> str:
    """A text that can be stored and shown. Raises ArgumentError."""
    if not isinstance(value, str):
        raise ArgumentError(name, f"must be a text, not {kind_of(value)}")
    if not value and not empty:
        raise ArgumentError(name, "must not be empty")
    if len(value) > limit:
        raise ArgumentError(name, f"is longer than {limit} characters")
    if "\0" in value or not _is_unicode(value):
        raise ArgumentError(name, "holds characters that no text may hold")
    return value


def check_optional_text(name: str, value: Any) -> str | None:
    """A text or nothing. Raises ArgumentError."""
    return None if value is None else check_text(name, value)


def check_optional_object(name: str, value: Any) -> dict[str, Any] | None:
    """A JSON object or nothing. Raises ArgumentError."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ArgumentError(name, f"must be an object, not {kind_of(value)}")
    check_json(name, value)
    return value


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of a few words. Raises ArgumentError."""
    if not isinstance(value, str) or value not in choices:
        raise ArgumentError(name, f"must be one of {', '.join(choices)}")
    return value


def check_limit(name: str, value: Any) -> int | None:
    """A positive number of lines, or nothing. Raises ArgumentError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**31:
        raise ArgumentError(name, "must be a positive integer")
    return value


def check_folder(name: str, value: Any) -> str | None:
    """The absolute path of a folder that is there, or nothing. Raises ArgumentError."""
    if value is None:
        return None
    if not isinstance(value, str | os.PathLike):
        raise ArgumentError(name, f"must be a path, not {kind_of(value)}")
    path = os.fspath(value)
    if not isinstance(path, str):
        raise ArgumentError(name, "must be a path in text")
    check_text(name, path, empty=False)
    if not os.path.isdir(path):
        raise ArgumentError(name, "names no folder that is there")
    return os.path.realpath(path)


def check_json(name: str, value: Any, *, any_integer: bool = False) -> Any:
    """A JSON value of sensible size; with `any_integer` also integers that no double holds.

    Raises ArgumentError.
    """
    open_values, left = [(value, 0)], MAX_CHARACTERS
    while open_values:
        current, depth = open_values.pop()
        left -= 1
        if isinstance(current, str):
            left -= len(current)
        elif isinstance(current, dict):
            for key in current:
                if not isinstance(key, str):
                    raise ArgumentError(name, "has an object with a key that isn't text")
                left -= len(key)
            open_values.extend((item, depth + 1) for item in current.values())
        elif isinstance(current, list):
            open_values.extend((item, depth + 1) for item in current)
        elif not (current is None or isinstance(current, bool)):
            is_large = any_integer and isinstance(current, int) and current.bit_length() <= MAX_BITS
            if not is_large:
                _check_number(name, current)
        if depth > MAX_DEPTH:
            raise ArgumentError(name, f"is nested deeper than {MAX_DEPTH} levels")
        if left < 0:
            raise ArgumentError(name, f"is larger than {MAX_CHARACTERS} characters")
    return value


def within_doubles(value: Any) -> Any:
    """The value with each integer that no double holds as its digits: readers of JSON needn't take it."""
    if isinstance(value, dict):
        return {key: within_doubles(item) for key, item in value.items()}
    if isinstance(value, list):
        return [within_doubles(item) for item in value]
    is_large = isinstance(value, int) and abs(value) > sys.float_info.max
    return str(value) if is_large else value


def _check_number(name: str, value: Any) -> None:
    if not isinstance(value, int | float):
        raise ArgumentError(name, f"holds {kind_of(value)}, which isn't a JSON value")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ArgumentError(name, "holds a number that JSON doesn't have")


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def kind_of(value: Any) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    kinds = (
        (bool, "a boolean"),
        (str, "a text"),
        (int | float, "a number"),
        (list, "a list"),
        (dict, "an object"),
    )
    return next((word for kind, word in kinds if isinstance(value, kind)), "something else")
