"""Text of one input and the arithmetic between offsets and positions."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from stratumc.text.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


def _line_starts(text: str) -> tuple[int, ...]:
    """Offsets at which lines begin; LF, CRLF and a lone CR end a line."""
    return (0, *(match.end() for match in _LINE_END.finditer(text)))


@dataclass(frozen=True, slots=True)
class Document:
    """One input: the name shown to people and its decoded text (no byte-order mark)."""

    name: str
    text: str
    _starts: list[tuple[int, ...]] = field(default_factory=list, compare=False, repr=False)

    @property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of each line's first code point; computed once, when first needed."""
        if not self._starts:
            self._starts.append(_line_starts(self.text))
        return self._starts[0]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset in code points."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The half-open range of offsets as a span of this document."""
        line, column = self.position(start)
        end_line, end_column = self.position(max(start, end))
        return Span(self.name, line, column, end_line, end_column)

    def line(self, number: int) -> str:
        """Line `number` (from 1) without its line end."""
        starts = self.line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")
