"""What users get: findings made concrete, in one order."""

from __future__ import annotations

from typing import Any

from stratumc.text import Span
from stratumc.text.record import record


@record
class Related:
    """A second place, with what it has to do with the fault."""

    message: str
    span: Span

    def to_dict(self) -> dict[str, Any]:
        """The place as a JSON object."""
        return {"message": self.message, **self.span.to_dict()}


@record
class Diagnostic:
    """One finding with its place in the text (docs/api.md)."""

    code: str
    severity: str
    """`error`, `warning` or `info`."""
    family: str
    """`rule`, `type` or `proof`."""
    message: str
    path: str
    span: Span
    related: tuple[Related, ...] = ()
    witness: Any = None
    suggestion: str | None = None
    suppressed: str | None = None
    """Why it was suppressed (a comment, a setting); None for one that counts."""
    starts_on: int = 0
    """For a place inside a text, the line on which the text begins: inside a block no comment can stand."""

    def to_dict(self) -> dict[str, Any]:
        """The diagnostic as a JSON object; the schema is `stratumc schema diagnostics`."""
        return {
            "code": self.code,
            "severity": self.severity,
            "family": self.family,
            "message": self.message,
            "path": self.path,
            "span": self.span.to_dict(),
            "related": [place.to_dict() for place in self.related],
            "witness": self.witness,
            "suggestion": self.suggestion,
            "suppressed": self.suppressed,
        }

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """Order of all output: by place, then code, path and message."""
        return (self.span, self.code, self.path, self.message)
