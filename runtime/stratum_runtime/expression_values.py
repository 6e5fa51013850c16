"""JSON values as expressions see them: doubles, UTF-16 strings, equality by structure (expressions.md)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_NESTING = 128
"""Levels that a bound value may lie inside others."""

BLOCKED_MEMBERS = ("__proto__", "constructor", "prototype")
_EXACT = 2**53
"""Up to here every integer is a double."""
_LARGEST = 1e21
"""From here on JavaScript prints numbers with an exponent."""


class EvaluationError(Exception):
    """Ends an evaluation with a failure; never leaves `stratum_runtime.expression`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def kind_of(value: Any) -> str:
    """What a value is, in the words of messages."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "no JSON value"


def as_double(number: float) -> float:
    """A number as the double it is read as."""
    try:
        return float(number)
    except OverflowError:
        raise too_large() from None


def too_large() -> EvaluationError:
    """The failure of reading an integer that no double holds."""
    return EvaluationError("type_error", "a number is too large for a double")


def finite(number: float, operator: str) -> float:
    """A result of arithmetic, which must be finite."""
    if number - number == 0:
        return number
    raise EvaluationError("type_error", f"the result of `{operator}` isn't finite")


def to_json(value: Any) -> Any:
    """A result as it is handed out, whole numbers as integers; inside of it, those beyond 2**53."""
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, (int, float)):
        return _plain(value)
    return _rounded(value) if _has_large_number(value) else value


def _plain(number: float) -> float:
    """A double as the number that JavaScript prints: what has no fraction, below 1e21, as an integer."""
    if -_EXACT <= number <= _EXACT:
        return int(number) if number == int(number) else number
    double = as_double(number)
    if not -_LARGEST < double < _LARGEST:
        return double
    from stratum_runtime.jsontext import number_text

    return int(number_text(double))


def _has_large_number(value: Any) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif (one.__class__ is int or one.__class__ is float) and not -_EXACT <= one <= _EXACT:
            return True
    return False


def _rounded(value: Any) -> Any:
    """A copy with the large numbers made plain; nesting was limited before."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    is_large = (value.__class__ is int or value.__class__ is float) and not -_EXACT <= value <= _EXACT
    return _plain(value) if is_large else value


def exceeds_nesting(value: Any) -> bool:
    """Whether some value lies more than MAX_NESTING levels inside."""
    level, depth = [value], 0
    while level:
        depth += 1
        inner: dict[int, Any] = {}
        filled = False
        for container in level:
            filled = filled or bool(container)
            for item in container.values() if isinstance(container, dict) else container:
                if isinstance(item, (dict, list)):
                    inner[id(item)] = item
        if filled and depth > MAX_NESTING:
            return True
        level = list(inner.values())
    return False


def member_of(value: Any, name: str) -> Any:
    """`value.name`."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        raise EvaluationError("type_error", f"there is no member `{name}`")
    raise EvaluationError("type_error", f"`.{name}` needs an object, not {kind_of(value)}")


def index_of(value: Any, index: int) -> Any:
    """`value[index]`."""
    if not isinstance(value, list):
        raise EvaluationError("type_error", f"`[{index}]` needs an array, not {kind_of(value)}")
    if index >= len(value):
        raise EvaluationError("type_error", f"`[{index}]` is past the end of an array of {len(value)}")
    return value[index]


def equal(left: Any, right: Any) -> bool:
    """Equality by structure: numbers as doubles, booleans no numbers, key order no matter."""
    if not isinstance(left, (dict, list)):
        return _same_scalar(left, right)
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            waiting.extend((item, b[key]) for key, item in a.items())
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            waiting.extend(zip(a, b, strict=True))
        elif not _same_scalar(a, b):
            return False
    return True


def _same_scalar(left: Any, right: Any) -> bool:
    kind, other = left.__class__, right.__class__
    if kind is str:
        return other is str and bool(left == right)
    if (kind is float or kind is int) and (other is float or other is int):
        return as_double(left) == as_double(right)
    return left is right


def code_units(text: str) -> bytes:
    """A string as bytes that sort by its UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def length_of(text: str) -> int:
    """The length of a string in UTF-16 code units."""
    return len(text) if text.isascii() else len(code_units(text)) // 2


def join(left: str, right: str) -> str:
    """Two strings in one; halves of a surrogate pair that meet become one character."""
    if left[-1:] >= "\ud800" and "\udc00" <= right[:1] <= "\udfff":
        return whole_pairs(left + right)
    return left + right


def join_all(parts: list[str]) -> str:
    """As `join`, of a chain of strings, of which only the first may be empty."""
    joined = "".join(parts)
    for number in range(1, len(parts)):
        if parts[number - 1][-1:] >= "\ud800" and "\udc00" <= parts[number][0] <= "\udfff":
            return whole_pairs(joined)
    return joined


def whole_pairs(text: str) -> str:
    """The text with surrogates that stand as pairs made the characters they mean."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def compare(left: Any, right: Any, operator: str) -> int:
    """Below, at or above zero as `left` is less, equal or greater; numbers, or strings by code units."""
    kind, other = left.__class__, right.__class__
    if (kind is float or kind is int) and (other is float or other is int):
        a, b = as_double(left), as_double(right)
        return int(a > b) - int(a < b)
    if kind is str and other is str:
        if left.isascii() and right.isascii():
            return int(left > right) - int(left < right)
        first, second = code_units(left), code_units(right)
        return int(first > second) - int(first < second)
    raise EvaluationError(
        "type_error",
        f"`{operator}` compares two numbers or two strings, not {kind_of(left)} and {kind_of(right)}",
    )


def contains(item: Any, container: Any) -> bool:
    """`item in container`: member of an array, substring of a string, key of an object."""
    if isinstance(container, list):
        return any(equal(item, member) for member in container)
    if not isinstance(container, (str, dict)):
        raise EvaluationError(
            "type_error", f"`in` needs an array, a string or an object, not {kind_of(container)}"
        )
    if not isinstance(item, str):
        where = "a string" if isinstance(container, str) else "an object"
        raise EvaluationError("type_error", f"only a string can be `in` {where}, not {kind_of(item)}")
    if isinstance(container, str):
        return item in container or _has_half(item, container)
    if item in BLOCKED_MEMBERS:
        raise EvaluationError("validation_error", f"the member `{item}` may not be named")
    return item in container


def _has_half(item: str, container: str) -> bool:
    """Whether `item` begins or ends with half of a pair and is found by code units."""
    if not ("\udc00" <= item[:1] <= "\udfff" or "\ud800" <= item[-1:] <= "\udbff"):
        return False
    units, wanted = code_units(container), code_units(item)
    found = units.find(wanted)
    while found >= 0 and found % 2:
        found = units.find(wanted, found + 1)
    return found >= 0
