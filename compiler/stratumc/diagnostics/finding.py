"""What passes report: a code, a symbolic place, a sentence."""

from __future__ import annotations

import enum
from typing import Any

from stratumc.text import Location
from stratumc.text.record import record


class Severity(enum.Enum):
    """How bad a finding is; only errors make a check fail by default."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Family(enum.Enum):
    """The three families of checks.md."""

    RULE = "rule"
    TYPE = "type"
    PROOF = "proof"


@record
class RelatedPlace:
    """A second place that a finding speaks of."""

    at: Location
    message: str


@record
class Finding:
    """One fault, placed symbolically. `severity` None means the one of the catalog."""

    code: str
    at: Location
    message: str
    """One line, lower case, no final period, the user's names in backticks."""
    severity: Severity | None = None
    related: tuple[RelatedPlace, ...] = ()
    witness: Any = None
    """JSON value that shows the fault (checks.md); None when there is none."""
    suggestion: str | None = None
    """The mend, when one is certain (for example "did you mean `draft`?")."""
