"""Whether a tree has a shape, and every place where it doesn't."""

from __future__ import annotations

import enum
from collections import abc
from collections.abc import Callable, Iterator
from typing import Any

from stratumc.diagnostics import Finding
from stratumc.diagnostics.nearest import did_you_mean
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
    Unknown,
    Variant,
    Variants,
)
from stratumc.read.shape.naming import describe, name_shape, quoted, subject
from stratumc.read.tree import Entry, Mapping, Node, Scalar, Sequence
from stratumc.text import Location
from stratumc.text.record import record

Fields = abc.Mapping[str, Field]

_NO_MERGE = "YAML 1.2 has no merge keys: write out what `<<` stands for"


class Fault(enum.Enum):
    """How a tree departs from its shape; decides which further checks still make sense."""

    TYPE = "the wrong JSON type"
    VALUE = "the right type, but out of range or badly spelt"
    MISSING = "a required key is missing"
    UNKNOWN = "a key that the shape does not have"
    RESERVED = "a key that may not be used"
    VARIANT = "keys that don't go together"


@record
class Violation:
    """One departure, with the finding that reports it."""

    fault: Fault
    finding: Finding


def validate(shape: Shape, root: Node, *, source: int = 0) -> tuple[Finding, ...]:
    """Everything in which the tree departs from the shape, in document order of its places."""
    return tuple(violation.finding for violation in violations(shape, root, Location(source=source)))


def violations(shape: Shape, node: Node, at: Location) -> Iterator[Violation]:
    """As `validate`, for the node at `at`, with the kind of each fault."""
    return _CHECKERS[type(shape)](shape, node, at)


def _invalid(fault: Fault, at: Location, message: str, suggestion: str | None = None) -> Violation:
    return Violation(fault, Finding("SCHEMA_INVALID", at, message, suggestion=suggestion))


def _wrong(fault: Fault, at: Location, means: str, node: Node, suggestion: str | None = None) -> Violation:
    found = describe(node)
    if means.startswith("the number") and found.startswith("`"):
        found = f"the text {found}"
    contrast = "" if means.startswith(found) else f", not {found}"
    return _invalid(fault, at, f"{subject(at)} must be {means}{contrast}", suggestion)


# --- scalars -------------------------------------------------------------------------------------


def _text(shape: Text, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        yield _wrong(Fault.TYPE, at, shape.means, node)
    elif shape.pattern is not None and not shape.pattern.fullmatch(node.value):
        yield _wrong(Fault.VALUE, at, shape.means, node)


def _choice(shape: Choice, node: Node, at: Location) -> Iterator[Violation]:
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, str):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
    elif value not in shape.values:
        yield _wrong(Fault.VALUE, at, name_shape(shape), node, did_you_mean(value, shape.values))


def _exactly(shape: Exactly, node: Node, at: Location) -> Iterator[Violation]:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
    elif value != shape.value:
        yield _wrong(Fault.VALUE, at, name_shape(shape), node)


def _number(shape: Number, node: Node, at: Location) -> Iterator[Violation]:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
    elif (shape.positive and value <= 0) or (shape.integer and not isinstance(value, int)):
        yield _wrong(Fault.VALUE, at, name_shape(shape), node)


def _boolean(shape: Boolean, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Scalar) or not isinstance(node.value, bool):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)


def _null(shape: Null, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Scalar) or node.value is not None:
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)


def _anything(shape: Anything, node: Node, at: Location) -> Iterator[Violation]:
    del shape, node, at
    return iter(())


# --- collections ---------------------------------------------------------------------------------


def _list(shape: ListOf, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Sequence):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
        return
    if len(node.items) < shape.minimum:
        yield _invalid(Fault.VALUE, at, f"{subject(at)} must have at least {_items(shape.minimum)}")
    for index, item in enumerate(node.items):
        yield from violations(shape.item, item, at.child(index))


def _items(count: int) -> str:
    return "one item" if count == 1 else f"{count} items"


def _map(shape: MapOf, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Mapping):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
        return
    reserved = [entry.name for entry in node if entry.name in shape.reserved]
    if reserved:
        for name in reserved:
            message = f"`{name}` is reserved and can't name a field of {subject(at)}"
            yield Violation(Fault.RESERVED, Finding("E2_RESERVED_FIELD", at.child(name).key, message))
        return
    pinned = shape.pinned or {}
    for name, field in pinned.items():
        if field.required and node.get(name) is None:
            message = f"`{name}` is missing from {subject(at)}"
            yield _invalid(Fault.MISSING, at.child(name), message)
    for entry in node:
        below = at.child(entry.name)
        if entry.name in pinned:
            yield from violations(pinned[entry.name].shape, entry.value, below)
            continue
        if shape.name.pattern is not None and not shape.name.pattern.fullmatch(entry.name):
            shown = quoted(entry.name) if entry.name else "an empty key"
            yield _invalid(
                Fault.VALUE, below.key, f"{shown} can't be used here: a key must be {shape.name.means}"
            )
        yield from violations(shape.value, entry.value, below)


def _missing(fields: Fields, node: Mapping, at: Location, means: str) -> Iterator[Violation]:
    for name, field in fields.items():
        if field.required and node.get(name) is None:
            yield _lacking(name, at, means)


def _lacking(name: str, at: Location, means: str) -> Violation:
    return _invalid(Fault.MISSING, at.child(name), f"`{name}` is missing from this {means}")


def _object(shape: Object, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Mapping):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
        return
    yield from _missing(shape.fields, node, at, shape.means)
    if shape.at_least_one and not any(entry.name in shape.fields for entry in node):
        names = " ".join(f"`{name}`" for name in shape.fields)
        yield _invalid(Fault.VALUE, at, f"{subject(at)} must have at least one of {names}")
    for entry in node:
        yield from _entry(shape.fields, entry, at, shape)


def _entry(fields: Fields, entry: Entry, at: Location, shape: Object | Variants) -> Iterator[Violation]:
    below, field = at.child(entry.name), fields.get(entry.name)
    if field is not None:
        yield from violations(field.shape, entry.value, below)
    elif shape.unknown is not Unknown.IGNORE:
        shown = f"unknown key `{entry.name}`" if entry.name else "an empty key"
        message = f"{shown} in this {shape.means}"
        suggestion = _NO_MERGE if entry.name == "<<" else did_you_mean(entry.name, fields)
        yield Violation(
            Fault.UNKNOWN, Finding(shape.unknown.value, below.key, message, suggestion=suggestion)
        )


def _variants(shape: Variants, node: Node, at: Location) -> Iterator[Violation]:
    if not isinstance(node, Mapping):
        yield _wrong(Fault.TYPE, at, name_shape(shape), node)
        return
    absent = tuple(_missing(shape.fields, node, at, shape.means))
    yield from absent
    sound = not absent
    for entry in node:
        for violation in _entry(shape.fields, entry, at, shape):
            own = violation.finding.at.path == (*at.path, entry.name)
            sound = sound and not (own and violation.fault is Fault.TYPE)
            yield violation
    if sound:
        yield from _one_variant(shape, node, at)


def _one_variant(shape: Variants, node: Mapping, at: Location) -> Iterator[Violation]:
    variants = {variant.tag: variant for variant in shape.variants}
    tags = [entry.name for entry in node if entry.name in variants]
    if len(tags) != 1:
        every = ", ".join(f"`{tag}`" for tag in variants)
        found = f"has {' and '.join(f'`{tag}`' for tag in tags)}" if tags else "has none"
        message = f"a {shape.means} must have exactly one of {every}; this one {found}"
        yield Violation(Fault.VARIANT, Finding("E2_CONSTRUCT_MIX", at, message))
        return
    variant = variants[tags[0]]
    for name in variant.needs:
        if node.get(name) is None:
            yield _lacking(name, at, f"`{variant.tag}` {shape.means}")
    for entry in node:
        if _foreign(shape, variant, entry.name):
            message = f"a {shape.means} with `{variant.tag}` can't have `{entry.name}`"
            yield Violation(Fault.VARIANT, Finding("E2_FIELD_FOR_KIND", at.child(entry.name).key, message))


def _foreign(shape: Variants, variant: Variant, name: str) -> bool:
    """Whether a key belongs to other forms than this one."""
    return name not in (variant.tag, *variant.allows) and any(
        name in other.allows for other in shape.variants
    )


def _union(shape: Union, node: Node, at: Location) -> Iterator[Violation]:
    faults: list[Violation] = []
    for option in shape.options:
        found = list(violations(option, node, at))
        if all(violation.fault is Fault.UNKNOWN for violation in found):
            yield from found
            return
        faults += (violation for violation in found if violation.fault is not Fault.UNKNOWN)
    out_of_range = any(violation.fault is Fault.VALUE and violation.finding.at == at for violation in faults)
    fault = Fault.VALUE if out_of_range else Fault.TYPE
    telling = (violation.finding.message for violation in faults if _is_inside(violation, at))
    yield _wrong(fault, at, name_shape(shape), node, next(telling, None) or _key_meant(shape, node))


def _key_meant(shape: Union, node: Node) -> str | None:
    """What somebody meant who wrote a mapping with none of the forms' keys, if a key nearly is one."""
    known = [name for option in shape.options if isinstance(option, Object) for name in option.fields]
    if not isinstance(node, Mapping) or any(name in known for name in node.index):
        return None
    for entry in node:
        longer = next((name for name in known if entry.name.startswith(name)), None)
        suggestion = f"did you mean `{longer}`?" if longer else did_you_mean(entry.name, known)
        if suggestion is not None:
            return suggestion
    return None


def _is_inside(violation: Violation, at: Location) -> bool:
    """Whether a fault lies in something that is there below a node, so that its message helps to mend it."""
    depth = len(violation.finding.at.path) - len(at.path)
    return depth > 1 or (depth == 1 and violation.fault is not Fault.MISSING)


_CHECKERS: dict[type[Any], Callable[[Any, Node, Location], Iterator[Violation]]] = {
    Text: _text,
    Choice: _choice,
    Exactly: _exactly,
    Number: _number,
    Boolean: _boolean,
    Null: _null,
    Anything: _anything,
    ListOf: _list,
    MapOf: _map,
    Object: _object,
    Variants: _variants,
    Union: _union,
}
