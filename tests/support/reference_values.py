"""What values mean in the reference interpreter: contracts, references, rendering, JSON equality."""

from __future__ import annotations

import enum
import json
import math
import re
from collections.abc import Callable
from typing import Any


class Absent(enum.Enum):
    """The one value that stands for "no value at all" (an enum, so that copies of it are it)."""

    ABSENT = 0


ABSENT: Any = Absent.ABSENT

REFERENCE = re.compile(r"\$\{([^}]*)\}")
PART = re.compile(r"\.([a-zA-Z0-9_-]+)|\[(\d+)\]")
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]*")


def equal(a: Any, b: Any) -> bool:
    """JSON equality: 1 is 1.0, true is not 1, the order of keys does not matter."""
    if a is ABSENT or b is ABSENT:
        return a is b
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return float(a) == float(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return type(a) is type(b) and bool(a == b)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def violations(contracts: dict[str, Any], type_text: str, value: Any, path: str = "") -> list[str]:
    """What is wrong with `value` as a `type_text`: entries `missing:path`, `extra:path`, `wrong:path`."""
    if type_text.endswith("?"):
        if value is None or value is ABSENT:
            return []
        type_text = type_text[:-1]
    if value is ABSENT:
        return [f"missing:{path}"]
    if type_text.endswith("[]"):
        if not isinstance(value, list):
            return [f"wrong:{path}"]
        inner = type_text[:-2]
        return [v for n, item in enumerate(value) for v in violations(contracts, inner, item, f"{path}[{n}]")]
    if type_text.startswith("(") and type_text.endswith(")"):
        type_text = type_text[1:-1]
    if type_text in contracts and "|" not in type_text:
        return fields(contracts, contracts[type_text], value, path)
    tests: dict[str, Callable[[], bool]] = {
        "string": lambda: isinstance(value, str),
        "integer": lambda: is_number(value) and float(value).is_integer(),
        "number": lambda: is_number(value),
        "boolean": lambda: isinstance(value, bool),
        "object": lambda: isinstance(value, dict),
        "array": lambda: isinstance(value, list),
    }
    if type_text in tests:
        fits = tests[type_text]()
    else:
        fits = isinstance(value, str) and value in type_text.split("|")
    return [] if fits else [f"wrong:{path}"]


def fields(contracts: dict[str, Any], declared: dict[str, str], value: Any, path: str = "") -> list[str]:
    """What is wrong with `value` as an object of exactly the declared fields."""
    if value is ABSENT:
        return [f"missing:{path}"]
    if not isinstance(value, dict):
        return [f"wrong:{path}"]
    below = f"{path}." if path else ""
    found = [f"extra:{below}{name}" for name in value if name not in declared]
    for name, type_text in declared.items():
        found += violations(contracts, type_text, value.get(name, ABSENT), below + name)
    return sorted(found)


def walk(value: Any, path: str) -> Any:
    """The part of `value` at `path` (`.a[0].b`), or ABSENT."""
    for match in PART.finditer(path):
        name, index = match.groups()
        if value is ABSENT:
            return ABSENT
        if name is not None:
            value = value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
        else:
            known = isinstance(value, list) and int(index) < len(value)
            value = value[int(index)] if known else ABSENT
    return value


def split(reference: str) -> tuple[str, str]:
    """A reference's text as the name it begins with and the path after it."""
    match = NAME.match(reference)
    assert match is not None
    return match[0], reference[match.end() :]


def render(text: str, lookup: Any) -> Any:
    """`text` with every reference filled in by `lookup(reference)`; ABSENT when one has no value."""
    whole = re.fullmatch(r"\$\{([^}]*)\}", text)
    if whole:
        return lookup(whole[1])
    pieces, end = [], 0
    for match in REFERENCE.finditer(text):
        value = lookup(match[1])
        if value is ABSENT:
            return ABSENT
        pieces += [text[end : match.start()], as_text(value)]
        end = match.end()
    return "".join([*pieces, text[end:]])


def render_all(value: Any, lookup: Any) -> Any:
    """`render` on every string inside a JSON value; ABSENT when any reference has no value."""
    if isinstance(value, str):
        return render(value, lookup)
    if isinstance(value, list):
        items = [render_all(item, lookup) for item in value]
        return ABSENT if any(item is ABSENT for item in items) else items
    if isinstance(value, dict):
        members = {key: render_all(item, lookup) for key, item in value.items()}
        return ABSENT if any(item is ABSENT for item in members.values()) else members
    return value


def as_text(value: Any) -> str:
    """How a value stands inside rendered text."""
    if isinstance(value, str):
        return value
    return "" if value is None else compact(value)


def compact(value: Any) -> str:
    """Compact JSON as JavaScript prints it."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{compact(str(k))}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    if isinstance(value, str):
        plain = json.dumps(value, ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", plain)
    if is_number(value):
        return number_text(float(value))
    return json.dumps(value)


def number_text(value: float) -> str:
    """A double as JavaScript prints it."""
    if value == 0:
        return "0"
    mantissa, exponent_text = f"{abs(value)!r}", 0
    if "e" in mantissa:
        mantissa, exponent = mantissa.split("e")
        exponent_text = int(exponent)
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + exponent_text - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if 0 < point <= 21:
        left, right = digits[:point].ljust(point, "0"), digits[point:]
        return sign + left + (f".{right}" if right else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    head = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{sign}{head}e{'+' if point > 0 else '-'}{abs(point - 1)}"
