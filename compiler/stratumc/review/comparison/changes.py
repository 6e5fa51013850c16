"""What differs between two outlines: parts added, removed, changed."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratumc.review.comparison.outline import Outline, Part, PartName
from stratumc.review.comparison.sameness import Detail, same


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


def find_changes(old: Outline, new: Outline) -> tuple[Change, ...]:
    """Every difference: parts of the new outline in its order, then the removed ones, then changed orders."""
    return (*_changes(old, new), *_reordered(old, new))


def _changes(old: Outline, new: Outline) -> Iterator[Change]:
    for name, part in new.items():
        if name not in old:
            fields = (FieldChange(field, None, value, False, True) for field, value in _content(part.written))
            yield Change(ChangeKind.ADDED, name, tuple(fields))
        elif not same(old[name].plain, part.plain):
            yield Change(ChangeKind.CHANGED, name, tuple(_fields(old[name], part)))
    for name, part in old.items():
        if name not in new:
            fields = (FieldChange(field, value, None, True, False) for field, value in _content(part.written))
            yield Change(ChangeKind.REMOVED, name, tuple(fields))


def _content(written: Detail, outer: str = "") -> Iterator[tuple[str, Any]]:
    """What a part says by itself, by the paths of its fields; a target says something even when null."""
    for field, value in written.items():
        if isinstance(value, dict) and value:
            yield from _content(value, f"{outer}{field}.")
        elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for number, one in enumerate(value):
                yield from _content(one, f"{outer}{field}[{number}].")
        elif field == "target" or (value is not None and value is not False and value != []):
            yield f"{outer}{field}", value


def _reordered(old: Outline, new: Outline) -> Iterator[Change]:
    """Steps of a flow, and triggers of a state, that both have in another order: the first one ready, or that
    fires, comes first.
    """
    for kind, owner_kind in (("step", "flow"), ("trigger", "state")):
        before, after = _by_owner(old, new, kind), _by_owner(new, old, kind)
        for owner, names in after.items():
            if names != before[owner]:
                order = FieldChange(f"order of {kind}s", before[owner], names, had=True, has=True)
                yield Change(ChangeKind.CHANGED, PartName(owner_kind, owner), (order,))


def _by_owner(these: Outline, others: Outline, kind: str) -> dict[str, list[str]]:
    """The parts of a kind that both outlines have, in the order of the first, by their owners."""
    found: dict[str, list[str]] = {}
    for name in these:
        if name.kind == kind and name.owner is not None and name in others:
            found.setdefault(name.owner, []).append(name.own_name)
    return found


def _fields(old: Part, new: Part) -> Iterator[FieldChange]:
    return _differing((old.written, new.written), (old.plain, new.plain), "")


def _differing(
    written: tuple[Detail, Detail], plain: tuple[Detail, Detail], outer: str
) -> Iterator[FieldChange]:
    """The fields that differ, by their paths; of mappings, and of as many of them in lists, those inside."""
    for field in dict.fromkeys((*written[0], *written[1])):
        had, has = field in written[0], field in written[1]
        if had and has and same(plain[0][field], plain[1][field]):
            continue
        before, after = written[0].get(field), written[1].get(field)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _differing((before, after), (plain[0][field], plain[1][field]), f"{outer}{field}.")
        elif _are_alike(before, after):
            rows = zip(before or (), after or (), plain[0][field], plain[1][field], strict=True)
            for number, (was, now, left, right) in enumerate(rows):
                yield from _differing((was, now), (left, right), f"{outer}{field}[{number}].")
        else:
            yield FieldChange(f"{outer}{field}", before, after, had, has)


def _are_alike(before: Any, after: Any) -> bool:
    """Whether both are lists of as many mappings."""
    return (
        isinstance(before, list)
        and isinstance(after, list)
        and len(before) == len(after)
        and all(isinstance(one, dict) for one in (*before, *after))
    )
