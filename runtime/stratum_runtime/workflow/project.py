"""One project's state file and log as one: both change, or neither, whenever the process ends.

The order of a transition's writes, all under the project's lock and the log's: the new state in a temporary
file whose name carries the entry's sequence number, flushed; the log line, flushed; the renaming. A temporary
file that is left over belongs either to a line that is in the log, and is put in place, or to one that never
was, and is removed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping

from stratum_runtime.workflow.durable import flush_folder, locked, read_bytes, write_beside
from stratum_runtime.workflow.log import Entry, LogFile, open_log
from stratum_runtime.workflow.settings import Place
from stratum_runtime.workflow.state_file import StateText

_SUFFIX = ".next"


class Project:
    """A project that this process holds the lock of."""

    def __init__(self, place: Place) -> None:
        """Reads the state file. Raises StateFileError, OSError."""
        self._place = place
        self.text = StateText(read_bytes(place.state_path))

    def commit(self, entry: Entry, values: Mapping[str, str]) -> Entry:
        """Writes JSON texts into the state file and one line into the log, which it returns with its number.

        On OSError neither has changed, unless the message says so. Raises StateFileError.
        """
        data = self.text.with_values(values)
        with open_log(self._place.log_path) as log:
            numbered = {**entry, "seq": log.last_seq + 1}
            try:
                self._write(log, numbered, data)
            except OSError as error:
                if _is_ended(self._place, log):
                    raise _not_flushed(error) from None
                raise
        try:
            flush_folder(os.path.dirname(self._place.state_path))
        except OSError as error:
            raise _not_flushed(error) from None
        return numbered

    def _write(self, log: LogFile, entry: Entry, data: bytes) -> None:
        path = self._place.state_path
        folder, name = os.path.split(path)
        temporary = os.path.join(folder, f".{name}.{entry['seq']}{_SUFFIX}")
        write_beside(path, temporary, data)
        log.append(entry)
        try:
            os.rename(temporary, path)
        except OSError:
            log.take_back()
            raise


@contextlib.contextmanager
def open_project(place: Place) -> Iterator[Project]:
    """The project, locked from reading its state to the log's flush.

    What another process left half done is ended first. Raises StateFileError, OSError.
    """
    with locked(f"{place.state_path}.lock"):
        if _left_over(place):
            with open_log(place.log_path) as log:
                settle(place, log)
        yield Project(place)


def settle(place: Place, log: LogFile) -> bool:
    """Ends what was left half done: puts a new state in place when the log has its line, else drops it.

    Whether it put one in place. Raises OSError.
    """
    is_placed = False
    for seq, path in _left_over(place):
        if _logged(log, seq, place.project):
            os.rename(path, place.state_path)
            is_placed = True
            flush_folder(os.path.dirname(place.state_path))
        else:
            os.unlink(path)
    return is_placed


def _is_ended(place: Place, log: LogFile) -> bool:
    """Whether a transition that failed half way could only be ended by making it."""
    try:
        return settle(place, log)
    except OSError:
        return False


def _not_flushed(error: OSError) -> OSError:
    reason = f"the event was applied, but may not survive a loss of power: {error.strerror}"
    return OSError(error.errno, reason)


def _left_over(place: Place) -> list[tuple[int, str]]:
    """Temporary files of this state file with their sequence numbers, in that order."""
    folder, name = os.path.split(place.state_path)
    start = f".{name}."
    found = []
    for file in os.listdir(folder):
        if file.startswith(start) and file.endswith(_SUFFIX):
            number = file[len(start) : -len(_SUFFIX)]
            if number.isdecimal():
                found.append((int(number), os.path.join(folder, file)))
    return sorted(found)


def _logged(log: LogFile, seq: int, project: str) -> bool:
    """Whether the project's last line has that number; a later line means that the file is out of date."""
    for entry in log.lines_backwards():
        if entry.get("project") == project:
            return bool(entry.get("seq") == seq)
    return False
