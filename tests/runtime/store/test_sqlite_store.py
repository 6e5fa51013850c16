"""What only the SQLite store must do: several processes, strange files, a trail that can't be changed."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import RunSummary, SqliteStore, StoreError
from support.flow_runs import Played, note

LENGTH = """
import sys
from stratum_runtime.store import SqliteStore
with SqliteStore(sys.argv[1]).read("r") as view:
    print(len(view.trail()))
"""


def count_up(path: Path, times: int) -> None:
    store = SqliteStore(path)
    for _ in range(times):
        with store.write("r", create=True) as run:
            header = run.header()
            header["n"] = header.get("n", 0) + 1
            run.append(header["n"])
            run.put_header(header, RunSummary("r", "main", "in_progress", 0, 1, (), 0.0, 0.0))


def test_eight_processes_open_a_new_store_and_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    path = tmp_path / "runs.sqlite"
    processes = [context.Process(target=count_up, args=(path, 10)) for _ in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    with SqliteStore(path).read("r") as view:
        assert view.header() == {"n": 80}
        assert view.trail() == list(range(1, 81))


def test_a_forked_child_opens_its_own_connection(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "runs.sqlite")
    store.save_table("d", b"x")
    child = os.fork()
    if child == 0:
        os._exit(0 if store.load_table("d") == b"x" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.load_table("d") == b"x"


@pytest.mark.parametrize(
    "content", [b"not a database, and long enough to be seen as none" * 30, b"SQLite format 3\x00"]
)
def test_a_damaged_file_is_reported_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"runs\.sqlite"):
        SqliteStore(path)
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    other = sqlite3.connect(path)
    other.execute("create table notes (text)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="something else"):
        SqliteStore(path)


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    SqliteStore(path).close()
    later = sqlite3.connect(path)
    later.execute("pragma user_version = 99")
    later.close()
    with pytest.raises(StoreError, match="format 99"):
        SqliteStore(path)


def test_the_trail_can_not_be_changed_by_anyone(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    count_up(path, 2)
    direct = sqlite3.connect(path)
    for statement in ("delete from trail", "update trail set entry = '0'"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            direct.execute(statement)


def test_commits_are_flushed_and_the_folder_is_private(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state" / "runs.sqlite")
    connection = store._connect()
    assert connection.execute("pragma synchronous").fetchone()[0] == 2
    assert connection.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    store.save_table("d", b"x")
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "state").iterdir()}
    assert set(modes.values()) == {0o600}, modes


def test_a_place_where_no_store_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file" / "below" / "runs.sqlite"):
        with pytest.raises(StoreError, match="can't be made or opened"):
            SqliteStore(path)


DAMAGE = {
    "a row": "update rows set value = '{' where key = '0'",
    "a row of another kind": "update rows set value = '5' where key = '0'",
    "the header": "update runs set header = '{'",
    "a header of another kind": "update runs set header = '[]'",
    "an empty header": "update runs set header = '{}'",
    "the table": "update tables set bytes = cast(bytes as text)",
    "a table that is a number": "update tables set bytes = 5",
    "the gates": "update runs set waiting_gates = '5'",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_damaged_content_is_told_as_a_fault_of_the_store(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "runs.sqlite"
    run = Played(note("last"), store=SqliteStore(path))
    direct = sqlite3.connect(path)
    direct.execute(statement)
    direct.commit()
    direct.close()
    engine = FlowEngine(SqliteStore(path))
    with pytest.raises(StoreError):
        assert engine.flows() == engine.resume(run.flow_id)


def test_a_store_that_can_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    run = Played(note("last"), store=SqliteStore(path))
    run.engine._store.close()
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    store = SqliteStore(path, read_only=True)
    engine = FlowEngine(store)
    assert engine.resume(run.flow_id)["step_id"] == "last"
    assert engine.audit(run.flow_id)["status"] == "in_progress"
    with pytest.raises(StoreError, match="readonly"):
        engine.step_done(run.flow_id, "last", result={"text": "x"})
    store.close()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "none.sqlite", read_only=True)


def test_what_can_only_be_read_is_read_anew_each_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    run = Played(note("a"), note("last", after=["a"]), store=SqliteStore(path))
    run.engine._store.close()
    reader = FlowEngine(SqliteStore(path, read_only=True))
    assert reader.resume(run.flow_id)["step_id"] == "a"
    run.done("a")
    assert reader.resume(run.flow_id)["step_id"] == "last"
    run.done("last")
    run.engine._store.close()
    assert reader.resume(run.flow_id)["status"] == "complete"


def test_a_second_store_in_one_process_takes_nothing_from_the_first(tmp_path: Path) -> None:
    """Another process that comes and goes must not take the write-ahead log for its own."""
    path = tmp_path / "runs.sqlite"
    first = SqliteStore(path)
    count_up(path, 1)
    command = "import sys; from stratum_runtime.store import SqliteStore; SqliteStore(sys.argv[1]).close()"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", command, str(path)], check=True)
        with first.write("r") as run:
            run.append("kept")
    found = subprocess.run(
        [sys.executable, "-c", LENGTH, str(path)], check=True, capture_output=True, text=True
    )
    assert found.stdout == "3\n"
