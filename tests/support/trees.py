"""Trees as plain values, for comparing what readers give."""

from __future__ import annotations

from typing import Any

from stratumc.text.tree import Mapping, Node, Scalar, Sequence


def plain(node: Node | None) -> Any:
    """The value that a tree stands for, as `json.loads` would give it."""
    if node is None or isinstance(node, Scalar):
        return None if node is None else node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.name: plain(entry.value) for entry in node.entries}


def nodes(node: Node) -> list[Node]:
    """A node and all below it, keys included."""
    found, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        found.append(here)
        if isinstance(here, Sequence):
            waiting += here.items
        elif isinstance(here, Mapping):
            waiting += [part for entry in here.entries for part in (entry.key, entry.value)]
    return found


def shape(node: Node | None) -> Any:
    """Values, styles and places; the place of a node without text of its own is left out."""
    if node is None:
        return None
    place = (node.start, node.end) if node.end > node.start else None
    match node:
        case Scalar(value, use=use, style=style):
            return repr(value), place, style, use
        case Sequence(items, use=use):
            return place, use, [shape(item) for item in items]
        case Mapping(entries, use=use):
            return place, use, [(shape(entry.key), shape(entry.value)) for entry in entries]
