"""Parts of what tools say in words: long texts are cut there, and whole in the data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

_LONGEST = 600
_DIAGNOSTICS = 20


def cut(value: Any) -> str:
    """A text, or a value as JSON; a long one is cut and says so."""
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}… ({len(words)} characters in all)"


def listed(names: Iterable[str]) -> str:
    """Names in a row."""
    return cut(", ".join(f"`{name}`" for name in names)) or "none"


def counted(number: int, what: str) -> str:
    """A number of things, in the singular where it is one."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def diagnostic_lines(diagnostics: Sequence[dict[str, Any]]) -> list[str]:
    """Diagnostics, a line each, the first so many."""
    lines = [_diagnostic(one) for one in diagnostics[:_DIAGNOSTICS]]
    more = len(diagnostics) - len(lines)
    return [*lines, f"and {more} more"] if more else lines


def _diagnostic(one: dict[str, Any]) -> str:
    span = one["span"]
    mend = f" ({cut(one['suggestion'])})" if one["suggestion"] else ""
    place = f"{span['file']}:{span['line']}:{span['column']}"
    return f"{place} {one['severity']} {one['code']}: {cut(one['message'])}{mend}"
