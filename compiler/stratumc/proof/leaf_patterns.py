"""Which conditions can hold together, leaf by leaf: quick where no leaf of one is an object of another.

A condition holds only where the objects that it reads from are there, so exactly the objects of the
conditions that are to hold are put there; what reads from others doesn't hold. Leaves that are never compared
with each other take their values independently.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stratumc.proof.contexts import Context, Path, Representatives, paths_of, test_of
from stratumc.proof.results import Proved, Refuted
from stratumc.workflow.syntax import Condition

Values = tuple[int | float | str, ...]


@dataclass(frozen=True, slots=True)
class _Leaves:
    """Leaves that are compared with each other, and the conditions that read them, as a mask."""

    paths: tuple[Path, ...]
    conditions: int
    patterns: dict[int, Values]
    """By the mask of those that hold when all objects are there, the first values that give it."""


class LeafPatterns:
    """The conditions of one state, their leaves grouped by what they are compared with."""

    def __init__(self, groups: Sequence[_Leaves], parents: Sequence[frozenset[Path]]) -> None:
        self._parents = parents
        self._group_of = {place: group for group in groups for place in _places(group.conditions)}
        self._readers: dict[Path, int] = {}
        """By object, the conditions that read from it, as a mask."""
        self._free = 0
        """The conditions that read from no object."""
        for place, objects in enumerate(parents):
            for path in objects:
                self._readers[path] = self._readers.get(path, 0) | 1 << place
            self._free |= 0 if objects else 1 << place

    def no_context(self, true: int, false: int) -> Proved | Refuted:
        """That the conditions of mask `true` never hold all at once while those of mask `false` don't."""
        there: frozenset[Path] = frozenset().union(*(self._parents[place] for place in _places(true)))
        readable = false & self._readable(there)
        context: Context = {}
        for group in self._groups_of(true | readable):
            found = _first(group, true & group.conditions, readable & group.conditions)
            if found is None:
                return Proved()
            for path, value in zip(group.paths, found, strict=True):
                if path[:-1] in there or len(path) == 1:
                    _put(context, path, value)
        return Refuted(context)

    def _groups_of(self, mask: int) -> Iterator[_Leaves]:
        while mask:
            group = self._group_of[(mask & -mask).bit_length() - 1]
            yield group
            mask &= ~group.conditions

    def _readable(self, there: frozenset[Path]) -> int:
        """The conditions whose objects are all there, as a mask."""
        near = self._free
        for path in there:
            near |= self._readers.get(path, 0)
        return sum(1 << place for place in _places(near) if self._parents[place] <= there)


def leaf_patterns(
    conditions: Sequence[Condition], thresholds: Mapping[str, int | float], limit: int
) -> LeafPatterns | None:
    """The patterns of some conditions; None when a leaf is an object too, or a group takes too many tries."""
    paths = list(dict.fromkeys(path for condition in conditions for path in paths_of(condition)))
    prefixes = {prefix for path in paths for prefix in _prefixes(path)}
    if not prefixes.isdisjoint(paths):
        return None
    values = Representatives(conditions, thresholds)
    members: dict[tuple[Path, ...], list[tuple[int, Condition]]] = {}
    for place, condition in enumerate(conditions):
        first = next(paths_of(condition), None)
        leaves = () if first is None else values.group(first)
        members.setdefault(leaves, []).append((place, condition))
    groups = []
    for leaves, readers in members.items():
        choices = [values.values(path) for path in leaves]
        if math.prod(map(len, choices)) > limit:
            return None
        groups.append(_leaves(leaves, choices, readers, thresholds))
    parents = [
        frozenset(prefix for path in paths_of(condition) for prefix in _prefixes(path))
        for condition in conditions
    ]
    return LeafPatterns(groups, parents)


def _leaves(
    paths: tuple[Path, ...],
    choices: Sequence[Values],
    members: Sequence[tuple[int, Condition]],
    thresholds: Mapping[str, int | float],
) -> _Leaves:
    tests = [(1 << place, test_of(condition, thresholds)) for place, condition in members]
    patterns: dict[int, Values] = {}
    for values in itertools.product(*choices):
        context: Context = {}
        for path, value in zip(paths, values, strict=True):
            _put(context, path, value)
        pattern = sum(bit for bit, test in tests if test(context))
        patterns.setdefault(pattern, values)
    return _Leaves(paths, sum(bit for bit, _ in tests), patterns)


def _first(group: _Leaves, wanted: int, unwanted: int) -> Values | None:
    for pattern, values in group.patterns.items():
        if pattern & wanted == wanted and not pattern & unwanted:
            return values
    return None


def _places(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _prefixes(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(1, len(path)))


def _put(context: Context, path: Path, value: int | float | str) -> None:
    for name in path[:-1]:
        context = context.setdefault(name, {})
    context[path[-1]] = value
