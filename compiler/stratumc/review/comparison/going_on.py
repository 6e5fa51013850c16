"""The verdict on what is under way: what becomes of it under a new version."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class Fate(enum.Enum):
    """What becomes of what is under way."""

    GOES_ON = "goes on"
    BACK = "goes back"
    """A run would first have to do a step that it has passed, or never had."""
    STUCK = "stuck"
    """There is such a state, but no way out of it any more."""
    ENDLESS = "can't end"
    """No final state that a project could come to before can be come to any more."""
    FORGETS = "can't resume"
    """An event that resumes leads nowhere, by the state before that the project's state file keeps."""
    GONE = "gone"
    CANNOT = "cannot go on"


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The verdict on one state of a workflow, or one step of a flow."""

    kind: str
    """`state` or `step`."""
    name: str
    flow: str | None
    """Of a step."""
    fate: Fate
    reason: str | None
    """Why it isn't simply `goes on`."""

    def to_dict(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        flow = {} if self.flow is None else {"flow": self.flow}
        return {self.kind: self.name, **flow, "verdict": self.fate.value, "reason": self.reason}

    def __str__(self) -> str:
        if self.kind == "state":
            return f"a project in state `{self.name}`: {self.reason or 'goes on'}"
        return f"a run of `{self.flow}` at step `{self.name}`: {self.reason or 'goes on'}"
