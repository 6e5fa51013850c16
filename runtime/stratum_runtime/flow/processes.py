"""The process groups of commands at work: a process that is about to end leaves none of them behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Sequence


class CommandsEndedError(Exception):
    """The process is about to end, so no verdict is waited for; the call that asked for it did nothing."""

    def __init__(self) -> None:
        super().__init__("the process that ran the command is ending")


class ProcessGroups:
    """Starts commands, each as the leader of a group of its own, and ends their groups."""

    def __init__(self) -> None:
        # Reentrant: `end_all` may run in a signal handler, on top of whatever this thread was doing.
        self._lock = threading.RLock()
        self._leaders: dict[int, None] = {}
        self._is_over = False

    def start(self, words: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
        """Starts a command with pipes. Raises OSError, ValueError, or CommandsEndedError."""
        with self._lock:
            self.require_open()
            process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._leaders[process.pid] = None
        return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Ends whatever of the process group is left, then collects the process."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
        with self._lock:
            # Before it is collected: from then on the number may be another group's.
            del self._leaders[process.pid]
        process.wait()

    def end_all(self) -> None:
        """Ends every command; whoever waits for one, or starts one from now on, gets CommandsEndedError."""
        with self._lock:
            self._is_over = True
            for leader in self._leaders:
                try:
                    os.killpg(leader, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    continue

    def require_open(self) -> None:
        """Raises CommandsEndedError when this process is about to end."""
        if self._is_over:
            raise CommandsEndedError


AT_WORK = ProcessGroups()
"""The commands of this process."""
