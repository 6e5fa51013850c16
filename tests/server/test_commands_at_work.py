"""A server in the middle of a step's command: it ends with the server, and holds nobody up."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.translation import checker
from support.wire import PATIENCE, Wire, wired


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


SLEEPER = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("pids.tmp", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("pids.tmp", "pids")
time.sleep(600)
"""


@contextmanager
def at_work(folder: Path) -> Iterator[tuple[Wire, list[int]]]:
    """A server in the middle of the command of an `evaluate` step, and the processes of that command."""
    checker(folder, SLEEPER)
    spec = {
        "version": 1,
        "contracts": {
            "W": {"text": "string"},
            "V": {
                "status": "closed|open|failed",
                "children": "array",
                "reason": "string",
                "score": "number?",
                "route": "claude|codex?",
            },
        },
        "flows": {
            "entry": "f",
            "f": {
                "input": {},
                "output": {"from": "${check.output}", "contract": "V"},
                "steps": [
                    {"id": "work", "do": "work", "out": "W"},
                    {
                        "id": "check",
                        "after": ["work"],
                        "evaluate": {
                            "command": "./tools/check-spelling",
                            "in": "${work.output}",
                            "timeout_ms": 500000,
                        },
                        "out": "V",
                    },
                ],
            },
        },
    }
    with wired(folder, "--tools", "flows") as wire:
        told = {"spec": json.dumps(spec), "inputs": {}, "workspace_root": str(folder)}
        wire.write(wire.call(1, "stratum_plan", json.dumps(told)))
        planned = wire.answer()["result"]["structuredContent"]
        report = {"flow_id": planned["flow_id"], "step_id": "work", "result": {"text": ""}}
        wire.write(wire.call(2, "stratum_step_done", json.dumps(report)))
        wait_until((folder / "pids").exists)
        yield wire, [int(pid) for pid in (folder / "pids").read_text().split()]


def states(folder: Path) -> list[tuple[str, int]]:
    """The runs in the store of a folder: status and steps completed."""
    from stratum_runtime.flow import FlowEngine
    from stratum_runtime.store import SqliteStore

    runs = FlowEngine(SqliteStore(folder / "state" / "runs.sqlite")).flows()["flows"]
    return [(run["status"], run["steps_completed"]) for run in runs]


def test_the_end_of_input_ends_a_command_with_the_server(tmp_path: Path) -> None:
    with at_work(tmp_path) as (wire, pids):
        assert all(is_alive(pid) for pid in pids)
        status, _ = wire.end()
    assert status == 0
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert states(tmp_path) == [("in_progress", 0)]


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, 0),
        pytest.param(signal.SIGHUP, 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_a_command_with_the_server(tmp_path: Path, number: int, status: int) -> None:
    with at_work(tmp_path) as (wire, pids):
        wire.process.send_signal(number)
        assert wire.process.wait(PATIENCE) == status
        assert wire.process.stderr is not None
        assert b"Traceback" not in wire.process.stderr.read()
    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    assert states(tmp_path) == [("in_progress", 0)]


def test_long_work_tells_of_its_progress_and_lets_others_work(tmp_path: Path) -> None:
    with at_work(tmp_path) as (wire, _):
        wire.write(wire.call(3, "stratum_flows", "{}"))
        told: list[str] = []
        answered = None
        while answered is None or "Report a step is still at work" not in told:
            line = wire.read()
            if "method" in line:
                assert line["params"]["progressToken"] == "p"
                told.append(line["params"]["message"])
            else:
                answered = line
        assert answered["id"] == 3
        assert answered["result"]["structuredContent"]["flows"][0]["status"] == "in_progress"
