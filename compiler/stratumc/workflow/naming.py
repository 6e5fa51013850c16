"""How messages show names that users chose: in backticks, whole, on one line."""

from __future__ import annotations


def shown(name: str) -> str:
    """A name in backticks, with escapes for what would break a line or can't be printed."""
    if not name:
        return "an empty name"
    if name.isprintable():
        return f"`{name}`"
    return "`" + "".join(mark if mark.isprintable() else _escape(mark) for mark in name) + "`"


def _escape(mark: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(mark, f"\\u{ord(mark):04x}")
