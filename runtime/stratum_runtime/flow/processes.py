"""The process groups of commands at work: however a process ends, it leaves none of them behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Sequence

_WATCH = """groups=' '
while read -r how group; do
  case $how in
    +) groups="$groups$group " ;;
    -) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done"""
"""Hears of every group that begins and ends; once nothing more can come, it ends those that are left."""


class CommandsEndedError(Exception):
    """The process is about to end, so no verdict is waited for; the call that asked for it did nothing."""

    def __init__(self) -> None:
        super().__init__("the process that ran the command is ending")


class ProcessGroups:
    """Starts commands, each as the leader of a group of its own, and ends their groups.

    A watcher, a process of its own that is started with the first command, ends them when this process is
    killed in a way that it can't answer to.
    """

    def __init__(self) -> None:
        # Reentrant: `end_all` may run in a signal handler, on top of whatever this thread was doing.
        self._lock = threading.RLock()
        self._leaders: dict[int, None] = {}
        self._is_over = False
        self._watcher: subprocess.Popen[bytes] | None = None

    def start(self, words: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
        """Starts a command with pipes. Raises OSError, ValueError, or CommandsEndedError."""
        with self._lock:
            self.require_open()
            self._watch()
            process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._leaders[process.pid] = None
            self._tell("+", process.pid)
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
            self._tell("-", process.pid)
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

    def _watch(self) -> None:
        """Starts the watcher when there is none; where it can't be started, commands run without it."""
        if self._watcher is not None and self._watcher.poll() is None:
            return
        try:
            self._watcher = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH],
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            self._watcher = None
            return
        for leader in self._leaders:
            self._tell("+", leader)

    def _tell(self, how: str, leader: int) -> None:
        """One line to the watcher, whole or not at all; nothing when it is gone."""
        if self._watcher is None:
            return
        assert self._watcher.stdin is not None
        try:
            os.write(self._watcher.stdin.fileno(), f"{how} {leader}\n".encode())
        except OSError:
            self._watcher.kill()


AT_WORK = ProcessGroups()
"""The commands of this process."""
