"""Full disks and read-only folders: every call of the operating system fails once, and nothing is lost."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine, durable
from stratum_runtime.workflow.log import read_log
from support.projects import state_of
from support.workflows import SMALL, lay_out

CALLS = ("open", "write", "fsync", "rename", "ftruncate", "fchmod", "unlink", "listdir", "pread", "read")
MOST = 60
"""More calls than one transition makes."""


class Faults:
    """Makes one call after so many fail, or that one and all that follow."""

    def __init__(self, after: int, error: int, *, for_good: bool) -> None:
        self.calls = 0
        self._after = after
        self._error = error
        self._for_good = for_good

    @property
    def happened(self) -> bool:
        return self.calls > self._after

    def wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            self.calls += 1
            late = self.calls - 1 - self._after
            if late == 0 or (late > 0 and self._for_good):
                named = arguments[:1] if isinstance(arguments[0], str) else ()
                raise OSError(self._error, os.strerror(self._error), *named)
            return real(*arguments, **more)

        return call


@contextmanager
def failing(faults: Faults) -> Iterator[None]:
    with ExitStack() as patched:
        for name in CALLS:
            patched.enter_context(mock.patch.object(os, name, faults.wrap(getattr(os, name))))
        yield


@pytest.fixture
def engine(tmp_path: Path) -> WorkflowEngine:
    """A project after two transitions, whose workflow is read."""
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    assert "error" not in engine.transition("go", state_updates={"kept": 1.0})
    assert "error" not in engine.transition("back")
    past = 1_000_000_000
    os.utime(tmp_path / ".forge" / "workflow.json", (past, past))
    engine.check()
    return engine


def chain(root: Path) -> list[tuple[str, str]]:
    reading = read_log(str(root / ".forge" / "flow-log.jsonl"))
    assert reading.problems == ()
    return [(entry["from"], entry["to"]) for entry in reading.entries]


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("after", range(MOST))
def test_a_call_that_fails_leaves_the_project_whole(
    tmp_path: Path, engine: WorkflowEngine, after: int, for_good: bool
) -> None:
    old = state_of(tmp_path)
    faults = Faults(after, errno.ENOSPC, for_good=for_good)
    with failing(faults):
        answer = engine.transition("go", state_updates={"kept": 2.0})
    new = state_of(tmp_path)
    if "error" in answer:
        assert answer["error"]["code"] == "io_error"
        assert os.strerror(errno.ENOSPC) in answer["error"]["message"]
        assert str(tmp_path) in answer["error"]["message"], "the file is named"
        is_new = engine.check()["state"] == "b"
        assert answer["error"].get("applied", False) is is_new
    else:
        assert new["workflow_state"] == "b"
    # What the file shows is whole, and of a moment that is in the log.
    assert new in (old, {**old, "workflow_state": "b", "previous_workflow_state": "a", "kept": 2.0})
    assert (new["previous_workflow_state"], new["workflow_state"]) in chain(tmp_path)[-2:]
    # And when the disk has room again, work goes on from there, every entry where the one before it ended.
    assert "error" not in engine.transition("panic")
    steps = chain(tmp_path)
    assert [start for start, _ in steps] == ["a", *(end for _, end in steps[:-1])]
    assert state_of(tmp_path)["workflow_state"] == steps[-1][1] == "c"
    assert [name for name in os.listdir(tmp_path / ".forge") if name.endswith(".next")] == []


def test_every_call_of_a_transition_was_made_to_fail(engine: WorkflowEngine) -> None:
    faults = Faults(MOST, errno.ENOSPC, for_good=True)
    with failing(faults):
        assert "error" not in engine.transition("go")
    assert 10 < faults.calls <= MOST


def test_a_refusal_before_anything_was_written_has_changed_nothing(
    tmp_path: Path, engine: WorkflowEngine
) -> None:
    files = {path: path.read_bytes() for path in (tmp_path / ".forge").iterdir()}
    with mock.patch.object(os, "write", side_effect=OSError(errno.ENOSPC, "No space left on device")):
        answer = engine.transition("go")
    assert answer["error"]["code"] == "io_error"
    assert {path: path.read_bytes() for path in (tmp_path / ".forge").iterdir()} == files


def test_a_read_only_folder_is_a_clear_refusal(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    real = os.open

    def read_only(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return real(path, flags, *more, **named)

    with mock.patch.object(os, "open", read_only):
        answer = engine.transition("go")
        assert answer["error"]["code"] == "io_error"
        assert "Read-only file system" in answer["error"]["message"]
        assert ".forge" in answer["error"]["message"]
        assert engine.check()["state"] == "a"
    assert not (tmp_path / ".forge" / "dev-state.json").exists()


def test_a_state_file_that_is_a_folder_or_a_pipe_is_a_refusal(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    path = tmp_path / ".forge" / "dev-state.json"
    path.mkdir()
    assert engine.check()["error"]["code"] == "io_error"
    assert engine.transition("go")["error"]["code"] == "io_error"
    path.rmdir()
    os.mkfifo(path)
    assert engine.check()["error"]["code"] == "io_error"
    assert engine.transition("go")["error"]["code"] == "io_error"
    assert not (tmp_path / ".forge" / "flow-log.jsonl").exists()


def test_a_lock_that_is_never_given_back_is_a_refusal_in_the_end(
    tmp_path: Path, engine: WorkflowEngine
) -> None:
    descriptor = os.open(tmp_path / ".forge" / "dev-state.json.lock", os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with mock.patch.object(durable, "LOCK_TIMEOUT", 0.02):
        answer = engine.transition("go")
    os.close(descriptor)
    assert answer["error"]["code"] == "io_error"
    assert "another process holds the lock" in answer["error"]["message"]
    assert "error" not in engine.transition("go")


def test_a_file_system_without_locks_is_not_worked_on_unlocked(
    tmp_path: Path, engine: WorkflowEngine
) -> None:
    before = state_of(tmp_path)
    no_locks = OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    with mock.patch.object(fcntl, "flock", side_effect=no_locks):
        assert engine.transition("go")["error"]["code"] == "io_error"
        assert engine.check()["state"] == "a"
    assert state_of(tmp_path) == before


def test_threads_of_one_process_exclude_each_other(tmp_path: Path, engine: WorkflowEngine) -> None:
    def work() -> None:
        for _ in range(25):
            engine.transition("stay")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(chain(tmp_path)) == 102
    numbers = [entry["seq"] for entry in engine.history(limit=200)["entries"]]
    assert numbers == list(range(102, 0, -1))
