"""The SQLite schema of a run store and the pragmas that make a commit durable."""

from __future__ import annotations

import sqlite3
import time

from stratum_runtime.store.interface import StoreError

APPLICATION_ID = 0x53545254
VERSION = 1

TABLES = """
create table tables (digest text primary key, bytes blob not null) without rowid;
create table runs (
    run integer primary key,
    flow_id text not null unique,
    header text not null,
    flow text not null,
    status text not null,
    ended_steps integer not null,
    total_steps integer not null,
    waiting_gates text not null,
    created real not null,
    changed real not null,
    change integer not null
);
create index runs_by_change on runs (change);
create table rows (
    run integer not null,
    key text not null,
    value text not null,
    primary key (run, key)
) without rowid;
create table trail (
    run integer not null,
    sequence integer not null,
    entry text not null,
    primary key (run, sequence)
) without rowid;
create trigger trail_is_kept before delete on trail
begin select raise(abort, 'the audit trail only grows'); end;
create trigger trail_is_fixed before update on trail
begin select raise(abort, 'the audit trail only grows'); end;
create table checkpoints (
    run integer not null,
    label text not null,
    place integer not null,
    header text not null,
    primary key (run, label)
) without rowid;
create table checkpoint_rows (
    run integer not null,
    label text not null,
    key text not null,
    value text not null,
    primary key (run, label, key)
) without rowid;
"""


def prepare(connection: sqlite3.Connection, patience: float) -> None:
    """Sets the connection up and makes the tables in an empty database.

    `patience` is in seconds. Raises StoreError for a database that is something else or of a later version.
    """
    _use_write_ahead_log(connection, time.monotonic() + patience)
    connection.execute("pragma synchronous = full")
    if _version(connection) == VERSION:
        return
    connection.execute("begin immediate")
    try:
        if _version(connection) == 0:
            _create(connection)
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")
    check_version(connection)


def check_version(connection: sqlite3.Connection) -> None:
    """Raises StoreError for a database that is something else or of another version."""
    if _version(connection) != VERSION:
        raise StoreError(f"the run store has format {_version(connection)}, this version reads {VERSION}")


def _use_write_ahead_log(connection: sqlite3.Connection, deadline: float) -> None:
    """Changing the journal mode doesn't wait for other processes by itself ."""
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _version(connection: sqlite3.Connection) -> int:
    found = int(connection.execute("pragma user_version").fetchone()[0])
    kind = int(connection.execute("pragma application_id").fetchone()[0])
    if found != 0 and kind != APPLICATION_ID:
        raise StoreError("the file is an SQLite database of something else")
    return found


def _create(connection: sqlite3.Connection) -> None:
    if connection.execute("select count(*) from sqlite_schema").fetchone()[0]:
        raise StoreError("the file is an SQLite database of something else")
    for statement in _statements():
        connection.execute(statement)
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
    connection.execute(f"pragma user_version = {VERSION}")


def _statements() -> list[str]:
    """The statements of TABLES; a trigger holds a semicolon of its own, but ends a line with `end;`."""
    found, current = [], ""
    for line in TABLES.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
