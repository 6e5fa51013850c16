"""How a line of text looks in a terminal: which cell each character takes, and what stays out of it."""

from __future__ import annotations

import unicodedata

TAB = 4
"""Cells that a tab is shown as, wherever it stands."""


def shown(text: str) -> str:
    """A text without anything that could move the cursor: tabs are spaces, control characters a sign."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown_character(character) for character in text)


def width(text: str) -> int:
    """Cells that `shown(text)` takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_cells(character) for character in text)


def _shown_character(character: str) -> str:
    if character == "\t":
        return " " * TAB
    return "\ufffd" if _is_unsafe(character) else character


def _cells(character: str) -> int:
    if character == "\t":
        return TAB
    if _is_unsafe(character):
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _is_unsafe(character: str) -> bool:
    """Controls, line separators, and the marks that reorder text around them."""
    return (
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or "\u202a" <= character <= "\u202e"
        or "\u2066" <= character <= "\u2069"
    )
