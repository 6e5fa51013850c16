"""What differs between two outlines: parts added, removed, changed."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratumc.review.outline import Detail, PartName


class ChangeKind(enum.Enum):
    """What became of a part."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a part; a value is None on the side that lacks the field (`had`, `has` tell it from
    null).
    """

    field: str
    old: Any
    new: Any
    had: bool
    has: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One part that differs."""

    kind: ChangeKind
    part: PartName
    fields: tuple[FieldChange, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The change as a JSON object."""
        fields = [
            {"field": f.field, **({"old": f.old} if f.had else {}), **({"new": f.new} if f.has else {})}
            for f in self.fields
        ]
        return {"change": self.kind.value, "kind": self.part.kind, "name": self.part.name, "fields": fields}


def find_changes(old: dict[PartName, Detail], new: dict[PartName, Detail]) -> tuple[Change, ...]:
    """Every difference: parts of the new outline in its order, then the removed ones in theirs."""
    return tuple(_changes(old, new))


def _changes(old: dict[PartName, Detail], new: dict[PartName, Detail]) -> Iterator[Change]:
    for part, detail in new.items():
        if part not in old:
            yield Change(ChangeKind.ADDED, part)
        elif not same(old[part], detail):
            yield Change(ChangeKind.CHANGED, part, tuple(_fields(old[part], detail)))
    for part in old:
        if part not in new:
            yield Change(ChangeKind.REMOVED, part)


def _fields(old: Detail, new: Detail) -> Iterator[FieldChange]:
    for field in dict.fromkeys((*old, *new)):
        if field not in old or field not in new or not same(old[field], new[field]):
            yield FieldChange(field, old.get(field), new.get(field), field in old, field in new)


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values: booleans are no numbers, 1 is 1.0."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)
