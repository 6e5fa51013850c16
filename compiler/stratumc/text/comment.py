"""Comments of a text, which may hold suppressions."""

from __future__ import annotations

from stratumc.text.record import record


@record
class Comment:
    """One YAML comment, its `#` included."""

    start: int
    end: int
    text: str
    alone: bool
    """Nothing but white space stands before it on its line."""
