"""Decides which files make up an input, and reads their bytes; light, since a cached check needs no more."""

from __future__ import annotations

import os
import stat

SPEC_ENDINGS = (".stratum.yaml", ".stratum.yml", ".stratum.json")

MAX_BYTES = 16 * 1024 * 1024
"""Size limit of a file; one byte more is read, so that decoding can tell."""

File = tuple[str, bytes]
"""A file's name as people see it, and its content."""


def read_files(path: str, kind: str | None) -> tuple[File, ...] | None:
    """The file at a path and, where it may be a workflow, its fragments in order.

    None when one of them can't be read. The folder or a fragment of a workflow stands for all of it; with
    fragments the base may be missing.
    """
    base = None if kind == "spec" else workflow_base(path)
    names = [path]
    if base is not None or (kind != "spec" and not path.endswith(SPEC_ENDINGS)):
        fragments = fragments_of(base or path)
        names = [base or path, *fragments]
        if fragments and not os.path.lexists(names[0]):
            names = fragments
    try:
        return tuple((name, read_file(name)) for name in names)
    except OSError:
        return None


def read_file(path: str) -> bytes:
    """The bytes of an ordinary file, at most one more than the limit. Raises OSError."""
    try:
        mode = os.stat(path).st_mode
    except ValueError:
        raise OSError(0, "the path has a NUL character") from None
    if stat.S_ISDIR(mode):
        with os.scandir(path):
            raise OSError(0, "it is a folder that holds no workflow")
    if not stat.S_ISREG(mode):
        raise OSError(0, "it isn't an ordinary file")
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def workflow_base(path: str) -> str | None:
    """The workflow file that a path stands for by its name alone; None when the name doesn't tell."""
    if os.path.isdir(path):
        beside = base_of_fragments_folder(path)
        if beside is not None:
            return beside
        candidates = (os.path.join(path, "workflow.json"), os.path.join(path, ".forge", "workflow.json"))
        return next((base for base in candidates if os.path.lexists(base) or fragments_of(base)), None)
    if is_fragment(path):
        return os.path.normpath(os.path.join(os.path.dirname(path), os.pardir, "workflow.json"))
    return path if os.path.basename(path) == "workflow.json" else None


def base_of_fragments_folder(path: str) -> str | None:
    """The workflow file beside a folder `workflow.d` that has fragments; None for any other path."""
    if os.path.basename(os.path.abspath(path)) != "workflow.d":
        return None
    base = os.path.normpath(os.path.join(path, os.pardir, "workflow.json"))
    return base if fragments_of(base) else None


def is_fragment(path: str) -> bool:
    """Whether a path names a file that would be a fragment of a workflow."""
    if ":" in path and not os.path.dirname(path) and not os.path.lexists(path):
        return False  # `REV:file` of git stands at the top of a repository, whatever folder this is.
    folder, file = os.path.split(os.path.abspath(path))
    return os.path.basename(folder) == "workflow.d" and file.endswith(".json")


def base_of_fragment(path: str) -> str:
    """The workflow file that a fragment in `workflow.d` belongs to; any other path as it is."""
    path = os.path.normpath(path)
    if not is_fragment(path):
        return path
    return os.path.normpath(os.path.join(os.path.dirname(path), os.pardir, "workflow.json"))


def fragments_of(base: str) -> list[str]:
    """The fragments beside a workflow file, in the order of their names (workflow.md section 2)."""
    folder = os.path.join(os.path.dirname(base), "workflow.d")
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names]
