"""Decides with which version each input of a review is compared, from what `--against` names."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass

from stratumc.driver.files import workflow_base


@dataclass(frozen=True, slots=True)
class OldVersion:
    """What one input is compared with."""

    argument: str
    """A file, a workflow's folder, or `REV:path`."""
    may_be_missing: bool
    """Whether it was found by the name of the input, which may be a new one."""
    folder: str | None = None
    """The folder that was named, if it is taken for a revision since it holds no version of any input."""


def old_versions(against: str, inputs: tuple[str, ...]) -> tuple[OldVersion | None, ...]:
    """Per input the version that it is compared with; None where there is none.

    A revision of git (`main`, or `main:`) stands for each input as it was then, a folder for the files of the
    same names in it. A file, a workflow's folder or `REV:path` is one version only: that of the input of its
    name or, where there is none, of the first.
    """
    if os.path.isdir(against):
        beside = tuple(_beside(against, one) for one in inputs)
        if any(beside):
            return tuple(None if path is None else OldVersion(path, may_be_missing=True) for path in beside)
    is_there = os.path.isfile(against) or workflow_base(against) is not None
    revision, _, path = against.partition(":")
    if is_there or path:
        mine = _named_alike(against if is_there else path, inputs)
        one = OldVersion(against, may_be_missing=False)
        return tuple(one if number == mine else None for number in range(len(inputs)))
    folder = against if os.path.isdir(against) else None
    return tuple(OldVersion(_at(revision, one), may_be_missing=True, folder=folder) for one in inputs)


def _beside(folder: str, one: str) -> str | None:
    """The file of an input's name in a folder, if there is one; not the input itself."""
    if not os.path.exists(one):
        return None
    names = [os.path.basename(os.path.normpath(one))]
    if not os.path.isabs(one):
        names.insert(0, one)
    paths = (os.path.join(folder, name) for name in names)
    return next((path for path in paths if os.path.exists(path) and not os.path.samefile(path, one)), None)


def _named_alike(path: str, inputs: tuple[str, ...]) -> int:
    """The number of the input with the path or the file name of another one, else of the first."""
    wanted = os.path.normpath(path)
    same_path = (number for number, one in enumerate(inputs) if os.path.normpath(one) == wanted)
    same_name = (
        number
        for number, one in enumerate(inputs)
        if os.path.basename(os.path.normpath(one)) == os.path.basename(wanted)
    )
    return next(same_path, next(same_name, 0))


def _at(revision: str, one: str) -> str:
    """An input as it was at a revision: its path from the working directory."""
    if not os.path.exists(one) and ":" in one:
        return f"{revision}:{one.partition(':')[2]}"
    path = one.replace(os.sep, "/")
    if not os.path.isabs(one):
        path = posixpath.normpath(path)
        path = path if path.startswith("../") else f"./{path}"
    return f"{revision}:{path}"
