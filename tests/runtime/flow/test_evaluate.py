"""`evaluate` steps: no shell, strict verdicts, bounded time and output, nothing left running."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from stratum_runtime.flow import command as runner
from stratum_runtime.flow.command import Command, CommandFailure, run_command
from stratum_runtime.store import SqliteStore
from support.flow_runs import Played, note, spec_of, table_of

VERDICT = {"status": "closed", "children": [], "reason": "fine"}


def program(folder: Path, text: str) -> str:
    """A command that runs a Python text."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    return f"'{sys.executable}' -I program.py"


def run(folder: Path, text: str, *, stdin: bytes = b"null", timeout_ms: float = 20_000) -> Any:
    return run_command(Command(program(folder, text), str(folder), stdin, timeout_ms))


def printing(value: Any) -> str:
    return f"print({json.dumps(value)!r})"


@pytest.mark.parametrize(
    "verdict",
    [
        VERDICT,
        VERDICT | {"status": "failed"},
        VERDICT | {"status": "failed", "children": [1]},
        VERDICT | {"status": "open", "children": [{}], "score": 0.5, "route": "codex"},
    ],
)
def test_a_verdict(tmp_path: Path, verdict: Any) -> None:
    assert run(tmp_path, printing(verdict)) == verdict


@pytest.mark.parametrize(
    "printed",
    [
        "null",
        "[]",
        "{}",
        "{",
        "",
        "NaN",
        json.dumps(VERDICT) + "x",
        json.dumps(VERDICT | {"more": 1}),
        json.dumps(VERDICT | {"status": "done"}),
        json.dumps(VERDICT | {"reason": None}),
        json.dumps(VERDICT | {"children": {}}),
        json.dumps(VERDICT | {"children": [1]}),
        json.dumps(VERDICT | {"status": "open"}),
        json.dumps(VERDICT | {"score": "high"}),
        json.dumps(VERDICT | {"score": True}),
        json.dumps(VERDICT | {"route": "gpt"}),
        json.dumps({key: VERDICT[key] for key in ("status", "children")}),
        "[" * 100_000,
        '{"status": "closed", "children": [], "reason": "a", "reason": "b"}',
        '{"status": "open", "children": [{"a": 1, "a": 2}], "reason": "a"}',
    ],
)
def test_what_is_no_verdict(tmp_path: Path, printed: str) -> None:
    (tmp_path / "printed").write_text(printed, encoding="utf-8")
    assert isinstance(run(tmp_path, "print(open('printed').read())"), CommandFailure)


@pytest.mark.parametrize("text", ["", "   ", "'open", "no-such-program-anywhere", "./program.txt", "a\0b"])
def test_what_can_not_be_started(tmp_path: Path, text: str) -> None:
    (tmp_path / "program.txt").write_text("no program")
    assert isinstance(run_command(Command(text, str(tmp_path), b"", 1000)), CommandFailure)


def test_there_is_no_shell(tmp_path: Path) -> None:
    found = run_command(Command("echo x > made; touch made $HOME", str(tmp_path), b"", 5000))
    assert isinstance(found, CommandFailure)
    assert not (tmp_path / "made").exists()


def test_the_exit_status_counts(tmp_path: Path) -> None:
    found = run(tmp_path, printing(VERDICT) + "; raise SystemExit(3)")
    assert found == CommandFailure("the command ended with status 3")


def test_a_large_input_to_a_program_that_reads_late_or_never(tmp_path: Path) -> None:
    text = "import sys, time; time.sleep(0.05); data = sys.stdin.buffer.read(); "
    assert run(tmp_path, text + printing(VERDICT), stdin=b"x" * 3_000_000) == VERDICT
    assert run(tmp_path, printing(VERDICT), stdin=b"x" * 3_000_000) == VERDICT


def test_too_much_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_OUTPUT", 1000)
    found = run(tmp_path, "while True: print('x' * 1000)")
    assert isinstance(found, CommandFailure)
    assert "more than" in found.reason


def test_a_time_out_ends_the_whole_process_group(tmp_path: Path) -> None:
    text = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "time.sleep(60)\n"
    )
    found = run(tmp_path, text, timeout_ms=1500)
    assert found == CommandFailure("the command took too long and was ended")
    for pid in (tmp_path / "pids").read_text().split():
        assert _is_gone(int(pid))


def test_a_child_left_behind_is_ended_too(tmp_path: Path) -> None:
    text = (
        "import subprocess, sys\n"
        "quiet = subprocess.DEVNULL\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], stdout=quiet)\n"
        "open('pids', 'w').write(str(child.pid))\n"
    )
    assert run(tmp_path, text + printing(VERDICT)) == VERDICT
    assert _is_gone(int((tmp_path / "pids").read_text()))


def _is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet counts as ended."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


def test_in_a_run_it_goes_on_by_itself_and_gets_the_rendered_input(tmp_path: Path) -> None:
    text = "import json, sys; told = json.load(sys.stdin); "
    text += "print(json.dumps({'status': 'closed', 'children': [], 'reason': told}))"
    checker = {"command": program(tmp_path, text), "timeout_ms": 20_000, "in": "saw ${first.output.text}"}
    contract = {"Verdict": {"status": "string", "children": "array", "reason": "string"}}
    step = {"id": "ev", "evaluate": checker, "out": "Verdict"}
    spec = spec_of(note("first"), step, note("last", do="${ev.output.reason}"))
    spec["contracts"] = spec["contracts"] | contract
    run = Played(note("last"))
    answer = run.engine.plan(table_of(spec), inputs={}, workspace_root=tmp_path)
    answer = run.engine.step_done(answer["flow_id"], "first", result={"text": "it"})
    assert (answer["status"], answer["intent"]) == ("execute_step", "saw it")


@pytest.mark.parametrize("text", ["raise SystemExit(1)", "print('no')"])
def test_in_a_run_a_failure_ends_it_at_once(tmp_path: Path, text: str) -> None:
    checker = {
        "id": "ev",
        "after": ["first"],
        "evaluate": {"command": program(tmp_path, text), "timeout_ms": 20_000},
    }
    run = Played(note("first"), checker, note("last", after=["ev"]), workspace=tmp_path)
    answer = run.done("first")
    assert (answer["error_type"], answer["failure"]["kind"]) == ("flow_failed", "evaluate")
    assert run.state["steps"]["ev"] | {"failure": 0} == {"status": "failed", "attempts": 1, "failure": 0}


def test_without_a_workspace_it_fails_closed() -> None:
    checker = {"id": "ev", "evaluate": {"command": "true", "timeout_ms": 1000}}
    run = Played(checker, note("last", after=["ev"]))
    assert (run.answer["error_type"], run.answer["failure"]["kind"]) == ("flow_failed", "evaluate")


def test_other_calls_are_served_while_a_command_runs(tmp_path: Path) -> None:
    """The command looks into the store that its own run is kept in: no transaction is open meanwhile."""
    store = SqliteStore(tmp_path / "runs.sqlite")
    text = (
        "import sqlite3, json\n"
        "store = sqlite3.connect('runs.sqlite', timeout=0)\n"
        "store.execute('begin immediate')\n"
        f"print({json.dumps(VERDICT)!r})\n"
    )
    checker = {"id": "ev", "evaluate": {"command": program(tmp_path, text), "timeout_ms": 20_000}}
    run = Played(checker, note("last", after=["ev"]), workspace=tmp_path, store=store)
    assert run.answer["step_id"] == "last"


def test_a_process_that_ends_leaves_no_command_behind(tmp_path: Path) -> None:
    from stratum_runtime.flow.processes import CommandsEndedError, ProcessGroups

    groups = ProcessGroups()
    process = groups.start([sys.executable, "-c", "import time; time.sleep(60)"], str(tmp_path))
    groups.end_all()
    assert process.wait(20) < 0
    with pytest.raises(CommandsEndedError):
        groups.start([sys.executable, "-c", ""], str(tmp_path))
    with pytest.raises(CommandsEndedError):
        groups.require_open()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


KILLED = """
import sys, time
from stratum_runtime.flow.processes import AT_WORK

for ended in (True, False, False):
    process = AT_WORK.start([sys.executable, "-c", "import time; time.sleep(60)"], sys.argv[1])
    if ended:
        AT_WORK.end(process)
    else:
        print(process.pid, flush=True)
time.sleep(60)
"""


def is_at_work(pid: int) -> bool:
    """Whether there is such a process; one that has ended and that nobody has collected yet is none."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
def test_a_process_that_is_killed_leaves_no_command_behind(tmp_path: Path) -> None:
    killed = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert killed.stdout is not None
    pids = [int(killed.stdout.readline()) for _ in range(2)]
    assert all(map(is_at_work, pids))
    killed.kill()
    killed.communicate()
    deadline = time.monotonic() + 20
    while any(map(is_at_work, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_at_work, pids))


@pytest.mark.parametrize("loss", ["killed", "missing"])
def test_commands_run_without_their_watcher(
    loss: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stratum_runtime.flow import processes

    groups = processes.ProcessGroups()
    first = groups.start([sys.executable, "-c", ""], str(tmp_path))
    watcher = groups._watcher
    assert watcher is not None
    watcher.kill()
    watcher.wait()
    if loss == "missing":
        whole = subprocess.Popen

        def start(words: list[str], **more: Any) -> Any:
            if words[0] == "/bin/sh":
                raise FileNotFoundError(words[0])
            return whole(words, **more)

        monkeypatch.setattr(subprocess, "Popen", start)
    second = groups.start([sys.executable, "-c", ""], str(tmp_path))
    assert (groups._watcher is None) is (loss == "missing")
    for process in (first, second):
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()
        groups.end(process)
    if groups._watcher is not None:
        groups._watcher.communicate()
    assert watcher.stdin is not None
    watcher.stdin.close()
