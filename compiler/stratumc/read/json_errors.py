"""What is wrong where a text stops being JSON, and the mend."""

from __future__ import annotations

from collections.abc import Sequence as Stack

from stratumc.diagnostics.finding import Finding
from stratumc.read.frames import Frame, path_of
from stratumc.text import Location, Path


class JsonFault(Exception):
    """The place and the words of the fault at which reading stops."""

    def __init__(
        self,
        start: int,
        end: int,
        message: str,
        suggestion: str | None = None,
        *,
        code: str = "JSON_INVALID",
        path: Path = (),
    ) -> None:
        super().__init__(message)
        self.start = start
        self.end = end
        self.message = message
        self.suggestion = suggestion
        self.code = code
        self.path = path

    def finding(self, source: int) -> Finding:
        """The fault as a finding of that source."""
        at = Location(self.path, source=source, range=(self.start, self.end))
        return Finding(self.code, at, self.message, suggestion=self.suggestion)


def describe_fault(text: str, offset: int, expected: str, stack: Stack[Frame]) -> JsonFault:
    """The fault at an offset where `expected` (a name of Expected) should stand."""
    return JsonFault(offset, min(offset + 1, len(text)), "this is not JSON", path=path_of(stack))
