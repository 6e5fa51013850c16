"""What a picture of a flow shows beside the flow: findings, a run, and what no run comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stratumc.emit.picture import Tone
from stratumc.text import Location

LIVE = ("pending", "ready", "running", "waiting_gate")
"""The statuses of steps that still have something before them."""


@dataclass(frozen=True, slots=True)
class RunMarks:
    """How a run stands."""

    statuses: Mapping[str, str] = field(default_factory=dict)
    """Of its steps, by the name that tools know them by (`step`, `parent/child`, `fan/0`)."""
    status: str | None = None
    """`in_progress`, `complete`, `failed`, `killed`, `budget_exhausted` or `cancelled`, if it is known."""
    id: str | None = None

    @property
    def note(self) -> tuple[str, ...]:
        """What stands under the title."""
        name = "run" if self.id is None else f"run {self.id}"
        return () if self.status is None else (f"{name}: {self.status.replace('_', ' ')}",)

    def is_left(self, status: str | None) -> bool:
        """Whether a step of that status will get no further, since the run is over."""
        return self.status not in (None, "in_progress") and status in LIVE


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known of the parts of a flow, by their places."""

    tones: Mapping[Location, Tone]
    """Of steps and stages, and of flows."""
    run: RunMarks = field(default_factory=RunMarks)
    """Its statuses win over tones."""
    unreached: frozenset[Location] = frozenset()
    """Steps that no run comes to, since none gets past an earlier one."""
    endless: frozenset[str] = frozenset()
    """Flows that no run ends well."""
