"""Two versions compared, for tests: what is said of a kind, and small workflows."""

from __future__ import annotations

import json
from typing import Any

import stratumc
from stratumc.review.comparison.diff import Diff
from stratumc.review.comparison.meaning import MeaningKind
from support.documents import document, gate, task

REVIEWED = document(
    task("build"), gate("review", after=["build"]), task("last", after=["review"]), max_rounds=2
)


def diff(old: Any, new: Any) -> Diff:
    """What `stratumc.diff` says of two documents."""
    return stratumc.diff(json.dumps(old), json.dumps(new))


def said(found: Diff, kind: MeaningKind) -> list[str]:
    """The messages of a kind."""
    return [one.message for one in found.meanings if one.kind is kind]


def flow_of(**states: Any) -> dict[str, Any]:
    """A workflow of these states; it begins in the first."""
    return {"name": "w", "initial_state": next(iter(states)), "states": states}


def go(**events: str) -> dict[str, Any]:
    """A state with these events, each with its target."""
    return {"transitions": [{"event": event, "target": target} for event, target in events.items()]}
