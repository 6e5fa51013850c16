"""One project's state file and log as one: both change, or neither, whenever the process ends.

The order of a transition's writes, all under the project's lock and the log's: the new state in a file
beside the old one (`pending`), flushed; the log line, flushed; the renaming. A file that is left over belongs
either to a line that is in the log, and the change is made, or to one that never was, and is removed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from typing import assert_never

from stratum_runtime.workflow.durable import AppliedError, flush_folder, locked, naming, read_bytes
from stratum_runtime.workflow.log import Entry, LogFile, open_log
from stratum_runtime.workflow.pending import (
    End,
    Pending,
    announce,
    forget,
    judge,
    left_over,
    orphans,
    set_aside,
)
from stratum_runtime.workflow.settings import Place
from stratum_runtime.workflow.state_file import StateText


class Project:
    """A project that this process holds the lock of."""

    def __init__(self, place: Place) -> None:
        """Reads the state file. Raises StateFileError, OSError."""
        self._place = place
        self._data = read_bytes(place.state_path)
        self.text = StateText(self._data)

    def commit(self, entry: Entry, owned: Mapping[str, str], updates: Mapping[str, str]) -> Entry:
        """Writes JSON texts into the state file and one line into the log, which it returns with its number.

        On OSError neither has changed, unless it is an AppliedError. Raises StateFileError.
        """
        new = self.text.with_values({**owned, **updates})
        with open_log(self._place.log_path) as log:
            numbered = {**entry, "seq": log.last_seq + 1}
            try:
                self._write(log, numbered, new, updates)
            except OSError as error:
                if _is_ended(self._place, log):
                    raise _not_flushed(error, self._place) from None
                raise
        try:
            flush_folder(os.path.dirname(self._place.state_path))
        except OSError as error:
            raise _not_flushed(error, self._place) from None
        return numbered

    def _write(self, log: LogFile, entry: Entry, new: bytes, updates: Mapping[str, str]) -> None:
        pending = announce(self._place, entry, self._data, new, updates)
        log.append(entry)
        try:
            with naming(self._place.state_path):
                os.rename(pending.path, self._place.state_path)
        except OSError:
            log.take_back()
            raise
        if updates:
            forget(pending)


@contextlib.contextmanager
def open_project(place: Place) -> Iterator[Project]:
    """The project, locked from reading its state to the log's flush.

    What another process left half done is ended first. Raises StateFileError, OSError.
    """
    with locked(f"{place.state_path}.lock"):
        if left_over(place):
            with open_log(place.log_path) as log:
                settle(place, log)
        for path in orphans(place):
            os.unlink(path)
        yield Project(place)


def settle(place: Place, log: LogFile) -> bool:
    """Ends what was left half done: makes a change when the log has its line, else drops it.

    Whether it made one. Raises StateFileError, OSError.
    """
    is_made = False
    line = log.last_of(place.project)
    for pending in left_over(place):
        is_made |= _end(place, pending, line)
    return is_made


def _end(place: Place, pending: Pending, line: Entry | None) -> bool:
    data = read_bytes(place.state_path)
    judgment = judge(place, pending, line, data)
    match judgment.end:
        case End.PLACE:
            os.rename(pending.path, place.state_path)
        case End.REWRITE:
            assert line is not None
            assert judgment.data is not None
            again = announce(place, line, data, judgment.data, judgment.updates)
            os.rename(again.path, place.state_path)
            forget(again)
            os.unlink(pending.path)
        case End.DROP:
            os.unlink(pending.path)
        case End.SET_ASIDE:
            set_aside(pending)
        case _:
            assert_never(judgment.end)
    forget(pending)
    is_made = judgment.end in (End.PLACE, End.REWRITE)
    if is_made:
        flush_folder(os.path.dirname(place.state_path))
    return is_made


def _is_ended(place: Place, log: LogFile) -> bool:
    """Whether a transition that failed half way was ended by making it, or will be by the next caller."""
    try:
        return settle(place, log)
    except OSError:
        return log.is_longer


def _not_flushed(error: OSError, place: Place) -> AppliedError:
    reason = f"the event was applied, but may not survive a loss of power: {error.strerror}"
    return AppliedError(error.errno, reason, error.filename or place.state_path)
