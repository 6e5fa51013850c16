"""Two versions of a picture in one: what is new, what is different, and what is gone in colours."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from stratumc.emit.label_text import name_lines
from stratumc.emit.picture import Cluster, Edge, Line, Node, Picture, Shape, Tone

_NUMBER = re.compile(r"\d+\. ")
"""Of a trigger, which changes as others come and go."""

_WORDS = {Tone.DONE: ("+ ", "added"), Tone.CURRENT: ("~ ", "changed"), Tone.FAILED: ("− ", "removed")}
"""What stands before the label of an arrow, or for it, since not every format can colour it."""


def union(old: Picture, new: Picture, changed: frozenset[str]) -> Picture:
    """The new picture with what is gone; tones tell added (`DONE`), changed (`CURRENT`), gone (`FAILED`).

    `changed` names the steps or states of which more is different than what is drawn of them.
    """
    return _Union(old, new).picture(changed)


class _Mark(NamedTuple):
    """What makes a node or a cluster the same in both versions."""

    around: tuple[str, ...]
    """The labels of the clusters that hold it, the outermost first."""
    shape: str
    name: str
    number: int
    """Which one it is of those that are otherwise alike."""


class _Union:
    def __init__(self, old: Picture, new: Picture) -> None:
        self.old, self.new = old, new
        self.old_marks, self.new_marks = _marks(old), _marks(new)
        self.key_of = {mark: key for key, mark in self.new_marks.items()}
        self.keys: dict[str, str] = {}
        """By key of the old picture the key of the same thing in this one."""

    def picture(self, changed: frozenset[str]) -> Picture:
        """Everything; clusters first, since nodes name them, and edges name nodes."""
        clusters = (*self.new.clusters, *self._clusters_gone())
        nodes = (*self._nodes(changed), *self._nodes_gone())
        return replace(self.new, clusters=clusters, nodes=nodes, edges=tuple(self._edges()))

    def _key(self, old_key: str, further: str) -> str:
        """The key of something old, `further` if it is gone."""
        self.keys[old_key] = self.key_of.get(self.old_marks[old_key], further)
        return self.keys[old_key]

    def _clusters_gone(self) -> Iterator[Cluster]:
        count = len(self.new.clusters)
        for cluster in self.old.clusters:
            key = self._key(cluster.key, f"c{count}")
            if key == f"c{count}":
                count += 1
                parent = None if cluster.parent is None else self.keys[cluster.parent]
                yield replace(cluster, key=key, parent=parent, at=None, tone=Tone.FAILED)

    def _nodes(self, changed: frozenset[str]) -> Iterator[Node]:
        had = {self.old_marks[node.key]: node for node in self.old.nodes}
        for node in self.new.nodes:
            before = had.get(self.new_marks[node.key])
            tone = Tone.PLAIN
            if before is None:
                tone = Tone.DONE
            elif before.lines != node.lines or (node.cluster is None and node.name in changed):
                tone = Tone.CURRENT
            yield replace(node, tone=tone)

    def _nodes_gone(self) -> Iterator[Node]:
        count = len(self.new.nodes)
        for node in self.old.nodes:
            key = self._key(node.key, f"n{count}")
            if key == f"n{count}":
                count += 1
                lines = node.lines if node.name is None else name_lines(node.name)
                cluster = None if node.cluster is None else self.keys[node.cluster]
                gone = replace(node, key=key, lines=(*lines, "removed"), cluster=cluster, at=None)
                yield replace(gone, tone=Tone.FAILED)

    def _edges(self) -> Iterator[Edge]:
        """The new edges, each with the first old one that is like it, then the old ones that are left."""
        waiting: dict[tuple[str, str, Line, str], deque[Edge]] = {}
        for edge in self.old.edges:
            moved = replace(edge, source=self.keys[edge.source], target=self.keys[edge.target])
            waiting.setdefault(_likeness(moved), deque()).append(moved)
        for edge in self.new.edges:
            alike = waiting.get(_likeness(edge))
            if not alike:
                yield _told(edge, Tone.DONE)
            elif _label(alike.popleft()) != _label(edge):
                yield _told(edge, Tone.CURRENT)
            else:
                yield replace(edge, tone=Tone.PLAIN)
        for left in waiting.values():
            yield from (_told(edge, Tone.FAILED) for edge in left)


def _marks(picture: Picture) -> dict[str, _Mark]:
    """By key, of clusters and nodes."""
    marks: dict[str, _Mark] = {}
    seen: dict[_Mark, int] = {}

    def add(key: str, cluster: str | None, shape: str, name: str) -> None:
        around = () if cluster is None else (*marks[cluster].around, marks[cluster].name)
        first = _Mark(around, shape, name, 0)
        seen[first] = seen.get(first, 0) + 1
        marks[key] = first._replace(number=seen[first])

    for cluster in picture.clusters:
        add(cluster.key, cluster.parent, "cluster", cluster.label)
    leaving = {edge.source: edge for edge in reversed(picture.edges)}
    for node in picture.nodes:
        if node.name is not None:
            add(node.key, node.cluster, "", node.name)
        else:
            add(node.key, node.cluster, node.shape.value, _unnamed(node, leaving.get(node.key)))
    return marks


def _unnamed(node: Node, leaving: Edge | None) -> str:
    """What tells a node without a name from others of its shape."""
    match node.shape:
        case Shape.ANY:
            return "" if leaving is None else _event(leaving)
        case Shape.STAGE:
            return node.lines[0]
        case Shape.CARRY | Shape.MISSING:
            return " ".join(node.lines)
        case _:
            return ""


def _likeness(edge: Edge) -> tuple[str, str, Line, str]:
    """What makes an edge the same in both versions: its ends, and of a workflow the event or condition."""
    is_named = edge.line in (Line.EVENT, Line.TRIGGER, Line.GLOBAL, Line.RESUME)
    return edge.source, edge.target, edge.line, _event(edge) if is_named else ""


def _label(edge: Edge) -> str:
    return (
        _NUMBER.sub("", " ".join(edge.lines), count=1) if edge.line is Line.TRIGGER else " ".join(edge.lines)
    )


def _event(edge: Edge) -> str:
    return _label(edge).partition(" / ")[0].removesuffix(" (judgment)")


def _told(edge: Edge, tone: Tone) -> Edge:
    """The edge in a colour, and with what became of it in its label."""
    sign, word = _WORDS[tone]
    lines = (sign + edge.lines[0], *edge.lines[1:]) if edge.lines else (word,)
    return replace(edge, lines=lines, tone=tone)
