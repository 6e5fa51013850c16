"""Settings of a check: what they are, and where the file lies that has them."""

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
    """The settings file; patterns are relative to its folder."""

    @property
    def folder(self) -> str:
        """The folder that patterns are relative to."""
        return os.path.dirname(os.path.abspath(self.file)) if self.file else os.getcwd()


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
    """Relative to the settings file."""
    goal: str
    gate: str
    start: str | None
    flow: str | None
    places: tuple[tuple[str, Place], ...]
    """Where the values of its keys stand, by key."""


class PerFile(NamedTuple):
    """Codes that are ignored in the files of a pattern."""

    pattern: str
    codes: tuple[tuple[str, Place], ...]
    """Each with where the settings file says so."""

    @property
    def is_one_file(self) -> bool:
        """Whether the pattern names a single file, so that an unused code of it is certain."""
        return not any(character in self.pattern for character in "*?[")


def find_settings(paths: tuple[str, ...]) -> Settings:
    """The settings for these paths: the nearest file at or above what they share.

    The search ends at a folder with `.git`. Raises SettingsError.
    """
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    folder = os.path.commonpath(folders) if folders else os.getcwd()
    while True:
        found = _settings_of_folder(folder)
        if found is not None:
            return found
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return Settings()
        folder = parent


def _settings_of_folder(folder: str) -> Settings | None:
    for name in ("stratumc.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            if name == "stratumc.toml" and os.path.lexists(path):
                raise SettingsError(f"{shown(path)}: is no file") from None
            continue
        except OSError as error:
            raise SettingsError(
                f"{shown(path)}: can't be read: {(error.strerror or str(error)).lower()}"
            ) from None
        if name == "stratumc.toml" or b"stratumc" in data:
            from stratumc.driver.settings_file import read_settings

            found = read_settings(path, data)
            if found is not None:
                return found
    return None


def shown(path: str) -> str:
    """A path as messages show it: relative to the working directory where that is shorter."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative.replace(os.sep, "/")
