"""Reads typed parts out of tree nodes, and counts what it could not read.

What it counts the shape has reported: parts of the wrong type, missing ones, and names that can't
be names. A number out of range or an unknown choice isn't an obstacle and is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

from stratumc.read.tree import Entry, Mapping, Node, Scalar, Sequence
from stratumc.spec.references import scan
from stratumc.spec.shape import STEP_ID_PATTERN
from stratumc.spec.syntax import Budget, Template, Text, WithList, WithObject, WithScalar, WithValue
from stratumc.text import Location

Choice = TypeVar("Choice", bound=StrEnum)


def _member(default: Choice, value: str | None) -> Choice:
    return next((member for member in type(default) if member.value == value), default)


class Parts:
    """One reading of a document; `unreadable` only ever grows.

    With `any_names` a name that can't be a step's is one all the same.
    """

    __slots__ = ("any_names", "unreadable")

    def __init__(self, *, any_names: bool = False) -> None:
        self.unreadable = 0
        self.any_names = any_names

    def _entry(self, parent: Mapping, name: str, required: bool) -> Entry | None:
        entry = parent.get(name)
        if entry is None and required:
            self.unreadable += 1
        return entry

    def string(self, node: Node) -> str | None:
        """The node's text."""
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.value
        self.unreadable += 1
        return None

    def text(self, parent: Mapping, name: str, at: Location, *, required: bool = False) -> Text | None:
        """The text at a key of the mapping at `at`; None when it is absent or no text."""
        entry = self._entry(parent, name, required)
        value = None if entry is None else self.string(entry.value)
        return None if value is None else Text(value, at.child(name))

    def step_id(self, node: Node, at: Location) -> Text | None:
        """A node that names a step."""
        value = self.string(node)
        if value is not None and not self.any_names and not STEP_ID_PATTERN.fullmatch(value):
            self.unreadable += 1
            return None
        return None if value is None else Text(value, at)

    def route(self, parent: Mapping, name: str, at: Location, *, gate: bool = False) -> Text | None:
        """The step that a route leads to; the routes of a gate are required and may be null."""
        entry = self._entry(parent, name, gate)
        if entry is None or (gate and isinstance(entry.value, Scalar) and entry.value.value is None):
            return None
        return self.step_id(entry.value, at.child(name))

    def template(
        self, parent: Mapping, name: str, at: Location, *, required: bool = False
    ) -> Template | None:
        """The rendered text at a key."""
        found = self.text(parent, name, at, required=required)
        return None if found is None else read_template(found.value, found.at)

    def text_or(self, parent: Mapping, name: str, default: str) -> str:
        """The text at an optional key."""
        entry = parent.get(name)
        value = None if entry is None else self.string(entry.value)
        return default if value is None else value

    def choice(self, parent: Mapping, name: str, default: Choice) -> Choice:
        """The member that the text at a key names; the default when it is absent or names none."""
        entry = parent.get(name)
        value = None if entry is None else self.string(entry.value)
        return _member(default, value)

    def required_choice(self, parent: Mapping, name: str, otherwise: Choice) -> Choice | None:
        """The member that the text at a key names, `otherwise` when it names none; None without a text."""
        entry = self._entry(parent, name, required=True)
        value = None if entry is None else self.string(entry.value)
        return None if value is None else _member(otherwise, value)

    def count(self, parent: Mapping, name: str, *, required: bool = False) -> int | None:
        """The positive integer at a key; None when it is absent or not in range."""
        entry = self._entry(parent, name, required)
        value = None if entry is None else self._number(entry.value)
        return value if isinstance(value, int) and value > 0 else None

    def _number(self, node: Node) -> float | int | None:
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.unreadable += 1
            return None
        return value

    def mapping(self, parent: Mapping, name: str, *, required: bool = False) -> Mapping | None:
        """The mapping at a key."""
        entry = self._entry(parent, name, required)
        if entry is None:
            return None
        if not isinstance(entry.value, Mapping):
            self.unreadable += 1
            return None
        return entry.value

    def items(
        self, parent: Mapping, name: str, at: Location, *, required: bool = False
    ) -> Iterator[tuple[Node, Location]]:
        """The items of the list at a key, with their places; none when there is no list."""
        entry = self._entry(parent, name, required)
        if entry is None:
            return
        if not isinstance(entry.value, Sequence):
            self.unreadable += 1
            return
        for index, item in enumerate(entry.value.items):
            yield item, at.child(name, index)

    def budget(self, parent: Mapping, at: Location) -> Budget | None:
        """The limits at the key `budget`."""
        node = self.mapping(parent, "budget")
        if node is None:
            return None
        usd = node.get("usd")
        limit = None if usd is None else self._number(usd.value)
        return Budget(
            float(limit) if limit is not None and limit > 0 else None,
            self.count(node, "tokens"),
            self.count(node, "dispatches"),
            self.count(node, "ms"),
            at.child("budget"),
        )


def read_template(text: str, at: Location) -> Template:
    """A rendered text with the references and the faults in it."""
    references, faults = scan(text)
    return Template(text, references, at, faults)


def read_value(node: Node, at: Location) -> WithValue:
    """Any JSON value whose texts are rendered. Recurses once per level, which the readers bound."""
    if isinstance(node, Mapping):
        entries: dict[str, WithValue] = {}
        for entry in node.entries:
            entries[entry.name] = read_value(entry.value, at.child(entry.name))
        return WithObject(entries, at)
    if isinstance(node, Sequence):
        items: list[WithValue] = []
        for index, item in enumerate(node.items):
            items.append(read_value(item, at.child(index)))
        return WithList(tuple(items), at)
    if isinstance(node.value, str):
        return read_template(node.value, at)
    return WithScalar(node.value, at)
