"""The transition log: lines appended whole, repaired after a crash, read whatever became of them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow.durable import flush_folder, lock, naming, read_bytes, write_all
from stratum_runtime.workflow.json_values import json_text

Entry = dict[str, Any]

KEYS = (
    "seq",
    "time",
    "project",
    "from",
    "event",
    "to",
    "action",
    "judgment",
    "condition",
    "reason",
    "digest",
)
"""The keys of an entry, in this order."""

_BEGINNING = b'{"seq"'
"""What every entry begins with."""

_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class LogReading:
    """A log's entries in the order of their sequence numbers, and what could not be read."""

    entries: tuple[Entry, ...]
    problems: tuple[str, ...]
    """A sentence for each bad line, with its number from 1."""


class LogFile:
    """The log, open and locked; it ends in a whole line, whatever it ended in before."""

    def __init__(self, descriptor: int, path: str) -> None:
        self._descriptor = descriptor
        self._path = path
        self._size = self._repaired()
        numbers = (entry.get("seq") for entry in _backwards(descriptor))
        self.last_seq: int = next((number for number in numbers if type(number) is int), 0)

    def _repaired(self) -> int:
        """Cuts a torn last line off, or ends a whole one that lacks its line end; the size thereafter.

        Only what can be the beginning of an entry is torn: a file of other content loses nothing.
        """
        size = os.fstat(self._descriptor).st_size
        start = _whole(self._descriptor)
        if start == size:
            return size
        if _is_torn(os.pread(self._descriptor, size - start, start)):
            os.ftruncate(self._descriptor, start)
            return start
        write_all(self._descriptor, b"\n")
        return size + 1

    @property
    def is_longer(self) -> bool:
        """Whether something stands in the log that wasn't there when it was opened."""
        return os.fstat(self._descriptor).st_size > self._size

    def last_of(self, project: str) -> Entry | None:
        """The last entry of a project."""
        return _last_of(self._descriptor, project)

    def append(self, entry: Entry) -> None:
        """Adds one line and flushes it. On OSError the log is as it was, or gets repaired later."""
        line = json_text({key: entry[key] for key in KEYS}) + "\n"
        try:
            with naming(self._path):
                write_all(self._descriptor, line.encode("utf-8"))
                os.fsync(self._descriptor)
                if self._size == 0:
                    flush_folder(os.path.dirname(self._path))
        except OSError:
            with contextlib.suppress(OSError):
                self.take_back()
            raise

    def take_back(self) -> None:
        """Removes what was appended since the log was opened. Raises OSError."""
        os.ftruncate(self._descriptor, self._size)
        os.fsync(self._descriptor)


@contextlib.contextmanager
def open_log(path: str) -> Iterator[LogFile]:
    """The log with its own lock; created when it is missing. Raises OSError."""
    descriptor = _open_locked(path)
    try:
        with naming(path):
            log = LogFile(descriptor, path)
        yield log
    finally:
        os.close(descriptor)


def _open_locked(path: str) -> int:
    """Opens and locks the file at `path`, again when it was moved away while we waited."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            lock(descriptor, path)
            mine = os.fstat(descriptor)
            now = os.stat(path)
            if (mine.st_dev, mine.st_ino) == (now.st_dev, now.st_ino):
                return descriptor
        except FileNotFoundError:
            pass
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)


def last_of(path: str, project: str) -> Entry | None:
    """The last entry of a project in the log at `path`, read without a lock. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        with naming(path):
            return _last_of(descriptor, project)
    finally:
        os.close(descriptor)


def _last_of(descriptor: int, project: str) -> Entry | None:
    return next((entry for entry in _backwards(descriptor) if entry.get("project") == project), None)


def _backwards(descriptor: int) -> Iterator[Entry]:
    """The entries from the last to the first; lines that hold none, and a torn end, are passed over."""
    size, end = os.fstat(descriptor).st_size, _whole(descriptor)
    last = parse_line(os.pread(descriptor, size - end, end)) if end < size else None
    if last is not None:
        yield last
    while end > 0:
        start = _line_start(descriptor, end - 1)
        entry = parse_line(os.pread(descriptor, end - 1 - start, start))
        if entry is not None:
            yield entry
        end = start


def _whole(descriptor: int) -> int:
    """Size of the log up to its last line end."""
    size = os.fstat(descriptor).st_size
    is_whole = size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"
    return size if is_whole else _line_start(descriptor, size)


def _line_start(descriptor: int, end: int) -> int:
    """Offset of the line that the byte before `end` is in, when that byte isn't a line end."""
    while end > 0:
        start = max(0, end - _CHUNK)
        found = os.pread(descriptor, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _is_torn(tail: bytes) -> bool:
    """Whether a last line without line end is what a crash leaves of an entry: no JSON of its own."""
    if tail.startswith(_BEGINNING):
        return parse_line(tail) is None
    if not tail.strip(b"\0"):
        return True
    if tail[:2] not in (b"{", b'{"'):
        return False
    try:
        json.loads(tail.decode("utf-8"))
    except (ValueError, RecursionError):
        return True
    return False


def parse_line(line: bytes) -> Entry | None:
    """The entry that a line holds; None when it is torn, or no transition."""
    try:
        entry = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not all(
        isinstance(entry.get(key), str) for key in ("from", "event", "to")
    ):
        return None
    return entry


def read_log(path: str) -> LogReading:
    """Everything the log holds; a torn last line is left to the next transition to repair. Raises OSError."""
    lines = (read_bytes(path) or b"").split(b"\n")
    entries: list[Entry] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        entry = parse_line(line)
        if entry is not None:
            entries.append({key: entry.get(key) for key in KEYS})
        elif line.strip() and number < len(lines):
            problems.append(f"line {number} of the log isn't a transition")
    return LogReading(_ordered(entries), tuple(problems))


def _ordered(entries: list[Entry]) -> tuple[Entry, ...]:
    """By sequence number, as clocks may go back; an entry without one stays after the one before it."""
    places: list[int] = []
    for entry in entries:
        places.append(entry["seq"] if type(entry["seq"]) is int else (places or [0])[-1])
    return tuple(entries[index] for index in sorted(range(len(entries)), key=places.__getitem__))
