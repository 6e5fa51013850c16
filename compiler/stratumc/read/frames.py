"""Collections while they are being read, and the faults that both readers find in them."""

from __future__ import annotations

from collections.abc import Sequence as Stack

from stratumc.diagnostics.finding import Finding, RelatedPlace
from stratumc.read.excerpt import excerpt
from stratumc.read.limits import MAX_FAULTS
from stratumc.text import Location, Path
from stratumc.text.tree import Entry, Mapping, Node, Scalar, Sequence, Style

DROPPED = Scalar("", 0, 0, Style.PLAIN)
"""Stands for a key that was refused, so that its value is dropped too."""


class Frame:
    """A mapping (`keyed`) or list whose end hasn't come yet."""

    __slots__ = ("entries", "index", "items", "key", "keyed", "start")

    def __init__(self, start: int, *, keyed: bool) -> None:
        self.start = start
        self.keyed = keyed
        self.items: list[Node] = []
        self.entries: list[Entry] = []
        self.index: dict[str, Entry] = {}
        self.key: Scalar | None = None
        """The key that waits for its value."""

    def add(self, node: Node) -> None:
        """Takes the value of the waiting key, or the next item."""
        if not self.keyed:
            self.items.append(node)
            return
        key, self.key = self.key, None
        assert key is not None
        if key is not DROPPED:
            entry = Entry(key, node)
            self.entries.append(entry)
            self.index[entry.name] = entry

    def finish(self, end: int) -> Node:
        """The collection, its end known."""
        if self.keyed:
            return Mapping(tuple(self.entries), self.start, end, None, self.index)
        return Sequence(tuple(self.items), self.start, end)


def path_of(stack: Stack[Frame]) -> Path:
    """The path of the node that comes next; an unread or refused key is empty text in it."""
    parts: list[str | int] = []
    for frame in stack:
        if not frame.keyed:
            parts.append(len(frame.items))
        else:
            parts.append(str(frame.key.value) if frame.key is not None else "")
    return tuple(parts)


def duplicate_key(first: Scalar, second: Scalar, path: Path, source: int) -> Finding:
    """The fault of a key that its mapping already has; `path` is the key's."""
    related = RelatedPlace(Location(path, source=source, range=(first.start, first.end)), "first used here")
    at = Location(path, source=source, range=(second.start, second.end))
    return Finding(
        "DUPLICATE_KEY",
        at,
        f"the key `{excerpt(str(second.value))}` appears twice in this mapping",
        related=(related,),
    )


def too_many_faults(last: Finding) -> Finding:
    """The fault of a file that has MAX_FAULTS; reading stops at the place of the last."""
    message = f"reading stopped after {MAX_FAULTS:,} faults"
    return Finding("LIMIT_EXCEEDED", last.at, message, suggestion="mend those first")
