"""How messages call the nodes of a tree and the shapes they should have."""

from __future__ import annotations

from stratumc.read.shape.declare import (
    Anything,
    Boolean,
    Choice,
    Exactly,
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
from stratumc.read.tree import Mapping, Node, Scalar, Sequence
from stratumc.text import Location


def describe(node: Node) -> str:
    """A node as messages show it: its value when short, else its JSON type."""
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "null"
        case Scalar(value=bool() as value):
            return "true" if value else "false"
        case Scalar(value=str() as value):
            return quoted(value)
        case Scalar(value=value):
            return f"the number {value}"


def quoted(value: str, longest: int = 40) -> str:
    """A text in backticks, shortened, on one line."""
    if not value:
        return "an empty text"
    shown = value if len(value) <= longest else value[: longest - 1] + "…"
    return "`" + shown.replace("\r", "\\r").replace("\n", "\\n").replace("`", "'") + "`"


def subject(at: Location) -> str:
    """What a message calls the node at a place: its last key, with the list indexes after it."""
    text = ""
    for part in reversed(at.path):
        if isinstance(part, str):
            return f"`{part}{text}`" if part else f"the value of the empty key{text}"
        text = f"[{part}]{text}"
    return f"item {text}" if text else "the document"


def name_shape(shape: Shape) -> str:
    """What a shape asks for, as messages say it after "must be"."""
    match shape:
        case Text():
            return shape.means
        case Choice():
            return _alternatives([f"`{value}`" for value in shape.values])
        case Exactly():
            return f"the number {shape.value}"
        case Number():
            sign = "positive " if shape.positive else ""
            noun = "integer" if shape.integer else "number"
            return f"{'an' if noun == 'integer' and not sign else 'a'} {sign}{noun}"
        case Boolean():
            return "true or false"
        case Null():
            return "null"
        case Anything():
            return "any value"
        case ListOf():
            return "a list"
        case Object() if shape.means.startswith("mapping"):
            return f"a {shape.means}"
        case MapOf() | Object() | Variants():
            return "a mapping"
        case Union():
            return shape.means or _alternatives([name_shape(option) for option in shape.options])


def _alternatives(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
