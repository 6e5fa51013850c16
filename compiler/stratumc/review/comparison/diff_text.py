"""Writes a difference: plain text, JSON, and Markdown for a pull request."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from stratumc.review.comparison.changes import Change, ChangeKind, FieldChange
from stratumc.review.comparison.diff import Diff
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from stratumc.text.visible import visible

_SIGNS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.CHANGED: "~"}
SERIOUS = (
    MeaningKind.CANNOT_COMPLETE,
    MeaningKind.MAY_NOT_COMPLETE,
    MeaningKind.GATE_PASSED_BY,
    MeaningKind.CHECK_PASSED_BY,
    MeaningKind.MAY_BE_SKIPPED,
    MeaningKind.NO_LONGER_RESET,
)
"""What a reviewer should not overlook."""

_LONGEST = 80
_BEFORE, _AFTER = 30, 30
"""Of two long values that differ so much is told, at least, around the first place where they do."""

_MARKS = re.compile(r"[\\`*_\[\]#|~$@!]")


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
        yield from _findings(diff)
        return
    yield f"{diff.old} → {diff.new}"
    for change in diff.changes:
        yield f"{_SIGNS[change.kind]} {visible(str(change.part))}"
        yield from (f"    {_field(change, field)}" for field in change.fields)
    if diff.meanings:
        yield from ("", "What it means:")
        for meaning in diff.meanings:
            yield f"{'!' if meaning.kind in SERIOUS else '·'} {visible(meaning.message)}"
    yield from _findings(diff)
    yield from ("", "Under way:")
    yield from (f"! {visible(message)}" for _, message in diff.halted)
    yield f"· {others_words(diff)}"


def _findings(diff: Diff) -> Iterator[str]:
    """The findings of `check` that are new, and those that are gone."""
    if diff.findings:
        yield from ("", "Findings:")
        yield from (f"+ {visible(str(one))}" for one in diff.findings.new)
        yield from (f"- {visible(str(one))}" for one in diff.findings.gone)


def others_words(diff: Diff) -> str:
    """One sentence on those under way that can go on, of which none is told by itself."""
    halted = sum(one.fate is not Fate.GOES_ON for one in diff.going_on)
    noun = "project in any" if diff.is_workflow else "run at any"
    other = " other" if halted else ""
    place = "state" if diff.is_workflow else "step"
    kept = "" if diff.is_workflow else "; each keeps the table that it was planned with"
    if halted == len(diff.going_on):
        return f"no {'project' if diff.is_workflow else 'run'} can simply go on{kept}"
    return f"a {noun}{other} {place} can go on under the new version{kept}"


def _field(change: Change, field: FieldChange) -> str:
    if change.kind is not ChangeKind.CHANGED:
        return f"{field.field}: {_value(field.new if field.has else field.old)}"
    if not field.had:
        return f"{field.field}: added {_value(field.new)}"
    if not field.has:
        return f"{field.field}: removed {_value(field.old)}"
    old, new = _json(field.old), _json(field.new)
    alike = itertools.takewhile(lambda both: both[0] == both[1], zip(old, new, strict=False))
    differs_at = sum(1 for _ in alike)
    return f"{field.field}: {_cut(old, differs_at)} → {_cut(new, differs_at)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(value: Any) -> str:
    return _cut(_json(value), 0)


def _cut(text: str, shows: int) -> str:
    """As much of a long text as is told, with what stands at a place."""
    start = 0 if max(len(text), shows + _AFTER) <= _LONGEST else max(0, shows - _BEFORE)
    kept = text[start : start + _LONGEST]
    return f"{'…' if start else ''}{kept}{'…' if start + _LONGEST < len(text) else ''}"


def _markdown(diff: Diff) -> Iterator[str]:
    yield f"### {_plain(diff.old)} → {_plain(diff.new)}"
    yield ""
    if diff.is_empty:
        yield "Both mean the same."
        if diff.findings:
            yield ""
            yield from _findings_list(diff)
        return
    if diff.meanings:
        yield from ("**What it means**", "")
        for meaning in diff.meanings:
            mark = "⚠️ " if meaning.kind in SERIOUS else ""
            yield f"- {mark}{_words(meaning.message)}"
        yield ""
    if diff.findings:
        yield from (*_findings_list(diff), "")
    yield from ("**Under way**", "")
    yield from (f"- ⚠️ {_words(message)}" for _, message in diff.halted)
    yield from (f"- {_words(others_words(diff))}", "")
    yield "| | part | what changed |"
    yield "|---|---|---|"
    yield from map(_row, diff.changes)


def _findings_list(diff: Diff) -> Iterator[str]:
    yield from ("**Findings**", "")
    for word, changes in (("new", diff.findings.new), ("gone", diff.findings.gone)):
        for one in changes:
            code = f"{one.finding.severity} `{one.finding.code}`"
            note = f" ({_plain(one.note)})" if one.note is not None else ""
            yield f"- {word}: {code} {_words(one.finding.message)}{note}"


def _row(change: Change) -> str:
    fields = "<br>".join(_plain(_field(change, field)) for field in change.fields)
    return f"| {change.kind.value} | {_plain(str(change.part.kind))} {_code(change.part.name)} | {fields} |"


def _words(message: str) -> str:
    """A message with names in backticks, the rest as plain text; all of it where names hold backticks."""
    parts = visible(message).split("`")
    if len(parts) % 2 == 0 or "" in parts[1::2]:
        return _plain(message)
    return "`".join(
        part.replace("|", "\\|") if number % 2 else _plain(part) for number, part in enumerate(parts)
    )


def _code(name: str) -> str:
    """A name as code, fenced by more backticks than it holds."""
    text = visible(name).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def _plain(text: str) -> str:
    """Text that stays as it is in Markdown, tables included: no mark-up, no HTML, on one line."""
    marked = _MARKS.sub(lambda found: f"\\{found[0]}", visible(text))
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
