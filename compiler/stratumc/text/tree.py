"""The source-faithful tree that both readers produce and that locations are resolved in."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from stratumc.text.location import Path
from stratumc.text.record import record

ScalarValue = str | int | float | bool | None


class Style(enum.Enum):
    """How a scalar is written; decides how offsets inside its value map to the text."""

    PLAIN = "plain"
    SINGLE = "single"
    DOUBLE = "double"
    LITERAL = "literal"
    FOLDED = "folded"
    JSON = "json"


@record
class Scalar:
    """A leaf. A number without a fraction is an `int` (v1.md section 1); keys are always `str`."""

    value: ScalarValue
    start: int
    end: int
    style: Style
    use: tuple[int, int] | None = None
    """Offsets of the `*alias` through which this node is reached; None for a node in its own place."""


@record
class Sequence:
    """A list; offsets cover the whole collection."""

    items: tuple[Node, ...]
    start: int
    end: int
    use: tuple[int, int] | None = None


@record
class Entry:
    """One key and its value. `key.value` is a string."""

    key: Scalar
    value: Node

    @property
    def name(self) -> str:
        """The key's text."""
        assert isinstance(self.key.value, str)
        return self.key.value


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping in document order; of duplicate keys (reported by the readers) the first is kept."""

    entries: tuple[Entry, ...]
    start: int
    end: int
    use: tuple[int, int] | None = None
    index: dict[str, Entry] = field(default_factory=dict, compare=False, repr=False)

    def get(self, name: str) -> Entry | None:
        """The entry of that key, if there is one."""
        return self.index.get(name)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


Node = Scalar | Sequence | Mapping


def mapping(entries: tuple[Entry, ...], start: int, end: int) -> Mapping:
    """A mapping with its index of keys."""
    return Mapping(entries, start, end, None, {entry.name: entry for entry in entries})


def descend(root: Node, path: Path) -> tuple[list[Node], Entry | None]:
    """The nodes from the root along a path as far as it exists, and the last mapping entry taken.

    The entry is None when the last step taken was a list item or no step was taken.
    """
    nodes, entry = [root], None
    for part in path:
        node = nodes[-1]
        if isinstance(node, Mapping) and isinstance(part, str):
            found = node.get(part)
            if found is None:
                return nodes, entry
            nodes.append(found.value)
            entry = found
        elif isinstance(node, Sequence) and isinstance(part, int) and 0 <= part < len(node.items):
            nodes.append(node.items[part])
            entry = None
        else:
            return nodes, entry
    return nodes, entry
