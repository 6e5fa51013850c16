"""Finds what to check below the paths that were given: specs and workflows, in a fixed order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from stratumc.driver.asserted import file_of
from stratumc.driver.files import (
    SPEC_ENDINGS,
    base_of_fragment,
    base_of_fragments_folder,
    fragments_of,
)
from stratumc.driver.settings import Settings

LOOKED_FOR = "*.stratum.yaml, *.stratum.yml, *.stratum.json, workflow.json, workflow.d/*.json"

_SKIPPED = {"node_modules", "__pycache__"}


class Found(NamedTuple):
    """The inputs below some paths, and the paths below which there is none."""

    inputs: tuple[str, ...]
    empty: tuple[str, ...]


def discover(paths: tuple[str, ...], settings: Settings) -> Found:
    """The files to check: those named, and those found in folders; each once, in the order of the paths.

    Hidden folders other than `.forge` are skipped, and so are version control, `node_modules` and virtual
    environments. A folder is visited once, by whatever links it is reached. One that may not be searched is
    an input itself, so that it is reported as one that can't be read. `workflow.d` stands for the workflow
    that its fragments belong to. A file in a folder that an assertion is about is found whatever its name.
    """
    inputs: dict[str, str] = {}
    empty = []
    for path in paths:
        if os.path.isdir(path):
            found = [*_search(path, settings), *_asserted(path, settings)]
        else:
            found = [base_of_fragment(path)]
        for file in found:
            inputs.setdefault(os.path.abspath(file), file)
        if not found:
            empty.append(path)
    return Found(tuple(inputs.values()), tuple(empty))


def _search(top: str, settings: Settings) -> Iterator[str]:
    top = os.path.normpath(top)
    base = base_of_fragments_folder(top)
    if base is not None:
        yield base
        return
    visited: set[tuple[int, int]] = set()
    pending = [top]
    while pending:
        folder = pending.pop()
        if not _first_visit(folder, visited):
            continue
        try:
            files, folders = _entries(folder)
        except OSError:
            yield folder
            continue
        prefix = "" if folder == "." else folder
        for name in _inputs_of(folder, files, folders):
            path = os.path.join(prefix, name)
            if not is_excluded(path, settings):
                yield path
        below = [os.path.join(prefix, name) for name in folders if _is_searched(name, folder)]
        pending.extend(path for path in reversed(below) if not is_excluded(path, settings))


def _asserted(top: str, settings: Settings) -> Iterator[str]:
    """The files below a folder that assertions are about."""
    folder = os.path.abspath(top)
    for assertion in settings.assertions:
        path = file_of(assertion, settings)
        is_below = os.path.commonpath((folder, path)) == folder
        if is_below and os.path.isfile(path) and not is_excluded(path, settings):
            yield os.path.normpath(os.path.join(top, os.path.relpath(path, folder)))


def _first_visit(folder: str, visited: set[tuple[int, int]]) -> bool:
    """Whether a folder is seen for the first time; links may lead to one again, or round in a circle."""
    try:
        found = os.stat(folder)
    except OSError:
        return False
    identity = (found.st_dev, found.st_ino)
    if identity in visited:
        return False
    visited.add(identity)
    return True


def _entries(folder: str) -> tuple[list[str], list[str]]:
    """Names of files and of folders, sorted. Raises OSError."""
    files: list[str] = []
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            (folders if _is_folder(entry) else files).append(entry.name)
    return sorted(files), sorted(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder or a link to one; a link that leads round in a circle is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _inputs_of(folder: str, files: list[str], folders: list[str]) -> list[str]:
    """The inputs that lie directly in a folder, a workflow counting once with its fragments."""
    found = [name for name in files if name.endswith(SPEC_ENDINGS) or name == "workflow.json"]
    has_base = "workflow.json" in files
    if not has_base and "workflow.d" in folders and fragments_of(os.path.join(folder, "workflow.json")):
        found.append("workflow.json")
    return sorted(found)


def _is_searched(name: str, folder: str) -> bool:
    if name in _SKIPPED or name == "workflow.d" or (name.startswith(".") and name != ".forge"):
        return False
    return not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))


def is_excluded(path: str, settings: Settings) -> bool:
    """Whether a path found in a folder matches a pattern of `exclude`."""
    return any(matches_pattern(path, pattern, settings) for pattern in settings.exclude)


def matches_pattern(path: str, pattern: str, settings: Settings) -> bool:
    """Whether a path matches a pattern relative to the settings file; `*` spans folders too.

    A pattern without a slash also matches the last part of the path, at any depth.
    """
    from fnmatch import fnmatchcase

    relative = os.path.relpath(path, settings.folder).replace(os.sep, "/")
    pattern = pattern.removeprefix("./").rstrip("/")
    if fnmatchcase(relative, pattern):
        return True
    return "/" not in pattern and fnmatchcase(relative.rpartition("/")[2], pattern)
