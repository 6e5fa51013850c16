"""A progress bar on a terminal, for a check that takes longer than a second."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

PATIENCE = 1.0
"""Seconds before anything is shown."""


class Progress:
    """Counts what is done; shows a bar once the patience is over, and takes it away at the end."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._bar: _Bar | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        self._timer.start()
        return self

    def advance(self, done: int) -> None:
        """Tells how many inputs are done."""
        with self._lock:
            self._done = done
            if self._bar is not None:
                self._bar.show(done)

    def _begin(self) -> None:
        with self._lock:
            if not self._timer.finished.is_set():
                self._bar = _Bar(self._total, self._done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._timer.cancel()
            if self._bar is not None:
                self._bar.close()


class _Bar:
    """The bar itself; the library for it is loaded only now."""

    def __init__(self, total: int, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("checking", total=total, completed=done)
        self._progress.start()

    def show(self, done: int) -> None:
        self._progress.update(self._task, completed=done)

    def close(self) -> None:
        self._progress.stop()
