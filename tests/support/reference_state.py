"""The state of a run in the reference interpreter: plain mutable records, copied whole for checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from support.reference_values import ABSENT

ENDED = ("succeeded", "failed", "skipped")


class RefusedError(Exception):
    """A call that changes nothing, with its kind."""


class RunEndedError(Exception):
    """Thrown up to the call when the whole run ends in the middle of something."""


@dataclass
class Item:
    """One item of a fanout."""

    value: Any
    status: str = "pending"
    stage: int = 0
    attempts: list[Any] = field(default_factory=list)
    stage_attempts: int = 0
    output: Any = ABSENT
    failure: Any = None
    text: str = ""
    token: str = ""


@dataclass
class Step:
    """One step of a scope; `attempts` holds the output of each (ABSENT without one)."""

    spec: dict[str, Any]
    status: str = "pending"
    attempts: list[Any] = field(default_factory=list)
    output: Any = ABSENT
    failure: Any = None
    routed: list[tuple[str, Any]] = field(default_factory=list)
    iterations: int = 0
    epoch: int = 0
    spent: dict[str, float] = field(default_factory=dict)
    child: Scope | None = None
    items: list[Item] | None = None
    text: str = ""
    token: str = ""

    @property
    def id(self) -> str:
        return str(self.spec["id"])


@dataclass
class Scope:
    """The entry flow, or a subflow under its run step."""

    flow: dict[str, Any]
    input: Any
    steps: dict[str, Step]
    parent: Step | None = None
    rounds: int = 0
    ended: bool = False


@dataclass
class State:
    """Everything of a run that a checkpoint holds, and the ledger that it doesn't."""

    root: Scope
    status: str = "in_progress"
    output: Any = ABSENT
    failure: Any = None
    carry: dict[str, Any] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)


def new_scope(flow: dict[str, Any], value: Any, parent: Step | None = None) -> Scope:
    return Scope(flow, value, {s["id"]: Step(s) for s in flow["steps"]}, parent)


class Report(NamedTuple):
    """What a caller says of a step; `reported` is its own word of failure."""

    output: Any
    reported: Any
    usage: Any
