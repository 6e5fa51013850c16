"""Which conditions can hold together: every pattern of truth that some context gives, with such a context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stratumc.proof.contexts import Context, Representatives, paths_of, test_of
from stratumc.workflow.syntax import Condition


def truth_patterns(
    conditions: Sequence[Condition], thresholds: Mapping[str, int | float], limit: int
) -> dict[int, Context] | None:
    """By the mask of the conditions that hold, the first context that gives it; None above `limit` tries.

    Conditions that read different members of the context don't touch each other: each group is tried by
    itself, and every pattern of one goes with every pattern of the others.
    """
    joined: dict[int, Context] = {0: {}}
    for group in _groups(conditions):
        found = _patterns(conditions, group, thresholds, limit)
        if found is None or len(joined) * len(found) > limit:
            return None
        joined = {
            first | second: {**context, **more}
            for first, context in joined.items()
            for second, more in found.items()
        }
    return joined


def _groups(conditions: Sequence[Condition]) -> list[list[int]]:
    """Places of conditions that share a member of the context, or are tied by others that do; in order."""
    group_of: dict[str, list[int]] = {}
    groups: list[list[int]] = []
    for place, condition in enumerate(conditions):
        names = dict.fromkeys(path[0] for path in paths_of(condition))
        group = [place]
        for name in names:
            other = group_of.get(name)
            if other is not None and other is not group:
                other.extend(group)
                groups = [one for one in groups if one is not group]
                for known, owner in group_of.items():
                    if owner is group:
                        group_of[known] = other
                group = other
        if group not in groups:
            groups.append(group)
        group_of.update((name, group) for name in names)
    return groups


def _patterns(
    conditions: Sequence[Condition],
    places: Sequence[int],
    thresholds: Mapping[str, int | float],
    limit: int,
) -> dict[int, Context] | None:
    contexts = Representatives([conditions[place] for place in places], thresholds)
    if contexts.count > limit:
        return None
    tests = [(1 << place, test_of(conditions[place], thresholds)) for place in places]
    found: dict[int, Context] = {}
    for context in contexts:
        pattern = 0
        for bit, test in tests:
            if test(context):
                pattern |= bit
        found.setdefault(pattern, context)
    return found
