"""What a shape is: the closed set of forms that a tree may be asked to have."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from re import Pattern

from stratumc.text.record import record


class Unknown(enum.Enum):
    """What a key that an object does not declare is reported as; IGNORE reports nothing."""

    ERROR = "E2_UNKNOWN_FIELD"
    WARNING = "UNKNOWN_KEY"
    IGNORE = ""


@record
class Text:
    """A string; with a pattern, one that matches it from its start to its very end."""

    pattern: Pattern[str] | None = None
    means: str = "text"


@record
class Choice:
    """One of these strings."""

    values: tuple[str, ...]


@record
class Exactly:
    """One number; `1.0` is `1`, and text or `true` never is."""

    value: int


@record
class Number:
    """A number, perhaps without a fraction, perhaps above zero. `true` isn't a number."""

    integer: bool = False
    positive: bool = False


@record
class Boolean:
    """`true` or `false`."""


@record
class Null:
    """`null`."""


@record
class Anything:
    """Any JSON value."""


@record
class ListOf:
    """A list with at least `minimum` items."""

    item: Shape
    minimum: int = 0


@record
class Field:
    """A declared key of an object. `about` is shown by editors."""

    shape: Shape
    required: bool = False
    about: str = ""


@record
class MapOf:
    """A mapping from names that users choose to values of one shape.

    A reserved name is `E2_RESERVED_FIELD` and hides the mapping's other faults. `pinned` are keys
    with a meaning of their own, which need not be names.
    """

    value: Shape
    name: Text = Text()
    reserved: tuple[str, ...] = ()
    pinned: Mapping[str, Field] | None = None


@record
class Object:
    """A mapping with declared keys. `means` is how messages call it."""

    fields: Mapping[str, Field]
    means: str = "mapping"
    unknown: Unknown = Unknown.ERROR
    at_least_one: bool = False


@record
class Variant:
    """One form of an object, told by its key `tag`, and the further keys it may and must have."""

    tag: str
    allows: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


@record
class Variants:
    """An object in exactly one of several forms.

    `fields` declares every key that any form has; the keys of no form are common to all. No form,
    or several, is `E2_CONSTRUCT_MIX` at the object; a key of another form is `E2_FIELD_FOR_KIND`
    at the key. These checks between keys need every key to have the right JSON type.
    """

    fields: Mapping[str, Field]
    variants: tuple[Variant, ...]
    means: str = "mapping"
    unknown: Unknown = Unknown.ERROR


@record
class Union:
    """The first of these shapes that fits, unknown keys apart."""

    options: tuple[Shape, ...]
    means: str = ""
    """How messages call it; the options joined by "or" when empty."""


Shape = (
    Text | Choice | Exactly | Number | Boolean | Null | Anything | ListOf | MapOf | Object | Variants | Union
)
