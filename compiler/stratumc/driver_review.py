"""What reviewers name: files, texts, `REV:path` of git; loaded, checked, and compared."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stratumc.diagnostics import Diagnostic
from stratumc.driver import CheckResult, check_loaded
from stratumc.driver_load import Loaded, load, load_files
from stratumc.driver_settings import Settings
from stratumc.text.plain import plain_data

if TYPE_CHECKING:
    from stratumc.review.diff import Diff, Version

Input = str | bytes | os.PathLike[str]


class BrokenInputError(ValueError):
    """An input that can't be reviewed, with what is wrong in it."""

    def __init__(self, name: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        first = next((one for one in diagnostics if one.severity == "error"), None)
        place = f": {first.span.file}:{first.span.line}:{first.span.column}: {first.message}" if first else ""
        super().__init__(f"`{name}` has errors, so nothing can be said of it{place}")
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Checked:
    """An input that keeps the rules, and what was found in it."""

    name: str
    loaded: Loaded
    result: CheckResult


def diff(old: Input, new: Input) -> Diff:
    """What changed between two versions, and what it means.

    Texts are documents; paths are files, with the fragments that belong to them.

    Raises:
        BrokenInputError: one of them has errors.
        ValueError: one is a spec and the other a workflow.
    """
    return compare_checked(read(old, "old"), read(new, "new"))


def read(source: Input, name: str) -> Checked:
    """Loads and checks an input. Raises BrokenInputError when its rules are broken."""
    loaded = load(source, name=f"<{name}>", kind=None)
    shown = os.fspath(source) if isinstance(source, os.PathLike) else name
    return checked(str(shown), loaded)


def read_argument(argument: str) -> Checked:
    """What a command line names, checked.

    Raises:
        BrokenInputError: it has errors.
        FileNotFoundError: it is neither a file nor a revision's path.
    """
    return checked(argument, load_argument(argument))


def load_argument(argument: str) -> Loaded:
    """What a command line names: a file, a workflow's folder, or `REV:path` of git.

    Raises FileNotFoundError when it is neither.
    """
    revision, colon, path = argument.partition(":")
    if os.path.exists(argument):
        return load(Path(argument), name=argument, kind=None)
    if not colon or not revision:
        raise FileNotFoundError(2, "no such file, and no REV:path of git", argument)
    return load_files(_files_of_revision(argument, revision, path), None)


def checked(name: str, loaded: Loaded) -> Checked:
    """The input with what all families find. Raises BrokenInputError when its rules are broken."""
    result = check_loaded(loaded, Settings())
    broken = any(one.severity == "error" and one.family == "rule" for one in result.diagnostics)
    if broken or (loaded.spec is None and loaded.workflow is None):
        raise BrokenInputError(name, result.diagnostics)
    return Checked(name, loaded, result)


def compare_checked(old: Checked, new: Checked) -> Diff:
    """The difference between two inputs. Raises ValueError when they are of different kinds."""
    from stratumc.review.diff import compare

    return compare(_version(old), _version(new))


def _version(one: Checked) -> Version:
    from stratumc.review.diff import Version

    root = one.loaded.sources[0].root
    data = plain_data(root) if root is not None else None
    return Version(one.name, one.loaded.spec, one.loaded.workflow, data, one.result.bounds)


def _files_of_revision(argument: str, revision: str, path: str) -> tuple[tuple[str, bytes], ...]:
    """A file of a revision, and for a workflow the fragments beside it."""
    files: list[tuple[str, bytes]] = [(argument, _git("show", argument))]
    if os.path.basename(path) == "workflow.json":
        folder = f"{os.path.dirname(path)}/workflow.d/".lstrip("/")
        listed = _git("ls-tree", "-z", "--name-only", "--full-name", revision, folder).decode(
            "utf-8", "replace"
        )
        names = sorted(name for name in listed.split("\0") if name.endswith(".json"))
        files += [(f"{revision}:{name}", _git("show", f"{revision}:{name}")) for name in names]
    return tuple(files)


def _git(*arguments: str) -> bytes:
    """What git prints. Raises FileNotFoundError when it refuses or isn't there."""
    try:
        done = subprocess.run(("git", *arguments), capture_output=True, check=False)
    except FileNotFoundError:
        raise FileNotFoundError(2, "git is needed for REV:path, and isn't installed", arguments[-1]) from None
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise FileNotFoundError(2, reason, arguments[-1])
    return done.stdout
