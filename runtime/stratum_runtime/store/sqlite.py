"""Runs in one SQLite file: write-ahead log, every commit flushed, one transaction per call."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stratum_runtime.store.interface import RunReader, RunSummary, RunWriter, StoreError, UnknownRunError
from stratum_runtime.store.schema import check_version, prepare

BUSY_SECONDS = 60.0
"""How long a call waits for the calls of other processes."""

_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode
_NEXT_CHANGE = "(select coalesce(max(change), 0) + 1 from runs)"
_NEW_RUN = (
    "insert into runs (flow_id, header, flow, status, ended_steps, total_steps, waiting_gates, created,"
    f" changed, change) values (?, '{{}}', '', '', 0, 0, '[]', 0, 0, {_NEXT_CHANGE})"
)
_MAKING = threading.Lock()
_PUT = "insert or replace into rows values (?, ?, ?)"


class SqliteStore:
    """A durable store for several processes. `:memory:` keeps runs only as long as the object lives."""

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        """Opens or makes the store, and missing folders above it. Raises StoreError.

        A `read_only` one is there already, and neither it nor its folder has to be writable.
        """
        self._path, self._read_only = os.fspath(path), read_only
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        if self._path != ":memory:":
            self._path = os.path.abspath(self._path)
            if not read_only:
                _make_private(self._path)
        with self._lock:
            self._connect()

    @contextmanager
    def write(self, flow_id: str, *, create: bool = False) -> Iterator[RunWriter]:
        """See RunStore.write."""
        with self._transaction("begin immediate") as connection:
            found = connection.execute(
                "select run, header from runs where flow_id = ?", (flow_id,)
            ).fetchone()
            if found is None and create:
                made = connection.execute(_NEW_RUN, (flow_id,))
                found = (made.lastrowid, "{}")
            if found is None:
                raise UnknownRunError(flow_id)
            yield _SqliteRun(connection, *found)

    @contextmanager
    def read(self, flow_id: str) -> Iterator[RunReader]:
        """See RunStore.read."""
        with self._transaction("begin") as connection:
            found = connection.execute(
                "select run, header from runs where flow_id = ?", (flow_id,)
            ).fetchone()
            if found is None:
                raise UnknownRunError(flow_id)
            yield _SqliteRun(connection, *found)

    def runs(self, *, status: str | None = None, limit: int | None = None) -> Iterator[RunSummary]:
        """See RunStore.runs."""
        columns = "flow_id, flow, status, ended_steps, total_steps, waiting_gates, created, changed"
        with self._transaction("begin") as connection:
            found = connection.execute(
                f"select {columns} from runs where ?1 is null or status = ?1 order by change desc limit ?2",
                (status, -1 if limit is None else limit),
            ).fetchall()
        for flow_id, flow, state, ended, total, gates, created, changed in found:
            waiting = tuple(_decode(gates, list))
            yield RunSummary(flow_id, flow, state, ended, total, waiting, created, changed)

    def save_table(self, digest: str, table: bytes) -> None:
        """See RunStore.save_table."""
        if self.load_table(digest) is None:
            with self._transaction("begin immediate") as connection:
                connection.execute("insert or ignore into tables values (?, ?)", (digest, table))

    def load_table(self, digest: str) -> bytes | None:
        """See RunStore.load_table; one statement, so that it can be asked inside a transaction too."""
        query = "select bytes from tables where digest = ?"
        with self._lock:
            try:
                found = self._connect().execute(query, (digest,)).fetchone()
            except sqlite3.Error as error:
                raise StoreError(f"the run store {self._path} can't be used: {error}") from error
        if found is not None and not isinstance(found[0], bytes):
            raise StoreError(f"the run store {self._path} is damaged: table {digest} isn't bytes")
        return None if found is None else found[0]

    def close(self) -> None:
        """See RunStore.close."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                connection = self._connect()
                connection.execute(begin)
                try:
                    yield connection
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("rollback")
                    raise
                connection.execute("commit")
            except sqlite3.Error as error:
                raise StoreError(f"the run store {self._path} can't be used: {error}") from error

    def _connect(self) -> sqlite3.Connection:
        """The connection of this process: one opened before a fork is not used after it.

        That of a read-only store serves one transaction: what it took for unchanging may change afterwards.
        """
        if self._connection is not None and self._owner == os.getpid():
            if not self._read_only or self._connection.in_transaction:
                return self._connection
            self._connection.close()
        try:
            connection = sqlite3.connect(
                _read_only_address(self._path) if self._read_only else self._path,
                uri=self._read_only,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            if self._read_only:
                check_version(connection)
            else:
                prepare(connection, BUSY_SECONDS)
        except sqlite3.Error as error:
            raise StoreError(f"the run store {self._path} can't be used: {error}") from error
        self._connection, self._owner = connection, os.getpid()
        return connection


def _make_private(path: str) -> None:
    """Makes folder and file, if they aren't there, for the owner alone: results may be confidential.

    A file that is there is not opened: to close it would drop the locks of all connections that this process
    has to it (as POSIX has it), and another process would take the write-ahead log away from under them.
    """
    try:
        with _MAKING:
            Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.path.isfile(path):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"the run store {path} can't be made or opened: {error.strerror}") from error


def _decode(text: Any, kind: type = object) -> Any:
    """What a column holds as JSON. Raises StoreError for what no store ever wrote there."""
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"the run store is damaged: a value in it isn't JSON ({error})") from error
    if not isinstance(found, kind):
        raise StoreError(f"the run store is damaged: it holds `{text[:40]}` where something else belongs")
    return found


def _read_only_address(path: str) -> str:
    """For SQLite: without a write-ahead log beside the file, it is read as one that nobody changes."""
    mode = "mode=ro" if os.path.exists(f"{path}-wal") else "mode=ro&immutable=1"
    return f"{Path(path).as_uri()}?{mode}"


class _SqliteRun:
    """One run inside an open transaction."""

    def __init__(self, connection: sqlite3.Connection, run: int, header: str) -> None:
        self._connection, self._run, self._header = connection, run, header

    def header(self) -> dict[str, Any]:
        found: dict[str, Any] = _decode(self._header, dict)
        return found

    def get(self, key: str) -> Any:
        found = self._one("select value from rows where run = ? and key = ?", key)
        return None if found is None else _decode(found)

    def scan(self, prefix: str) -> Sequence[tuple[str, Any]]:
        found = self._connection.execute(
            "select key, value from rows where run = ? and key >= ? and key < ? order by key",
            (self._run, prefix, prefix + "\U0010ffff"),
        )
        return [(key, _decode(value)) for key, value in found]

    def trail(self) -> Sequence[Any]:
        query = "select entry from trail where run = ? order by sequence"
        return [_decode(entry) for (entry,) in self._connection.execute(query, (self._run,))]

    def checkpoints(self) -> Sequence[str]:
        query = "select label from checkpoints where run = ? order by place"
        return [label for (label,) in self._connection.execute(query, (self._run,))]

    def put_header(self, header: dict[str, Any], summary: RunSummary) -> None:
        self._header = _encode(header)
        self._connection.execute(
            "update runs set header = ?, flow = ?, status = ?, ended_steps = ?, total_steps = ?,"
            f" waiting_gates = ?, created = ?, changed = ?, change = {_NEXT_CHANGE} where run = ?",
            (
                self._header,
                summary.flow,
                summary.status,
                summary.ended_steps,
                summary.total_steps,
                _encode(summary.waiting_gates) if summary.waiting_gates else "[]",
                summary.created,
                summary.changed,
                self._run,
            ),
        )

    def put(self, key: str, value: Any) -> None:
        self._connection.execute(
            "insert or replace into rows values (?, ?, ?)", (self._run, key, _encode(value))
        )

    def delete(self, prefix: str) -> None:
        self._connection.execute(
            "delete from rows where run = ? and key >= ? and key < ?",
            (self._run, prefix, prefix + "\U0010ffff"),
        )

    def append(self, entry: Any) -> None:
        self._connection.execute(
            "insert into trail select ?1, coalesce(max(sequence), 0) + 1, ?2 from trail where run = ?1",
            (self._run, _encode(entry)),
        )

    def save_checkpoint(self, label: str, header: dict[str, Any]) -> None:
        self._connection.execute(
            "insert into checkpoints select ?1, ?2, coalesce(max(place), 0) + 1, ?3 from checkpoints"
            " where run = ?1 on conflict (run, label) do update set header = excluded.header",
            (self._run, label, _encode(header)),
        )
        self._connection.execute(
            "delete from checkpoint_rows where run = ? and label = ?", (self._run, label)
        )
        self._connection.execute(
            "insert into checkpoint_rows select run, ?2, key, value from rows where run = ?1",
            (self._run, label),
        )

    def load_checkpoint(self, label: str) -> dict[str, Any] | None:
        found = self._one("select header from checkpoints where run = ? and label = ?", label)
        if found is None:
            return None
        self._connection.execute("delete from rows where run = ?", (self._run,))
        self._connection.execute(
            "insert into rows select run, key, value from checkpoint_rows where run = ?1 and label = ?2",
            (self._run, label),
        )
        kept: dict[str, Any] = _decode(found, dict)
        return kept

    def _one(self, query: str, argument: str) -> str | None:
        found = self._connection.execute(query, (self._run, argument)).fetchone()
        return None if found is None else str(found[0])
