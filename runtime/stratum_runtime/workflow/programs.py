"""The workflow that is in force: compiled when it is first needed, and again when a file of it changed."""

from __future__ import annotations

import copy
import enum
import os
import threading
import time
from dataclasses import dataclass
from typing import Any, Protocol

from stratum_runtime.table import Table
from stratum_runtime.workflow.refusals import Answer, RefusalError, first_error
from stratum_runtime.workflow.settings import Settings

_FINE, _COARSE = 50_000_000, 2_500_000_000
"""Nanoseconds within which a second write may leave a file's times as they are: where times are kept in
fractions of a second, and where they are not."""


class AnyPrevious(enum.Enum):
    """Stands for every previous state that is possible."""

    PREVIOUS = "any"


ANY = AnyPrevious.PREVIOUS
"""The previous state of a path that begins in some state, not where the project is."""


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """What `flow_explain` asks of a workflow; states are known to exist."""

    start: str
    previous: str | AnyPrevious | None
    """The state before `start`; None when there was none."""
    goal: str | None
    """None asks for everything reachable."""
    context: dict[str, Any]
    avoid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """An edit of the base workflow file that leaves a valid workflow."""

    data: bytes
    """The file's new content."""
    token: str
    """Names this very change of these very files."""
    diff: str
    """The change of the file's text, unified; without that of its layout."""
    changes_layout: bool
    """Whether the whole file is reformatted too."""
    graph: Answer
    """The change of the graph."""
    leaves: tuple[str, ...]
    """States that are no more."""
    warnings: tuple[Answer, ...] = ()
    """Diagnostics of the new workflow that are no errors."""


class Program(Protocol):
    """A workflow without errors, compiled."""

    @property
    def table(self) -> Table:
        """The frozen table."""
        ...

    def explain(self, question: PathQuestion) -> Answer:
        """The answer of `flow_explain`."""
        ...

    def change(self, operation: str, arguments: dict[str, Any]) -> Change:
        """The change that an operation of `flow_modify` makes. Raises RefusalError."""
        ...


class Compiler(Protocol):
    """What the engine needs of the compiler, which is handed in: the runtime doesn't import it."""

    def read(self, path: str, shown: str) -> Any:
        """The files of the workflow at `path`; two readings are equal when nothing changed. Never raises."""
        ...

    def load(self, files: Any) -> Program | list[Answer]:
        """The compiled workflow, or the diagnostics that keep it from being one."""
        ...


class Programs:
    """Holds the compiled workflow of one engine."""

    def __init__(self, settings: Settings, compiler: Compiler) -> None:
        self._path = settings.workflow_path
        self._shown = settings.workflow
        self._compiler = compiler
        self._lock = threading.Lock()
        self._signature = _Signature(self._path)
        self._is_settled = False
        self._files: Any = None
        self._current: Program | list[Answer] = []

    def current(self) -> Program:
        """The workflow as its files are now. Raises RefusalError with the diagnostics when it is broken."""
        with self._lock:
            if self._signature.is_changed(is_sure=self._is_settled):
                is_settled, self._is_settled = self._signature.is_settled(), False
                files = self._compiler.read(self._path, self._shown)
                if files != self._files:
                    self._current = self._compiler.load(files)
                self._files, self._is_settled = files, is_settled
            current = self._current
        if isinstance(current, list):
            message = f"the workflow can't be used until it is mended: {first_error(current)}"
            raise RefusalError("workflow_invalid", message, diagnostics=copy.deepcopy(current))
        return current


class _Signature:
    """What tells cheaply that a file of a workflow changed: times, sizes and inodes, the folder's too."""

    __slots__ = ("_folder", "_names", "_path", "parts")

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = os.path.join(os.path.dirname(path), "workflow.d")
        self._names: tuple[str, ...] = ()
        self.parts: tuple[tuple[int, ...], ...] = ()

    def is_changed(self, *, is_sure: bool) -> bool:
        """Looks again; whether anything is other than it was, or may be, as what was seen was too fresh."""
        folder = _status(self._folder)
        if not is_sure or folder != self.parts[1]:
            self._names = _fragments(self._folder) if folder else ()
        parts = (_status(self._path), folder, *map(_status, self._names))
        is_changed = parts != self.parts
        self.parts = parts
        return is_changed or not is_sure

    def is_settled(self) -> bool:
        """Whether everything is old enough that a further change must show in its times."""
        now = time.time_ns()
        changes = [part[1] for part in self.parts if part]
        return all(now - change > (_FINE if change % 1_000_000_000 else _COARSE) for change in changes)


def _fragments(folder: str) -> tuple[str, ...]:
    try:
        return tuple(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return ()


def _status(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
