"""Diagnostics for people: a code frame with carets, related places, the witness and the mend."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from stratumc.diagnostics.columns import shown, width
from stratumc.diagnostics.diagnostic import Diagnostic
from stratumc.text import Document, Span

_WIDEST = 120
"""Cells of a line of the file that are shown."""
_LEAD = 40
"""Cells shown before the place in a line that is cut."""
_LONGEST_WITNESS = 400

_COLOURS = {"error": "1;31", "warning": "1;33", "info": "1;34", "frame": "34", "note": "1;36", "help": "1;32"}


def render_text(
    diagnostics: Iterable[Diagnostic], documents: Mapping[str, Document], *, color: bool = False
) -> str:
    """The diagnostics that count, a blank line between two; `documents` has the texts by their names.

    A place in a file that `documents` lacks is named without its line.
    """
    blocks = [
        "".join(line + "\n" for line in _block(diagnostic, documents, color=color))
        for diagnostic in diagnostics
        if diagnostic.suppressed is None
    ]
    return "\n".join(blocks)


def _block(diagnostic: Diagnostic, documents: Mapping[str, Document], *, color: bool) -> Iterator[str]:
    heading = _paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity, color=color)
    yield f"{heading}: {shown(diagnostic.message)}"
    yield from _frame(diagnostic.span, documents, "^", diagnostic.severity, color=color)
    for place in diagnostic.related:
        yield f"{_paint('note', 'note', color=color)}: {shown(place.message)}"
        yield from _frame(place.span, documents, "-", "note", color=color)
    if diagnostic.witness is not None:
        for number, line in enumerate(witness_lines(diagnostic.witness)):
            yield ("         " if number else _paint("witness", "note", color=color) + ": ") + shown(line)
    if diagnostic.suggestion is not None:
        yield f"{_paint('help', 'help', color=color)}: {shown(diagnostic.suggestion)}"


def _frame(
    span: Span, documents: Mapping[str, Document], mark: str, style: str, *, color: bool
) -> Iterator[str]:
    """The place, and the line where it begins with its columns marked."""
    document = documents.get(span.file)
    margin = " " * len(str(span.line))
    arrow = _paint(f"{margin}-->", "frame", color=color)
    yield f"{arrow} {shown(span.file)}:{span.line}:{span.column}"
    if document is None or span.line > len(document.line_starts):
        return
    before, marked, after = _parts(document.line(span.line), span)
    bar = _paint(f"{margin} |", "frame", color=color)
    number = _paint(f"{span.line} |", "frame", color=color)
    carets = _paint(mark * max(1, width(marked)), style, color=color)
    rest = f" to line {span.end_line}" if span.end_line > span.line else ""
    yield bar
    yield f"{number} {shown(before + marked + after)}".rstrip()
    yield f"{bar} {' ' * width(before)}{carets}{rest}"


def _parts(line: str, span: Span) -> tuple[str, str, str]:
    """The line before, in and after the span, cut to what fits."""
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    before, marked, after = line[:start], line[start:end], line[end:]
    if width(line) <= _WIDEST:
        return before, marked, after
    if width(before) > _LEAD:
        before = "…" + before[-_LEAD:]
    room = _WIDEST - width(before)
    if width(marked) > room:
        return before, marked[: room - 1] + "…", ""
    room -= width(marked)
    return before, marked, after if width(after) <= room else after[: max(0, room - 1)] + "…"


def witness_lines(witness: Any) -> list[str]:
    """A witness in words: its own `text` where it has one, else `name = value` for every leaf."""
    if isinstance(witness, dict) and isinstance(witness.get("text"), str):
        return str(witness["text"]).splitlines() or [""]
    line = ", ".join(f"{name} = {value}" if name else value for name, value in _leaves("", witness))
    return [line if len(line) <= _LONGEST_WITNESS else line[: _LONGEST_WITNESS - 1] + "…"]


def _leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), inner)
    else:
        yield name, json.dumps(value, ensure_ascii=False)


def _paint(text: str, style: str, *, color: bool) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if color else text
