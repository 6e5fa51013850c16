"""The tree of a shape that is nearest to a faulty one: what can be read stays in its place."""

from __future__ import annotations

from collections.abc import Mapping as Fields

from stratumc.read.shape.declare import (
    Anything,
    Boolean,
    Choice,
    Exactly,
    Field,
    ListOf,
    MapOf,
    Null,
    Number,
    Object,
    Shape,
    Text,
    Union,
    Variants,
)
from stratumc.read.tree import Entry, Mapping, Node, Scalar, ScalarValue, Sequence, Style, mapping

UNKNOWN = "?"
"""What stands for a text that is missing."""


def mend(shape: Shape, node: Node) -> Node:
    """The node with what the shape requires put in and what it can't hold left out.

    A single value stands for a list of it. Items of lists keep their indices, and keys their names, so that
    places in the one tree are places in the other.
    """
    return _read(shape, node) or _least(shape)


def _read(shape: Shape, node: Node) -> Node | None:
    """What of a node the shape can hold; None for a node of another kind."""
    match shape:
        case Text():
            value = node.value if isinstance(node, Scalar) else None
            return node if isinstance(value, str) else None if value is None else _scalar(str(value))
        case ListOf():
            return _list(shape, node)
        case MapOf():
            return _map(shape, node) if isinstance(node, Mapping) else None
        case Object():
            return _object(shape.fields, node) if isinstance(node, Mapping) else None
        case Variants():
            return _variant(shape, node) if isinstance(node, Mapping) else None
        case Union():
            return next((found for option in shape.options if (found := _read(option, node))), None)
        case Anything():
            return node
        case Choice() | Exactly() | Number() | Boolean() | Null():
            return node if isinstance(node, Scalar) and _holds(shape, node.value) else None


def _holds(shape: Choice | Exactly | Number | Boolean | Null, value: ScalarValue) -> bool:
    match shape:
        case Choice():
            return value in shape.values
        case Exactly():
            return value == shape.value and not isinstance(value, bool)
        case Number():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case Boolean():
            return isinstance(value, bool)
        case Null():
            return value is None


def _least(shape: Shape) -> Node:
    """The smallest node of a shape."""
    match shape:
        case Text():
            return _scalar(UNKNOWN)
        case Choice():
            return _scalar(shape.values[0])
        case Exactly():
            return _scalar(shape.value)
        case Number():
            return _scalar(1)
        case Boolean():
            return _scalar(False)
        case Null() | Anything():
            return _scalar(None)
        case ListOf():
            return Sequence((_least(shape.item),) * shape.minimum, 0, 0)
        case MapOf():
            return _map(shape, mapping((), 0, 0))
        case Object():
            return _object(shape.fields, mapping((), 0, 0))
        case Variants():
            return _variant(shape, mapping((), 0, 0))
        case Union():
            return _least(shape.options[0])


def _list(shape: ListOf, node: Node) -> Node | None:
    match node:
        case Sequence(items=items) if len(items) >= shape.minimum:
            return Sequence(tuple(mend(shape.item, item) for item in items), node.start, node.end)
        case Scalar(value=value) if value is not None:
            item = _read(shape.item, node)
            return None if item is None else Sequence((item,), node.start, node.end)
    return None


def _map(shape: MapOf, node: Mapping) -> Mapping:
    pinned = shape.pinned or {}
    named = [
        Entry(entry.key, mend(shape.value, entry.value))
        for entry in node
        if entry.name not in pinned and entry.name not in shape.reserved
    ]
    return mapping((*_object(pinned, node).entries, *named), node.start, node.end)


def _object(fields: Fields[str, Field], node: Mapping) -> Mapping:
    """The fields that are there in the node's order, then those that have to be."""
    entries: dict[str, Entry] = {}
    for entry in node:
        value = _read(fields[entry.name].shape, entry.value) if entry.name in fields else None
        if value is not None:
            entries[entry.name] = Entry(entry.key, value)
    for name, field in fields.items():
        if field.required and name not in entries:
            entries[name] = Entry(_scalar(name), _least(field.shape))
    return mapping(tuple(entries.values()), node.start, node.end)


def _variant(shape: Variants, node: Mapping) -> Mapping:
    """The first form of which the node has the key; the first of all without one."""
    forms = {variant.tag: variant for variant in shape.variants}
    chosen = next((forms[entry.name] for entry in node if entry.name in forms), shape.variants[0])
    fields = {
        name: Field(field.shape, field.required or name in (chosen.tag, *chosen.needs))
        for name, field in shape.fields.items()
        if name == chosen.tag or name not in forms
    }
    return _object(fields, node)


def _scalar(value: ScalarValue) -> Scalar:
    return Scalar(value, 0, 0, Style.PLAIN)
