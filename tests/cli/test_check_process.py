"""`stratumc check` as a process: pipes, terminals, signals, workers, and faults from outside."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.checked_files import GOOD
from support.command import stratumc

pytestmark = pytest.mark.usefixtures("project")


def test_a_closed_pipe_makes_no_noise(project: Path) -> None:
    (project / "many.stratum.yaml").write_text(GOOD + "".join(f"k{number}: 1\n" for number in range(5000)))
    command = [sys.executable, "-m", "stratumc", "check", "--family", "rule", "many.stratum.yaml"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        noise = process.stderr.read().decode()
        assert process.wait() == 141
    assert noise == ""


def test_an_interrupt_ends_it_without_a_traceback(project: Path) -> None:
    command = [sys.executable, "-m", "stratumc", "check", "--family", "rule", "-"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert process.stdin is not None
    # More than a pipe holds: when it is written, the command has started; when it sleeps, it waits for more.
    process.stdin.write(b"#" * 1_000_000)
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "S":
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"stratumc: interrupted\n"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGHUP"])
def test_a_signal_leaves_no_worker(project: Path, name: str) -> None:
    for number in range(60):
        (project / f"{number}.stratum.yaml").write_text(GOOD)
    command = [sys.executable, "-m", "stratumc", "check", "--no-cache", "--jobs", "2", "."]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    while len(children.read_text().split()) < 2:
        assert process.poll() is None, "it ended before it had two workers"
        assert time.monotonic() < deadline, "it never had two workers"
        time.sleep(0.002)
    process.send_signal(getattr(signal, name))
    # The end of output comes only when the last process that has it open is gone.
    process.communicate(timeout=20)
    assert process.returncode == -getattr(signal, name)


def on_terminal(*arguments: str, env: dict[str, str] | None = None) -> str:
    """What a command writes to a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "stratumc", *arguments]
    settings = {**os.environ, "TERM": "xterm", **(env or {})}
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL, env=settings)
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 4096):
            output += chunk
    except OSError:
        pass
    process.wait()
    os.close(master)
    return output.decode()


def test_colour_on_a_terminal_unless_refused() -> None:
    assert "\x1b[1;31merror[E2_UNKNOWN_FIELD]" in on_terminal(
        "check", "--family", "rule", "broken.stratum.yaml"
    )
    plain = on_terminal("check", "--family", "rule", "broken.stratum.yaml", env={"NO_COLOR": "1"})
    assert "error[E2_UNKNOWN_FIELD]" in plain
    assert "\x1b" not in plain


def test_a_full_disk_is_told(project: Path) -> None:
    command = [sys.executable, "-m", "stratumc", "check", "--family", "rule", "broken.stratum.yaml"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "stratumc: the system refused: no space left on device\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_closed_streams_are_no_reason_to_fail(project: Path, closed: str) -> None:
    command = f"{sys.executable} -m stratumc check --family rule good.stratum.yaml {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_an_answer_that_nobody_can_get_is_told(project: Path) -> None:
    command = f"{sys.executable} -m stratumc check broken.stratum.yaml >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "stratumc: `standard output`: it is closed\n")


def test_standard_input_that_is_closed(project: Path) -> None:
    command = f"{sys.executable} -m stratumc check - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "stratumc: standard input is closed\n")


def test_a_fault_of_ours_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken inside")

    monkeypatch.setattr("stratumc.driver.pipeline.check_loaded", fail)
    outcome = stratumc("check", "--no-cache", "good.stratum.yaml")
    assert outcome.status == 2
    assert "internal error while checking `good.stratum.yaml`: this is a fault of stratumc" in outcome.err
    assert "RuntimeError: broken inside" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_lost_worker_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    for number in range(8):
        (project / f"n{number}.stratum.yaml").write_text(GOOD)
    monkeypatch.setattr("stratumc.driver.pipeline.check_loaded", die)
    outcome = stratumc("check", "--no-cache", "--jobs", "2", ".")
    assert outcome.status == 2
    assert "a process was ended from outside while it was checking" in outcome.err
