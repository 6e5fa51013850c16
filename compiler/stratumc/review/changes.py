"""What differs between two outlines: parts added, removed, changed."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratumc.review.outline import Detail, PartName, same


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
    """Every difference: parts of the new outline in its order, then the removed ones, then changed orders."""
    return (*_changes(old, new), *_reordered(old, new))


def _changes(old: dict[PartName, Detail], new: dict[PartName, Detail]) -> Iterator[Change]:
    for part, detail in new.items():
        if part not in old:
            yield Change(ChangeKind.ADDED, part)
        elif not same(old[part], detail):
            yield Change(ChangeKind.CHANGED, part, tuple(_fields(old[part], detail)))
    for part in old:
        if part not in new:
            yield Change(ChangeKind.REMOVED, part)


def _reordered(old: dict[PartName, Detail], new: dict[PartName, Detail]) -> Iterator[Change]:
    """Steps of a flow, and triggers of a state, that both have in another order: the first one ready, or that
    fires, comes first.
    """
    for kind, owner_kind in (("step", "flow"), ("trigger", "state")):
        before, after = _by_owner(old, new, kind), _by_owner(new, old, kind)
        for owner, names in after.items():
            if names != before[owner]:
                order = FieldChange(f"order of {kind}s", before[owner], names, had=True, has=True)
                yield Change(ChangeKind.CHANGED, PartName(owner_kind, owner), (order,))


def _by_owner(
    these: dict[PartName, Detail], others: dict[PartName, Detail], kind: str
) -> dict[str, list[str]]:
    """The parts of a kind that both outlines have, in the order of the first, by their owners."""
    found: dict[str, list[str]] = {}
    for part in these:
        if part.kind == kind and part.owner is not None and part in others:
            found.setdefault(part.owner, []).append(part.own_name)
    return found


def _fields(old: Detail, new: Detail, outer: str = "") -> Iterator[FieldChange]:
    """The fields that differ; of fields that hold mappings on both sides, those inside, by their paths."""
    for field in dict.fromkeys((*old, *new)):
        had, has = field in old, field in new
        before, after = old.get(field), new.get(field)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _fields(before, after, f"{outer}{field}.")
        elif not (had and has) or not same(before, after):
            yield FieldChange(f"{outer}{field}", before, after, had, has)
