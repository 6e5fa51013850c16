"""The rules that every store keeps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stratum_runtime.store import MemoryStore, RunStore, RunSummary, SqliteStore, UnknownRunError

STORES: dict[str, Callable[[Path], RunStore]] = {
    "memory": lambda folder: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "deep" / "runs.sqlite"),
    "sqlite in memory": lambda folder: SqliteStore(":memory:"),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunStore]:
    made = STORES[request.param](tmp_path)
    yield made
    made.close()


def summary(flow_id: str, status: str = "in_progress", changed: float = 2.0) -> RunSummary:
    return RunSummary(flow_id, "main", status, 1, 3, ("check",), 1.0, changed)


def make(store: RunStore, flow_id: str, status: str = "in_progress") -> None:
    with store.write(flow_id, create=True) as run:
        run.put_header({"n": 0}, summary(flow_id, status))


def test_a_run_that_is_not_there(store: RunStore) -> None:
    with pytest.raises(UnknownRunError), store.read("x"):
        pass
    with pytest.raises(UnknownRunError), store.write("x"):
        pass
    assert list(store.runs()) == []


def test_what_was_written_is_read(store: RunStore) -> None:
    make(store, "r")
    with store.write("r") as run:
        run.put("step/1", {"text": "é\ud800\u0000", "n": 1.5})
        run.put("step/1", {"text": "again \U0001f600"})
        run.put("step/10", None)
        run.put("other", [True])
        assert run.get("step/1") == {"text": "again \U0001f600"}
    with store.read("r") as view:
        assert view.header() == {"n": 0}
        assert view.scan("step/") == [("step/1", {"text": "again \U0001f600"}), ("step/10", None)]
        assert view.get("other") == [True]
        assert view.get("none") is None
    with store.write("r") as run:
        run.delete("step/1")
        assert [key for key, _ in run.scan("")] == ["other"]


def test_values_are_copies(store: RunStore) -> None:
    make(store, "r")
    value = {"list": [1]}
    with store.write("r") as run:
        run.put("k", value)
        value["list"].append(2)
        run.get("k")["list"].append(3)
        assert run.get("k") == {"list": [1]}


def change_everything_and_fail(store: RunStore) -> None:
    with store.write("r") as run:
        run.put("k", 2)
        run.delete("")
        run.append("second")
        run.put_header({"n": 9}, summary("r", "failed"))
        run.save_checkpoint("d", {})
        raise ZeroDivisionError


def make_and_fail(store: RunStore) -> None:
    with store.write("r", create=True) as run:
        run.put("k", 2)
        raise ZeroDivisionError


def test_an_exception_leaves_nothing(store: RunStore) -> None:
    make(store, "r")
    with store.write("r") as run:
        run.put("k", 1)
        run.append("first")
        run.save_checkpoint("c", {"h": 1})
    with pytest.raises(ZeroDivisionError):
        change_everything_and_fail(store)
    with store.read("r") as view:
        assert (view.get("k"), view.trail(), view.header(), view.checkpoints()) == (
            1,
            ["first"],
            {"n": 0},
            ["c"],
        )
    assert [s.status for s in store.runs()] == ["in_progress"]


def test_an_exception_while_making_a_run_leaves_none(store: RunStore) -> None:
    with pytest.raises(ZeroDivisionError):
        make_and_fail(store)
    assert list(store.runs()) == []


def test_the_trail_keeps_its_order(store: RunStore) -> None:
    make(store, "r")
    make(store, "other")
    for number in range(30):
        with store.write("r") as run:
            run.append({"n": number})
    with store.read("r") as view:
        assert view.trail() == [{"n": number} for number in range(30)]
    with store.read("other") as view:
        assert view.trail() == []


def test_checkpoints(store: RunStore) -> None:
    make(store, "r")
    make(store, "other")
    with store.write("other") as run:
        run.put("k", "other")
    with store.write("r") as run:
        run.put("k", 1)
        run.save_checkpoint("b", {"h": 1})
        run.put("k", 2)
        run.save_checkpoint("a", {"h": 2})
        run.append("kept")
        run.put("more", 3)
    with store.write("r") as run:
        assert run.checkpoints() == ["b", "a"]
        assert run.load_checkpoint("none") is None
        assert run.load_checkpoint("b") == {"h": 1}
        assert (run.get("k"), run.get("more"), run.trail()) == (1, None, ["kept"])
        run.put("k", 5)
        run.save_checkpoint("b", {"h": 5})
        assert run.checkpoints() == ["b", "a"]
        assert run.load_checkpoint("a") == {"h": 2}
        assert run.get("k") == 2
        assert run.load_checkpoint("b") == {"h": 5}
        assert run.get("k") == 5
    with store.read("other") as view:
        assert view.get("k") == "other"


def test_the_list_of_runs(store: RunStore) -> None:
    for name, status in (("a", "complete"), ("b", "in_progress"), ("c", "in_progress")):
        make(store, name, status)
    with store.write("a") as run:
        run.put_header({}, summary("a", "complete", 1.0))
    assert [s.flow_id for s in store.runs()] == ["a", "c", "b"]
    assert [s.flow_id for s in store.runs(status="in_progress")] == ["c", "b"]
    assert [s.flow_id for s in store.runs(limit=1)] == ["a"]
    assert next(iter(store.runs(status="complete"))) == summary("a", "complete", 1.0)


def test_tables(store: RunStore) -> None:
    assert store.load_table("d") is None
    store.save_table("d", b"\x00table")
    store.save_table("d", b"other")
    assert store.load_table("d") == b"\x00table"
    make(store, "r")
    with store.write("r"):
        assert store.load_table("d") == b"\x00table"


def test_no_update_is_lost_between_threads(store: RunStore) -> None:
    make(store, "r")

    def work() -> None:
        for _ in range(25):
            with store.write("r") as run:
                header = run.header()
                header["n"] += 1
                run.append(header["n"])
                run.put_header(header, summary("r"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read("r") as view:
        assert view.header()["n"] == 100
        assert view.trail() == list(range(1, 101))
