"""The nearest known name to a misspelt one, for every "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name fewest edits away from `name`, the first of equals; None when all are too far.

    An edit is a character inserted, dropped, replaced, or swapped with its neighbour; a change of
    case counts a quarter. Up to a third of the name's length, and at least one edit, is near.
    """
    best, limit = None, max(1.0, len(name) / 3)
    for candidate in known:
        if abs(len(candidate) - len(name)) > limit:
            continue
        distance = _distance(name, candidate, limit)
        if distance <= limit and candidate != name and (best is None or distance < limit):
            best, limit = candidate, distance
    return best


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The suggestion of a finding about an unknown name, if a known one is near."""
    found = nearest(name, known)
    return None if found is None else f"did you mean `{found}`?"


def _distance(left: str, right: str, limit: float) -> float:
    """Edit distance with neighbours swapped (Damerau 1964, restricted), cut off above `limit`."""
    before: list[float] = []
    row: list[float] = [float(column) for column in range(len(right) + 1)]
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [float(i)]
        for j, b in enumerate(right, 1):
            replaced = before[j - 1] + _replacement(a, b)
            cost = min(before[j] + 1, row[j - 1] + 1, replaced)
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and (not before or min(before) > limit):
            return limit + 1
    return row[-1]


def _replacement(a: str, b: str) -> float:
    if a == b:
        return 0.0
    return 0.25 if a.casefold() == b.casefold() else 1.0
