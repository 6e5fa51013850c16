"""What the runtime raises; a refusal is a value (`step.Refused`), not an exception."""

from __future__ import annotations


class TableError(ValueError):
    """A table that can't be used: one line that says what is wrong with it."""
