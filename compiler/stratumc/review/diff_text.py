"""Writes a difference: plain text, JSON, and Markdown for a pull request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from stratumc.review.changes import Change, ChangeKind, FieldChange
from stratumc.review.diff import Diff
from stratumc.review.meaning import MeaningKind

_SIGNS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.CHANGED: "~"}
_SERIOUS = (MeaningKind.GATE_PASSED_BY, MeaningKind.MAY_BE_SKIPPED, MeaningKind.CANNOT_GO_ON)
_LONGEST = 80


def diff_text(diff: Diff) -> str:
    """The difference as plain text, ending in a line end."""
    return "\n".join(_text(diff)) + "\n"


def diff_markdown(diff: Diff) -> str:
    """The difference as Markdown, ending in a line end."""
    return "\n".join(_markdown(diff)) + "\n"


def diff_json(diff: Diff) -> str:
    """The difference as indented JSON, ending in a line end."""
    return json.dumps(diff.to_dict(), ensure_ascii=False, indent=2) + "\n"


def _text(diff: Diff) -> Iterator[str]:
    if diff.is_empty:
        yield f"{diff.old} and {diff.new} mean the same"
        return
    yield f"{diff.old} → {diff.new}"
    for change in diff.changes:
        yield f"{_SIGNS[change.kind]} {change.part}"
        yield from (f"    {_field(field)}" for field in change.fields)
    if diff.meanings:
        yield ""
        yield "What it means:"
        for meaning in diff.meanings:
            yield f"{'!' if meaning.kind in _SERIOUS else '·'} {meaning.message}"


def _field(field: FieldChange) -> str:
    if not field.had:
        return f"{field.field}: added {_value(field.new)}"
    if not field.has:
        return f"{field.field}: removed {_value(field.old)}"
    return f"{field.field}: {_value(field.old)} → {_value(field.new)}"


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _markdown(diff: Diff) -> Iterator[str]:
    yield f"### {_plain(diff.old)} → {_plain(diff.new)}"
    yield ""
    if diff.is_empty:
        yield "No change in behaviour."
        return
    if diff.meanings:
        yield "**What it means**"
        yield ""
        for meaning in diff.meanings:
            mark = "⚠️ " if meaning.kind in _SERIOUS else ""
            yield f"- {mark}{_plain(meaning.message)}"
        yield ""
    yield "| | part | what changed |"
    yield "|---|---|---|"
    yield from map(_row, diff.changes)


def _row(change: Change) -> str:
    fields = "<br>".join(_plain(_field(field)) for field in change.fields)
    return f"| {change.kind.value} | {_plain(str(change.part))} | {fields} |"


def _plain(text: str) -> str:
    """Text that stays as it is in a Markdown table: no pipes, no HTML, on one line."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
