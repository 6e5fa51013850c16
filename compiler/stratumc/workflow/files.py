"""The files that make up a workflow: the base and the fragments beside it, in order (section 2)."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass

from stratumc.diagnostics import Finding, Severity, Source
from stratumc.read import decode, read_json
from stratumc.read.limits import MAX_BYTES
from stratumc.text import Document, Location
from stratumc.workflow.load import LoadedWorkflow, is_error, load_workflow
from stratumc.workflow.pieces import Piece

BASE_NAME = "workflow.json"
FRAGMENTS_FOLDER = "workflow.d"


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """One file of a workflow: its bytes, or why there are none."""

    path: str
    """The path as people see it in diagnostics."""
    fragment: bool
    data: bytes | None
    problem: str | None = None
    """Why the file can't be read; None when it can."""
    severity: Severity | None = None
    """How bad the problem is; None for an error."""


@dataclass(frozen=True, slots=True)
class WorkflowSources:
    """A workflow read from its files. `sources`, `data` and the files have the same indexes."""

    files: tuple[WorkflowFile, ...]
    sources: tuple[Source, ...]
    data: tuple[bytes, ...]
    """Each file's bytes; empty for one that can't be read."""
    loaded: LoadedWorkflow
    findings: tuple[Finding, ...]
    """What reading and loading found."""

    @property
    def has_errors(self) -> bool:
        """Whether an error was found."""
        return any(is_error(finding) for finding in self.findings)


def base_path(path: str | os.PathLike[str]) -> str:
    """The workflow file that a path means: itself, or `workflow.json` in a folder."""
    name = os.fspath(path)
    is_folder = os.path.isdir(name) and not name.endswith(".json")
    return os.path.join(name, BASE_NAME) if is_folder else name


def read_workflow_files(
    path: str | os.PathLike[str], *, shown: str | None = None
) -> tuple[WorkflowFile, ...]:
    """The base (left out when there is none beside fragments) and every fragment, by file name.

    `path` is a workflow file or the folder that holds it; `shown` is how diagnostics call that file. A file
    that can't be read is in the result with the reason; nothing is raised.
    """
    base = base_path(path)
    name = base if shown is None else shown
    fragments = _read_fragments(os.path.dirname(base), os.path.dirname(name))
    if any(file.severity is None for file in fragments) and not os.path.lexists(base):
        return fragments
    return (_read(base, name, fragment=False), *fragments)


def load_workflow_files(files: Sequence[WorkflowFile]) -> WorkflowSources:
    """Reads the files' trees and merges them."""
    sources: list[Source] = []
    pieces: list[Piece] = []
    findings: list[Finding] = []
    for index, file in enumerate(files):
        piece, found = _piece(file, index)
        sources.append(Source(piece.document, piece.root))
        findings += found
        if file.severity is None:
            pieces.append(piece)
    loaded = load_workflow(pieces)
    data = tuple(file.data or b"" for file in files)
    return WorkflowSources(tuple(files), tuple(sources), data, loaded, (*findings, *loaded.findings))


def _piece(file: WorkflowFile, index: int) -> tuple[Piece, tuple[Finding, ...]]:
    if file.data is None:
        at = Location(source=index, range=(0, 0))
        message = f"`{os.path.basename(file.path)}` {file.problem}"
        finding = Finding("FILE_UNREADABLE", at, message, severity=file.severity)
        return Piece(Document(file.path, ""), None, file.fragment, index), (finding,)
    document, found = decode(file.data, file.path, index)
    if found:
        return Piece(document, None, file.fragment, index), found
    tree = read_json(document, index)
    return Piece(document, tree.root, file.fragment, index), tree.findings


def _read_fragments(folder: str, shown: str) -> tuple[WorkflowFile, ...]:
    path = os.path.join(folder, FRAGMENTS_FOLDER)
    name = os.path.join(shown, FRAGMENTS_FOLDER)
    try:
        with os.scandir(path) as entries:
            found = sorted(entry.name for entry in entries if entry.name.endswith(".json"))
    except FileNotFoundError:
        return ()
    except OSError as error:
        return (WorkflowFile(name, True, None, f"can't be read: {_reason(error)}"),)
    return tuple(_read(os.path.join(path, file), os.path.join(name, file), fragment=True) for file in found)


def _read(path: str, name: str, *, fragment: bool) -> WorkflowFile:
    try:
        mode = os.stat(path).st_mode
        if fragment and stat.S_ISDIR(mode):
            return WorkflowFile(name, fragment, None, "is a folder and is ignored", Severity.WARNING)
        if not stat.S_ISREG(mode):
            return WorkflowFile(name, fragment, None, "isn't a file")
        with open(path, "rb") as file:
            return WorkflowFile(name, fragment, file.read(MAX_BYTES + 1))
    except FileNotFoundError:
        problem = "is a link to nothing" if os.path.lexists(path) else "doesn't exist"
        return WorkflowFile(name, fragment, None, problem)
    except OSError as error:
        return WorkflowFile(name, fragment, None, f"can't be read: {_reason(error)}")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
