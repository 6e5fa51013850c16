"""What reading has reported of a tree, so that nothing that follows from it is reported again."""

from __future__ import annotations

from collections.abc import Iterable

from stratumc.diagnostics import Finding
from stratumc.read.tree import Node, descend
from stratumc.text import Location, Part
from stratumc.text.location import Path
from stratumc.text.record import record

_FOLLOWING = ("SCHEMA_INVALID", "E2_CONSTRUCT_MIX")
_MERGE = "<<"


@record
class Damage:
    """Where a tree isn't what was written."""

    nodes: frozenset[Path] = frozenset()
    """Values that could not be read, with something else in their place."""
    holes: frozenset[Path] = frozenset()
    """Mappings that lack an entry whose key could not be read, or the entries that a `<<` stands for."""

    def is_at(self, path: Path) -> bool:
        """Whether the mapping at a path, or one below it, has a hole."""
        return any(hole[: len(path)] == path for hole in self.holes)


def damage_of(reported: Iterable[Location], shape: Iterable[Finding]) -> Damage:
    """The damage at the places that reading reported; those with part `KEY` are keys of the mapping there."""
    places = tuple(reported)
    merged = {one.at.path[:-1] for one in shape if one.at.path[-1:] == (_MERGE,)}
    return Damage(
        frozenset(at.path for at in places if at.part is Part.VALUE),
        frozenset(merged.union(at.path for at in places if at.part is Part.KEY)),
    )


def without_consequences(shape: tuple[Finding, ...], root: Node, damage: Damage) -> tuple[Finding, ...]:
    """The findings about the shape of a tree, but for those that its damage explains."""
    if not damage.nodes and not damage.holes:
        return shape
    return tuple(finding for finding in shape if not _follows(finding, root, damage))


def _follows(finding: Finding, root: Node, damage: Damage) -> bool:
    path = finding.at.path
    if finding.code not in _FOLLOWING:
        return False
    if path in damage.nodes or path in damage.holes:
        return True
    is_missing = len(descend(root, path)[0]) <= len(path)
    return is_missing and path[:-1] in damage.holes
