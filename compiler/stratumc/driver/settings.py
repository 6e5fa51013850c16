"""Settings of a check: what can be set, whether a file or Python sets it."""

from __future__ import annotations

import os
from typing import NamedTuple

KINDS = ("spec", "workflow")
FAMILIES = ("rule", "type", "proof")
SEVERITIES = ("error", "warning", "info")


class SettingsError(Exception):
    """Settings or flags that can't be used; each message says where and what to do."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults
        """A line each, in the order of their places."""


class Place(NamedTuple):
    """A range of the settings file: lines and columns from 1, in code points, half-open."""

    line: int
    column: int
    end_line: int
    end_column: int


class Assertion(NamedTuple):
    """That every way to a step or state of a file passes a gate, or another state."""

    name: str
    file: str
    """Relative to the settings file; without one, to the working directory."""
    goal: str
    gate: str
    start: str | None = None
    """None for the initial state, or any start of the flow."""
    flow: str | None = None
    """None for the entry."""
    places: tuple[tuple[str, Place], ...] = ()
    """Where the settings file has the values of its keys, by key; empty without a file."""


class PerFile(NamedTuple):
    """Codes that are ignored in the files of a pattern."""

    pattern: str
    codes: tuple[str, ...]
    places: tuple[Place, ...] = ()
    """Where the settings file has each code; empty without a file."""

    @property
    def is_one_file(self) -> bool:
        """Whether the pattern names a single file, so that an unused code of it is certain."""
        return not any(character in self.pattern for character in "*?[")


class Settings(NamedTuple):
    """What a check reports, and how severely (checks.md, "Command line")."""

    families: tuple[str, ...] = FAMILIES
    select: tuple[str, ...] | None = None
    """The only codes to report; None for all."""
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    """Code and the severity that it has here."""
    strict: bool = False
    """Whether warnings fail a check too."""
    exclude: tuple[str, ...] = ()
    """Patterns of files that are not searched for in folders."""
    per_file_ignores: tuple[PerFile, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    file: str | None = None
    """The settings file, if one was read; patterns and files are relative to its folder."""

    @property
    def folder(self) -> str:
        """The folder that patterns are relative to."""
        return os.path.dirname(os.path.abspath(self.file)) if self.file else os.getcwd()


def shown(path: str) -> str:
    """A path as messages show it: relative to the working directory where that is shorter."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative.replace(os.sep, "/")
