"""Symbolic places: what passes say instead of line numbers."""

from __future__ import annotations

import enum

from stratumc.text.record import record

Path = tuple[str | int, ...]


class Part(enum.Enum):
    """Which side of a mapping entry a location means."""

    KEY = "key"
    VALUE = "value"


@record
class Location:
    """A node of a source's tree, by path, and perhaps a range inside it.

    A part `KEY` means the key that ends the path; for a list item it means the item.
    A path that has no node stands for the nearest node above it that exists.
    """

    path: Path = ()
    part: Part = Part.VALUE
    inner: tuple[int, int] | None = None
    """Half-open range of code points inside the scalar's value (after escapes)."""
    source: int = 0
    """Index of the document among the inputs of one check (fragments follow their base)."""
    range: tuple[int, int] | None = None
    """Half-open range of offsets in the document; for faults of reading, where no tree exists."""

    @property
    def key(self) -> Location:
        """The key of this entry."""
        return Location(self.path, Part.KEY, self.inner, self.source, self.range)

    def child(self, *more: str | int) -> Location:
        """The value `more` steps below."""
        return Location(self.path + more, Part.VALUE, None, self.source)

    def within(self, start: int, stop: int) -> Location:
        """A range inside this scalar's value."""
        return Location(self.path, self.part, (start, stop), self.source, self.range)


def format_path(path: Path) -> str:
    """A path as diagnostics write it: dots between keys, `[n]` for items (v1.md section 1)."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
