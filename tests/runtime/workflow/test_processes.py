"""Several processes on one project, and killed ones: nothing acknowledged is lost, nothing is torn."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.workflow.log import read_log
from support.workflow_process import Row, Worker
from support.workflows import lay_out

WORKFLOW = {
    "name": "ring",
    "initial_state": "a",
    "states": {
        "a": {"transitions": [{"event": "ab", "target": "b"}, {"event": "aa", "target": "a"}]},
        "b": {"transitions": [{"event": "bc", "target": "c"}, {"event": "ba", "target": "a"}]},
        "c": {"transitions": [{"event": "ca", "target": "a"}]},
    },
}
KILLS = 500 if os.environ.get("STRATUM_LONG") else 25


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project that nothing has happened in, with a state file of its own making."""
    lay_out(tmp_path, WORKFLOW)
    (tmp_path / ".forge" / "dev-state.json").write_text('{\n  "owner": "me",\n  "n": 1.0\n}\n')
    assert stratumc.create_engine(tmp_path).check()["state"] == "a", (
        "and the modules are loaded before the fork"
    )
    return tmp_path


def entries(root: Path) -> list[dict[str, Any]]:
    reading = read_log(str(root / ".forge" / "flow-log.jsonl"))
    assert reading.problems == ()
    return list(reading.entries)


def state_of(root: Path) -> dict[str, Any]:
    value = json.loads((root / ".forge" / "dev-state.json").read_bytes())
    assert isinstance(value, dict)
    assert value["owner"] == "me"
    return value


def assert_chained(log: list[dict[str, Any]]) -> None:
    """Numbers without gaps, and every `from` the `to` before it."""
    assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1))
    assert [entry["from"] for entry in log] == ["a", *(entry["to"] for entry in log)][: len(log)]


def test_eight_processes_lose_nothing(root: Path) -> None:
    workers = [Worker(root, f"w{number}", 50) for number in range(8)]
    ends = [worker.end() for worker in workers]
    assert [status for status, _ in ends] == [0] * 8
    log = entries(root)
    assert_chained(log)
    told = sorted(row for _, rows in ends for row in rows)
    assert told == [(entry["seq"], entry["from"], entry["to"]) for entry in log]
    assert len(log) == 400
    state = state_of(root)
    assert (state["workflow_state"], state["previous_workflow_state"]) == (log[-1]["to"], log[-1]["from"])
    assert state["last"] == log[-1]["reason"]
    assert [state[f"w{number}"] for number in range(8)] == [49] * 8


def test_killed_at_any_moment_the_project_is_whole(root: Path) -> None:
    """Two processes at work; one is killed, over and over, and what is left is looked at each time."""
    moments = random.Random(11)
    seen: list[Row] = []
    steady = Worker(root, "steady")
    try:
        for number in range(KILLS):
            victim = Worker(root, f"k{number}")
            begun = victim.first_byte()
            time.sleep(moments.uniform(0, 0.01))
            victim.send(signal.SIGKILL)
            status, rows = victim.end(begun)
            assert status == -signal.SIGKILL
            seen += rows
            steady.send(signal.SIGSTOP)
            os.waitpid(steady.pid, os.WUNTRACED)
            assert_whole(root)
            steady.send(signal.SIGCONT)
    finally:
        steady.send(signal.SIGKILL)
    seen += steady.end()[1]
    status, rows = Worker(root, "finisher", 1).end()
    assert status == 0
    log = entries(root)
    assert_chained(log)
    logged = {(entry["seq"], entry["from"], entry["to"]) for entry in log}
    assert {*seen, *rows} <= logged, "an acknowledged transition is missing"
    assert state_of(root)["workflow_state"] == log[-1]["to"]
    assert [name for name in os.listdir(root / ".forge") if name.endswith(".next")] == []


def assert_whole(root: Path) -> None:
    """With every process dead or stopped: the state is of one moment, and that moment is in the log."""
    state = state_of(root)
    log = entries(root)
    assert_chained(log)
    shown = (state.get("previous_workflow_state"), state.get("workflow_state"), state.get("last"))
    latest = [(entry["from"], entry["to"], entry["reason"]) for entry in log[-2:]]
    assert shown in latest or not log
