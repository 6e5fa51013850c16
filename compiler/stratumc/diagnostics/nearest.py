"""The nearest known name to a misspelt one, for every "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_COMPARISONS = 20_000
_LONGEST = 80
_MOST_LISTED = 8
_OTHER_CASE = 0.25
"""What a change of case counts of an edit."""


class Names:
    """A set of known names that is asked for the nearest one many times.

    Asking gets cheaper by remembering, and stops after a fixed number of comparisons, so that a
    large file full of unknown names is still checked in time linear in its size.
    """

    __slots__ = ("_answers", "_known", "_left")

    def __init__(self, known: Iterable[str]) -> None:
        self._known = tuple(known)
        self._answers: dict[str, str | None] = {}
        self._left = _COMPARISONS

    def did_you_mean(self, name: str) -> str | None:
        """The suggestion of a finding about an unknown name, if a known one is near."""
        if name not in self._answers:
            if self._left < len(self._known):
                return None
            self._left -= len(self._known)
            self._answers[name] = _suggest(name, self._known)
        return self._answers[name]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name fewest edits away from `name`, the first of equals; None when all are too far.

    An edit is a character inserted, dropped, replaced, or swapped with its neighbour; a change of
    case counts a quarter. Up to a third of the name's length, and at least one edit, is near; of a single
    character only its other case is, and nothing is near a very long name.
    """
    best, limit = None, max(1.0, len(name) / 3) if len(name) > 1 else _OTHER_CASE
    if len(name) > _LONGEST:
        return None
    for candidate in known:
        if abs(len(candidate) - len(name)) > limit or candidate == name:
            continue
        distance = _distance(name, candidate, limit)
        if distance < limit or (best is None and distance == limit):
            best, limit = candidate, distance
    return best


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """As `Names.did_you_mean`, for a few known names."""
    return _remembered(name, tuple(known))


def names_meant(name: str, known: Iterable[str]) -> str:
    """The suggestion; where no known name is near, the first of those there are."""
    names = tuple(known)
    near = did_you_mean(name, names)
    if near is not None:
        return near
    if not names:
        return "there is none"
    listed = ", ".join(f"`{one}`" for one in names[:_MOST_LISTED])
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"there is only {listed}" if len(names) == 1 else f"there are {listed}{more}"


def _suggest(name: str, known: tuple[str, ...]) -> str | None:
    found = nearest(name, known)
    return None if found is None else f"did you mean `{found}`?"


_remembered = lru_cache(maxsize=1024)(_suggest)


def _distance(left: str, right: str, limit: float) -> float:
    """Edit distance with neighbours swapped (optimal string alignment), cut off above `limit`."""
    before: list[float] = []
    row = [float(column) for column in range(len(right) + 1)]
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [float(i)]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + _replacement(a, b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return row[-1]


def _replacement(a: str, b: str) -> float:
    if a == b:
        return 0.0
    return _OTHER_CASE if a.casefold() == b.casefold() else 1.0
