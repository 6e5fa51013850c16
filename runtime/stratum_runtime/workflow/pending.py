"""A change between its log line and its renaming: how its file is named, and what is to become of it.

The file's name says which log has the line, what the state file was before, and seals line and content. What
is not exactly what a transition wrote is never believed, and a state file that someone else changed meanwhile
is never written over: then only the change itself is made in it.
"""

from __future__ import annotations

import contextlib
import enum
import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from stratum_runtime.workflow.durable import read_bytes, write_beside
from stratum_runtime.workflow.json_values import encode, json_text
from stratum_runtime.workflow.log import KEYS, Entry, last_of
from stratum_runtime.workflow.settings import Place
from stratum_runtime.workflow.state_file import StateText

_NEXT, _UPDATES, _ASIDE = ".next", ".updates", ".aside"
_NAME = re.compile(r"([0-9]{1,18})-([0-9a-f]{8})-([0-9a-f]{16})-([0-9a-f]{16})")
_NO_FILE = "0" * 16

ATTEMPTS = 20
"""So often a reader looks again when others changed the files under its eyes."""


class End(enum.Enum):
    """What becomes of a pending change."""

    PLACE = "the new state file is renamed over the old one"
    REWRITE = "the change is made in a state file that someone else changed meanwhile"
    DROP = "it never was, or is made already"
    SET_ASIDE = "it is not what a transition wrote, or a hand decided otherwise"


@dataclass(frozen=True, slots=True)
class Pending:
    """The file of a change, as its name tells."""

    seq: int
    log: str
    base: str
    seal: str
    path: str

    @property
    def updates_path(self) -> str:
        """The file with the further fields of the change; there only when it has some."""
        return self.path.removesuffix(_NEXT) + _UPDATES


@dataclass(frozen=True, slots=True)
class Judgment:
    """What becomes of a pending change, and the state file's content after it."""

    end: End
    data: bytes | None
    updates: Mapping[str, str]


def announce(
    place: Place, entry: Entry, old: bytes | None, new: bytes, updates: Mapping[str, str]
) -> Pending:
    """Writes and flushes the new state file beside the old one. On OSError nothing is left that counts."""
    texts = _object(updates)
    folder, name = os.path.split(place.state_path)
    seal = _seal(entry, new, texts)
    parts = f"{entry['seq']}-{_log_name(place)}-{_base(old)}-{seal}"
    path = os.path.join(folder, f".{name}.{parts}{_NEXT}")
    pending = Pending(entry["seq"], _log_name(place), _base(old), seal, path)
    if texts:
        write_beside(place.state_path, pending.updates_path, texts)
    try:
        write_beside(place.state_path, path, new)
    except OSError:
        forget(pending)
        raise
    return pending


def left_over(place: Place) -> list[Pending]:
    """The pending changes of a state file in the order of their numbers."""
    found = []
    for name in _files(place):
        match = _NAME.fullmatch(name.removesuffix(_NEXT)) if name.endswith(_NEXT) else None
        if match is not None:
            path = _path(place, name)
            found.append(Pending(int(match[1]), match[2], match[3], match[4], path))
    return sorted(found, key=lambda pending: (pending.seq, pending.path))


def orphans(place: Place) -> list[str]:
    """Files with further fields whose change is made, or never was."""
    names = _files(place)
    return [
        _path(place, name)
        for name in names
        if name.endswith(_UPDATES)
        and _NAME.fullmatch(name.removesuffix(_UPDATES))
        and name.removesuffix(_UPDATES) + _NEXT not in names
    ]


def forget(pending: Pending) -> None:
    """Removes the file of further fields; whoever takes the project's lock next tries again."""
    with contextlib.suppress(OSError):
        os.unlink(pending.updates_path)


def set_aside(pending: Pending) -> None:
    """Keeps the files of a change that can't be made, under names that nothing looks at. Raises OSError."""
    for path in (pending.updates_path, pending.path):
        with contextlib.suppress(FileNotFoundError):
            os.rename(path, path + _ASIDE)


def judge(place: Place, pending: Pending, line: Entry | None, data: bytes | None) -> Judgment:
    """What becomes of a pending change, by the project's last log line and the state file as it is.

    Raises OSError, StateFileError.
    """
    if pending.log != _log_name(place) or (line is not None and _number(line) > pending.seq):
        return Judgment(End.SET_ASIDE, data, {})
    if line is None or _number(line) < pending.seq:
        return Judgment(End.DROP, data, {})
    new = read_bytes(pending.path)
    if new is None:
        raise FileNotFoundError(pending.path)
    texts = read_bytes(pending.updates_path) or b""
    if _seal(line, new, texts) != pending.seal:
        return Judgment(End.SET_ASIDE, data, {})
    if _base(data) == pending.base:
        return Judgment(End.PLACE, new, {})
    return _judge_changed(place, pending, line, data, texts)


def _judge_changed(place: Place, pending: Pending, line: Entry, data: bytes | None, texts: bytes) -> Judgment:
    """The same when the state file is not the one that the transition read."""
    if data is None and pending.base != _NO_FILE:
        return Judgment(End.SET_ASIDE, data, {})
    text = StateText(data)
    state, previous = text.field(place.state_field), text.field(place.previous_field)
    if state not in (None, line["from"]):
        is_made = (state, previous) == (line["to"], line["from"])
        return Judgment(End.DROP if is_made else End.SET_ASIDE, data, {})
    updates = StateText(texts).texts() if texts else {}
    values = {
        place.state_field: json_text(line["to"]),
        place.previous_field: json_text(line["from"]),
        **updates,
    }
    return Judgment(End.REWRITE, text.with_values(values), updates)


def read_state(place: Place) -> bytes | None:
    """The state file's content with every pending change made, while nothing is written.

    Raises StateFileError, OSError.
    """
    for _ in range(ATTEMPTS):
        data = read_bytes(place.state_path)
        pending = left_over(place)
        if not pending:
            return data
        try:
            after = _foreseen(place, pending, data)
        except FileNotFoundError:
            continue
        if all(map(os.path.lexists, (one.path for one in pending))) and read_bytes(place.state_path) == data:
            return after
    return read_bytes(place.state_path)


def _foreseen(place: Place, pending: list[Pending], data: bytes | None) -> bytes | None:
    line = last_of(place.log_path, place.project)
    for one in pending:
        data = judge(place, one, line, data).data
    return data


def _files(place: Place) -> list[str]:
    """Names in the state file's folder that begin as those of its pending changes, without the beginning."""
    folder, name = os.path.split(place.state_path)
    start = f".{name}."
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return sorted(file[len(start) :] for file in names if file.startswith(start))


def _path(place: Place, name: str) -> str:
    folder, state = os.path.split(place.state_path)
    return os.path.join(folder, f".{state}.{name}")


def _number(line: Entry) -> int:
    number = line.get("seq")
    return number if type(number) is int else 0


def _object(members: Mapping[str, str]) -> bytes:
    """JSON texts as an object; nothing when there are none."""
    inside = ", ".join(f"{json_text(name)}: {value}" for name, value in members.items())
    return f"{{{inside}}}".encode() if inside else b""


def _log_name(place: Place) -> str:
    where = os.path.relpath(place.log_path, os.path.dirname(place.state_path))
    return hashlib.sha256(os.fsencode(where)).hexdigest()[:8]


def _base(data: bytes | None) -> str:
    return _NO_FILE if data is None else hashlib.sha256(data).hexdigest()[:16]


def _seal(entry: Entry, new: bytes, texts: bytes) -> str:
    line = encode({key: entry.get(key) for key in KEYS}).encode("utf-8", "surrogatepass")
    digest = hashlib.sha256()
    for part in (line, new, texts):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:16]
