"""Reads what `REV:path` names in git: a file, or a workflow with the fragments beside it."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Iterator

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
    )
    tree = commit.decode("ascii").strip()
    for candidate in _candidates(path):
        kind = _kind(tree, candidate)
        if kind == "blob":
            return tuple(_input(argument, revision, tree, candidate))
        if kind == "tree":
            return tuple(_folder(argument, revision, tree, candidate))
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


def _input(argument: str, revision: str, tree: str, path: str) -> Iterator[File]:
    """A file, and where it may be a workflow the fragments beside it."""
    yield argument, _blob(tree, path)
    if not path.endswith(SPEC_ENDINGS):
        yield from _fragments(revision, tree, posixpath.dirname(path))


def _folder(argument: str, revision: str, tree: str, folder: str) -> Iterator[File]:
    """The workflow of a folder; with fragments the base may be missing."""
    for base in _BASES:
        path = posixpath.normpath(posixpath.join(folder, base))
        fragments = tuple(_fragments(revision, tree, posixpath.dirname(path)))
        if _kind(tree, path) == "blob":
            yield f"{revision}:{path}", _blob(tree, path)
        elif not fragments:
            continue
        yield from fragments
        return
    raise NotThereError(2, "it is a folder that holds no workflow", argument)


def _fragments(revision: str, tree: str, folder: str) -> Iterator[File]:
    """The fragments in `workflow.d` of a folder, in the order of their names (workflow.md section 2)."""
    place = posixpath.join(folder, "workflow.d")
    if _kind(tree, place) != "tree":
        return
    listed = _git("ls-tree", "-z", "--name-only", f"{tree}:{place}").decode("utf-8", "surrogateescape")
    for name in sorted(name for name in listed.split("\0") if name.endswith(".json")):
        path = f"{place}/{name}"
        if _kind(tree, path) == "blob":
            yield f"{revision}:{path}", _blob(tree, path)


def _kind(tree: str, path: str) -> str | None:
    """`blob` or `tree`, None when a tree has no such path."""
    if path in ("", "."):
        return "tree"
    done = _run("cat-file", "-t", f"{tree}:{path}")
    return done.stdout.decode("ascii").strip() if done.returncode == 0 else None


def _blob(tree: str, path: str) -> bytes:
    return _git("cat-file", "blob", f"{tree}:{path}")


def _git(*arguments: str, refused: str | None = None) -> bytes:
    """What git prints. Raises FileNotFoundError when it refuses, with its reason or the one given."""
    done = _run(*arguments)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        reason = said.splitlines()[0].removeprefix("fatal: ") if said else refused
        raise FileNotFoundError(2, reason or "git refuses it", arguments[-1])
    return done.stdout


def _run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ("git", *arguments),
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
        )
    except FileNotFoundError:
        raise FileNotFoundError(2, "git is needed for REV:path, and isn't installed", arguments[-1]) from None
