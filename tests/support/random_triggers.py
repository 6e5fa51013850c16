"""Random triggers over a few paths, and random contexts for them."""

from __future__ import annotations

import random
from typing import Any

from stratumc.text import Location
from stratumc.workflow.syntax import (
    Always,
    Compare,
    Comparison,
    Condition,
    ContextPath,
    Number,
    ThresholdName,
    Trigger,
)

PATHS = (
    ("counters", "n"),
    ("session_counters", "m"),
    ("session_counters", "k"),
    ("task", "a"),
    ("task", "b"),
    ("task", "b", "c"),
    ("plain",),
)
THRESHOLDS = {"low": 2, "high": 3.5}
CONSTANTS = (-1, 0, 1, 2, 2.5, 3, 4)
VALUES = (-2, -1, -0.5, 0, 0.25, 1, 1.5, 2, 2.25, 2.5, 3, 3.5, 4, 5, 17, "text", "other", "third")


def condition(pick: random.Random) -> Condition:
    """A condition; comparisons of two paths are as likely as those with a number."""
    if pick.random() < 0.08:
        return Always()
    left = ContextPath(pick.choice(PATHS))
    kind = pick.random()
    if kind < 0.45:
        return Compare(left, pick.choice(list(Comparison)), Number(pick.choice(CONSTANTS)))
    if kind < 0.6:
        return Compare(left, pick.choice(list(Comparison)), ThresholdName(pick.choice(list(THRESHOLDS))))
    return Compare(left, pick.choice(list(Comparison)), ContextPath(pick.choice(PATHS)))


def trigger(pick: random.Random, target: str) -> Trigger:
    """A trigger with a random condition."""
    return Trigger("condition", condition(pick), target, None, None, Location(("triggers",)))


def context(pick: random.Random) -> dict[str, Any]:
    """A context in the domains of checks.md: counters are integers from 0, all else numbers or strings."""
    made: dict[str, Any] = {}
    for name in ("counters", "session_counters", "task"):
        if pick.random() < 0.85:
            made[name] = {}
    for path in PATHS:
        if pick.random() < 0.15 or (len(path) > 1 and path[0] not in made):
            continue
        counter = len(path) > 1 and path[-2].endswith("counters")
        value = pick.choice((0, 1, 2, 3, 4, 5, 9)) if counter else pick.choice(VALUES)
        node: Any = made
        for part in path[:-1]:
            if not isinstance(node.get(part), dict):
                node[part] = {}
            node = node[part]
        if not isinstance(node.get(path[-1]), dict):
            node[path[-1]] = value
    return made
