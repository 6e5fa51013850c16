"""The functions that expressions may call (expressions.md, "Functions")."""

from __future__ import annotations

from stratum_runtime.expression_values import (
    EvaluationError,
    as_double,
    code_units,
    finite,
    kind_of,
    length_of,
    too_large,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_PATTERN = 256
"""Longest pattern of `matches`, in UTF-16 code units."""
MAX_TEXT = 4096
"""Longest text of `matches`, in UTF-16 code units."""

_DECIMAL = frozenset("0123456789")


def call_function(name: str, arguments: list[Any], files: Any) -> Any:
    """The value of a call on evaluated arguments; raises EvaluationError."""
    found = FUNCTIONS.get(name)
    if found is None:
        raise EvaluationError("unknown_function", f"there is no function `{name}`")
    if len(arguments) != found[0]:
        plural = "" if found[0] == 1 else "s"
        raise EvaluationError(
            "type_error", f"`{name}` takes {found[0]} argument{plural}, not {len(arguments)}"
        )
    if found[1] is None:
        return _ask_files(name, arguments, files)
    return found[1](*arguments)


def is_true(value: Any) -> bool:
    """Truth of any value: null, `false`, 0, and what is empty are untrue."""
    return bool(value)


def _len(value: Any) -> int:
    if isinstance(value, str):
        return length_of(value)
    if isinstance(value, (list, dict)):
        return len(value)
    raise EvaluationError("type_error", f"`len` takes a string, an array or an object, not {kind_of(value)}")


def _array(name: str, value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise EvaluationError("type_error", f"`{name}` takes an array, not {kind_of(value)}")


def _any(value: Any) -> bool:
    return any(map(is_true, _array("any", value)))


def _all(value: Any) -> bool:
    return all(map(is_true, _array("all", value)))


def _extreme(name: str, value: Any, pick: Callable[..., Any]) -> Any:
    items = _array(name, value)
    if items and all(item.__class__ is float or item.__class__ is int for item in items):
        return pick(map(as_double, items))
    if items and all(isinstance(item, str) for item in items):
        return pick(items, key=code_units)
    what = "an empty array has none" if not items else "all items must be numbers, or all strings"
    raise EvaluationError("type_error", f"`{name}`: {what}")


def _str(value: Any) -> str:
    if isinstance(value, str):
        return value
    from stratum_runtime.jsontext import json_text

    try:
        return json_text(value)
    except OverflowError:
        raise too_large() from None


def _int(value: Any) -> float:
    if value is True or value is False:
        return int(value)
    if isinstance(value, (int, float)):
        number = as_double(value)
        return finite(number - number % 1.0 if number >= 0 else number + -number % 1.0, "int")
    if not isinstance(value, str):
        raise EvaluationError(
            "type_error", f"`int` takes a boolean, a number or a string, not {kind_of(value)}"
        )
    digits = value[1:] if value[:1] in ("+", "-") else value
    if not digits or not _DECIMAL.issuperset(digits):
        raise EvaluationError("type_error", "`int` takes a string of decimal digits only")
    return finite(float(value), "int")


def _matches(text: Any, pattern: Any) -> bool:
    from stratum_runtime.pattern import PatternError, compile_pattern

    if not isinstance(text, str) or not isinstance(pattern, str):
        raise EvaluationError(
            "type_error", f"`matches` takes two strings, not {kind_of(text)} and {kind_of(pattern)}"
        )
    if length_of(pattern) > MAX_PATTERN:
        raise EvaluationError("resource_limit", f"the pattern is longer than {MAX_PATTERN} characters")
    if length_of(text) > MAX_TEXT:
        raise EvaluationError("resource_limit", f"the text is longer than {MAX_TEXT} characters")
    try:
        return compile_pattern(pattern).search(text)
    except PatternError as error:
        raise EvaluationError(
            "validation_error", f"pattern refused: {error.message} at its character {error.offset + 1}"
        ) from None


def _ask_files(name: str, arguments: list[Any], files: Any) -> bool:
    for argument in arguments:
        if not isinstance(argument, str):
            raise EvaluationError("type_error", f"`{name}` takes strings, not {kind_of(argument)}")
    if files is None:
        raise EvaluationError("validation_error", f"`{name}` needs a workspace root, and there is none")
    answer = files.exists(*arguments) if name == "file_exists" else files.contains(*arguments)
    if answer is True or answer is False:
        return answer
    raise EvaluationError(answer.code, answer.message)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any] | None]] = {
    "len": (1, _len),
    "any": (1, _any),
    "all": (1, _all),
    "min": (1, lambda value: _extreme("min", value, min)),
    "max": (1, lambda value: _extreme("max", value, max)),
    "str": (1, _str),
    "int": (1, _int),
    "bool": (1, is_true),
    "matches": (2, _matches),
    "file_exists": (1, None),
    "file_contains": (2, None),
}
"""Number of arguments, and what computes the value; None for those that ask the workspace."""
