"""Reads what `REV:path` names in git: a file, or a workflow with the fragments beside it."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from stratumc.driver.files import SPEC_ENDINGS, File

_BASES = ("workflow.json", ".forge/workflow.json")
"""Where a folder has its workflow, as `files.workflow_base` looks for it."""


class NotThereError(FileNotFoundError):
    """A revision that git knows has no input at a path."""


def read_revision(argument: str) -> tuple[File, ...]:
    """The files of the input that `REV:path` names, as `read_files` gives those of a path.

    The path is one from the top of the repository or, where there is none such, from the working directory;
    `./` and `../` are always from there. Raises FileNotFoundError when git refuses, or isn't there, and
    NotThereError when only the path is wrong.
    """
    revision, _, path = argument.partition(":")
    if not revision or revision.startswith("-"):
        raise FileNotFoundError(2, "it begins with no revision of git", argument)
    commit = _git(
        "rev-parse",
        "--verify",
        "--quiet",
        f"{revision}^{{tree}}",
        refused=f"git knows no revision `{revision}`",
        about=argument,
    )
    tree = commit.decode("ascii").strip()
    for candidate in _candidates(path):
        kind = _kind(tree, candidate)
        if kind == "blob":
            return _input(argument, revision, tree, candidate)
        if kind == "tree":
            return _folder(argument, revision, tree, candidate)
    raise NotThereError(2, f"revision `{revision}` has no such file", argument)


def _candidates(path: str) -> Iterator[str]:
    """The path from the top of the repository that is meant, the likelier first."""
    top = _git("rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n")
    prefix = _git("rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").rstrip("\n")
    if os.path.isabs(path):
        yield posixpath.normpath(os.path.relpath(path, top).replace(os.sep, "/"))
        return
    if not path.startswith(("./", "../")):
        yield posixpath.normpath(path)
    yield posixpath.normpath(posixpath.join(prefix, path))


def _input(argument: str, revision: str, tree: str, path: str) -> tuple[File, ...]:
    """A file, and where it may be a workflow the fragments beside it; a fragment stands for its workflow."""
    folder = posixpath.dirname(path)
    if posixpath.basename(folder) == "workflow.d" and path.endswith(".json"):
        return _workflow(revision, tree, posixpath.join(posixpath.dirname(folder), "workflow.json"))
    file = (argument, _blob(tree, path))
    return (file,) if path.endswith(SPEC_ENDINGS) else (file, *_fragments(revision, tree, folder))


def _folder(argument: str, revision: str, tree: str, folder: str) -> tuple[File, ...]:
    """The workflow of a folder, which may be that of its fragments."""
    bases = [posixpath.normpath(posixpath.join(folder, base)) for base in _BASES]
    if posixpath.basename(folder) == "workflow.d":
        bases.insert(0, posixpath.join(posixpath.dirname(folder), "workflow.json"))
    for base in bases:
        files = _workflow(revision, tree, base)
        if files:
            return files
    raise NotThereError(2, "it is a folder that holds no workflow", argument)


def _workflow(revision: str, tree: str, base: str) -> tuple[File, ...]:
    """A workflow file with its fragments; with fragments the file itself may be missing."""
    fragments = tuple(_fragments(revision, tree, posixpath.dirname(base)))
    if _kind(tree, base) != "blob":
        return fragments
    return ((f"{revision}:{base}", _blob(tree, base)), *fragments)


def _fragments(revision: str, tree: str, folder: str) -> Iterator[File]:
    """The fragments in `workflow.d` of a folder, in the order of their names (workflow.md section 2)."""
    place = posixpath.join(folder, "workflow.d")
    found = _object(tree, place)
    if found is None or found.kind != "tree":
        return
    # By its own id and in full: of a path git lists only what is in the working directory's folder.
    listed = _git("ls-tree", "-z", "--full-tree", "--name-only", found.id).decode("utf-8", "surrogateescape")
    for name in sorted(name for name in listed.split("\0") if name.endswith(".json")):
        path = f"{place}/{name}"
        if _kind(tree, path) == "blob":
            yield f"{revision}:{path}", _blob(tree, path)


@dataclass(frozen=True, slots=True)
class _Object:
    """What git keeps at a path."""

    id: str
    kind: str
    """`blob` or `tree`; `commit` for a submodule."""


def _object(tree: str, path: str) -> _Object | None:
    """What a tree has at a path, links followed as the file system does; None where there is nothing."""
    if "\n" in path:
        return None
    asked = f"{tree}:{'' if path == '.' else path}\n".encode("utf-8", "surrogateescape")
    done = _run("cat-file", "--batch-check=%(objectname) %(objecttype)", "--follow-symlinks", asked=asked)
    # A path that isn't there, or a link that leads out of the repository, is told in words that vary.
    match done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n").split(" "):
        case [name, ("blob" | "tree" | "commit") as kind]:
            return _Object(name, kind)
    return None


def _kind(tree: str, path: str) -> str | None:
    found = _object(tree, path)
    return None if found is None else found.kind


def _blob(tree: str, path: str) -> bytes:
    found = _object(tree, path)
    assert found is not None
    return _git("cat-file", "blob", found.id)


def _git(*arguments: str, refused: str | None = None, about: str | None = None) -> bytes:
    """What git prints. Raises FileNotFoundError when it refuses, with its reason or the one given."""
    done = _run(*arguments)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        reason = said.splitlines()[0].removeprefix("fatal: ") if said else refused
        raise FileNotFoundError(2, reason or "git refuses it", about or arguments[-1])
    return done.stdout


def _run(*arguments: str, asked: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ("git", *arguments),
            capture_output=True,
            check=False,
            input=asked,
            env={**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
        )
    except FileNotFoundError:
        raise FileNotFoundError(2, "git is needed for REV:path, and isn't installed", arguments[-1]) from None
