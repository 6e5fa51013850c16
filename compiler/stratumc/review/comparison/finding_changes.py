"""Which findings of `check` are new in a version, and which are gone; lines and paths don't count."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stratumc.diagnostics import Diagnostic

_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding that only one version has, or that is ignored in only one."""

    finding: Diagnostic
    note: str | None
    """What a comment or setting that ignores it has to do with it; None where none does."""

    def to_dict(self) -> dict[str, Any]:
        """The finding as a JSON object."""
        one = self.finding
        return {
            "code": one.code,
            "severity": one.severity,
            "message": one.message,
            "path": one.path,
            "note": self.note,
        }

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note is not None else ""
        return f"{self.finding.severity}[{self.finding.code}] {self.finding.message}{note}"


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """The findings that are new or count now, and those that are gone or count no more."""

    new: tuple[FindingChange, ...]
    gone: tuple[FindingChange, ...]

    def __bool__(self) -> bool:
        return bool(self.new or self.gone)

    def to_dict(self) -> dict[str, Any]:
        """The changes as a JSON object."""
        return {
            "new": [change.to_dict() for change in self.new],
            "gone": [change.to_dict() for change in self.gone],
        }


class NamedFindings:
    """The findings in one version of a document, with the names of what they are about."""

    def __init__(self, findings: tuple[Diagnostic, ...], document: Any) -> None:
        self.findings, self._document = findings, document

    def key(self, finding: Diagnostic) -> tuple[str, ...]:
        """What makes a finding the same in both versions."""
        return (finding.code, finding.severity, finding.message)

    def place(self, finding: Diagnostic) -> tuple[str, ...] | None:
        """What makes a finding with an example the same whatever the example, told from "when" on.

        None of a finding without one.
        """
        if finding.witness is None:
            return None
        head = finding.message.split(" when ")[0]
        related = (one.message for one in finding.related)
        return (finding.code, finding.severity, self._named(finding.path), head, *related)

    def _named(self, path: str) -> str:
        """A path with the ids of steps in place of their numbers."""
        for prefix, ids in self._steps:
            if path.startswith(prefix):
                found = _INDEX.match(path, len(prefix))
                if found is not None and int(found[1]) < len(ids):
                    return f"{prefix}[{ids[int(found[1])]}]{path[found.end() :]}"
        return path

    @cached_property
    def _steps(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The path of each flow's steps, and their ids."""
        flows = self._document.get("flows", {}) if isinstance(self._document, dict) else {}
        return tuple(
            (f"flows.{name}.steps", tuple(step["id"] for step in flow["steps"]))
            for name, flow in flows.items()
            if isinstance(flow, dict)
        )


def compare_findings(old: NamedFindings, new: NamedFindings) -> FindingChanges:
    """The findings that only one version has, or that are ignored in one, each as often as that is so."""
    gone, added = list(old.findings), list(new.findings)
    silenced, voiced = [], []
    for keys in ((old.key, new.key), (old.place, new.place)):
        gone, added, pairs = _matched(gone, added, *keys)
        for before, after in pairs:
            if before.suppressed is None and after.suppressed is not None:
                silenced.append(FindingChange(after, f"now ignored, {after.suppressed}"))
            elif after.suppressed is None and before.suppressed is not None:
                voiced.append(FindingChange(after, "no longer ignored"))
    return FindingChanges(
        (*(FindingChange(one, _ignored(one, "ignored")) for one in added), *voiced),
        (*(FindingChange(one, _ignored(one, "was ignored")) for one in gone), *silenced),
    )


def _ignored(finding: Diagnostic, word: str) -> str | None:
    return None if finding.suppressed is None else f"{word}, {finding.suppressed}"


_Key = Callable[[Diagnostic], tuple[str, ...] | None]


def _matched(
    old: list[Diagnostic], new: list[Diagnostic], old_key: _Key, new_key: _Key
) -> tuple[list[Diagnostic], list[Diagnostic], list[tuple[Diagnostic, Diagnostic]]]:
    """What of both lists has no like in the other, and the pairs of like ones; None is like nothing."""
    waiting: dict[tuple[str, ...], deque[int]] = {}
    for number, finding in enumerate(old):
        key = old_key(finding)
        if key is not None:
            waiting.setdefault(key, deque()).append(number)
    added: list[Diagnostic] = []
    pairs: list[tuple[Diagnostic, Diagnostic]] = []
    taken: set[int] = set()
    for finding in new:
        key = new_key(finding)
        if key is None or not waiting.get(key):
            added.append(finding)
            continue
        number = waiting[key].popleft()
        taken.add(number)
        pairs.append((old[number], finding))
    return [one for number, one in enumerate(old) if number not in taken], added, pairs
