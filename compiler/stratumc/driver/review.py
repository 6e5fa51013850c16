"""What reviewers name: files, texts, `REV:path` of git; loaded, checked, and compared."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver.checks import is_broken
from stratumc.driver.load import Loaded, load, load_files
from stratumc.driver.pipeline import CheckResult, check_loaded
from stratumc.driver.settings import Settings
from stratumc.spec.syntax import Gate, Spec, Step
from stratumc.text.plain import plain_data

if TYPE_CHECKING:
    from stratumc.review.comparison.diff import Diff, Version

Input = str | bytes | os.PathLike[str]


class BrokenInputError(ValueError):
    """An input that can't be compared or asked about, with what is wrong in it."""

    def __init__(self, name: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        errors = [one for one in diagnostics if one.severity == "error"]
        place = ""
        if errors:
            span = errors[0].span
            place = f": {span.file}:{span.line}:{span.column}: {errors[0].message}"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        message = f"`{name}` breaks rules, so nothing can be said of it{place}{more}"
        if errors and errors[0].code == "FILE_UNREADABLE":
            message = errors[0].message
        super().__init__(message)
        self.diagnostics = diagnostics


_MOST_REVISED = 1_000
"""Bounds of flows with more pairs of a step and a revise aren't compared."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An input, and what was found in it."""

    name: str
    loaded: Loaded
    result: CheckResult

    @property
    def is_broken(self) -> bool:
        """Whether it breaks rules, so that no run of it means anything."""
        return is_broken(self.loaded)


def diff(old: Input, new: Input) -> Diff:
    """What changed between two versions, and what it means.

    Texts are documents; paths are files, with the fragments that belong to them.

    Raises:
        BrokenInputError: one of them breaks rules.
        ValueError: one is a spec and the other a workflow.
    """
    return compare_checked(read(old, "old"), read(new, "new"))


def read(source: Input, name: str) -> Checked:
    """Loads and checks an input. Raises BrokenInputError when its rules are broken."""
    loaded = load(source, name=f"<{name}>", kind=None)
    shown = os.fspath(source) if isinstance(source, os.PathLike) else name
    return _unbroken(Checked(str(shown), loaded, check_loaded(loaded, Settings())))


def read_argument(argument: str) -> Checked:
    """What a command line names, checked.

    Raises:
        BrokenInputError: it breaks rules.
        FileNotFoundError: it is neither a file nor a revision's path.
    """
    return _unbroken(check_argument(argument))


def load_argument(argument: str) -> Loaded:
    """What a command line names: a file, a workflow's folder, or `REV:path` of git.

    Raises FileNotFoundError when it is neither.
    """
    if os.path.exists(argument):
        return load(Path(argument), name=argument, kind=None)
    if ":" not in argument:
        raise FileNotFoundError(2, "no such file, and no REV:path of git", argument)
    from stratumc.driver.git import read_revision

    return load_files(read_revision(argument), None)


def check_argument(argument: str, settings: Settings | None = None) -> Checked:
    """What a command line names, with what is found in it, by default by all families.

    Raises FileNotFoundError.
    """
    loaded = load_argument(argument)
    return Checked(argument, loaded, check_loaded(loaded, settings or Settings()))


def _unbroken(one: Checked) -> Checked:
    if one.is_broken:
        raise BrokenInputError(one.name, one.result.diagnostics)
    return one


def compare_checked(old: Checked, new: Checked) -> Diff:
    """The difference between two inputs.

    Raises:
        BrokenInputError: one of them breaks rules.
        ValueError: they are of different kinds.
    """
    from stratumc.review.comparison.diff import compare

    return compare(_version(_unbroken(old)), _version(_unbroken(new)))


def _version(one: Checked) -> Version:
    from stratumc.review.comparison.diff import Version

    root = one.loaded.sources[0].root
    data = plain_data(root) if root is not None else None
    findings = (*one.result.diagnostics, *one.result.suppressed)
    bounds = None if _is_often_revised(one.loaded.spec) else one.result.bounds
    return Version(one.name, one.loaded.spec, one.loaded.workflow, data, bounds, findings)


def _is_often_revised(spec: Spec | None) -> bool:
    """Whether bounds would take longer than all else that a diff asks: each revise asks about all steps."""
    flows = () if spec is None else spec.flows.values()
    return any(len(flow.steps) * sum(map(_is_revised, flow.steps)) > _MOST_REVISED for flow in flows)


def _is_revised(step: Step) -> bool:
    return isinstance(step.body, Gate) and step.body.on_revise is not None
