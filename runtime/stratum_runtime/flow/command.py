"""Runs the command of an `evaluate` step: no shell, bounded in time and output (runs.md section 3)."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from stratum_runtime.flow.processes import AT_WORK

MAX_OUTPUT = 1024 * 1024
"""Largest standard output that is read, in bytes."""

_STATUSES = ("closed", "open", "failed")
_ROUTES = ("claude", "codex")
_NEEDED = ("status", "children", "reason")
_FIELDS = (*_NEEDED, "score", "route")


@dataclass(frozen=True, slots=True)
class CommandFailure:
    """Why a command gave no verdict."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command, and when it ran, in seconds since 1970."""

    outcome: dict[str, Any] | CommandFailure
    began: float
    ended: float


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, where, and what to tell it."""

    text: str
    folder: str
    stdin: bytes
    timeout_ms: float


def run_command(command: Command) -> dict[str, Any] | CommandFailure:
    """The verdict that the command printed, or why there is none. Never raises for what a command does.

    Raises CommandsEndedError when this process is about to end.
    """
    try:
        words = shlex.split(command.text)
    except ValueError as error:
        return CommandFailure(f"the command can't be split into words: {error}")
    if not words:
        return CommandFailure("the command is empty")
    try:
        process = AT_WORK.start(words, command.folder)
    except (OSError, ValueError) as error:
        return CommandFailure(f"the command can't be started: {error}")
    try:
        output = _talk(process, command.stdin, time.monotonic() + command.timeout_ms / 1000)
    finally:
        _end(process)
    AT_WORK.require_open()
    if isinstance(output, CommandFailure):
        return output
    if process.returncode != 0:
        return CommandFailure(f"the command ended with status {process.returncode}")
    return _verdict(output)


def _talk(process: subprocess.Popen[bytes], stdin: bytes, deadline: float) -> bytes | CommandFailure:
    """Feeds standard input and reads standard output until both are done and the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    output, rest = bytearray(), memoryview(stdin)
    with selectors.DefaultSelector() as selector:
        for pipe, event in ((process.stdin, selectors.EVENT_WRITE), (process.stdout, selectors.EVENT_READ)):
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, event)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return CommandFailure("the command took too long and was ended")
            for key, _ in selector.select(left):
                if key.fileobj is process.stdout:
                    chunk = os.read(key.fd, 65536)
                    output += chunk
                    if len(output) > MAX_OUTPUT:
                        return CommandFailure(f"the command printed more than {MAX_OUTPUT} bytes")
                    done = not chunk
                else:
                    rest, done = _feed(key.fd, rest)
                if done:
                    selector.unregister(key.fileobj)
                    _close(key.fileobj)
    while not _has_ended(process):
        if time.monotonic() > deadline:
            return CommandFailure("the command took too long and was ended")
        time.sleep(0.002)
    return bytes(output)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Looks without reaping where it can: a dead leader keeps its group's number from being used again."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _feed(descriptor: int, rest: memoryview) -> tuple[memoryview, bool]:
    """Writes what the pipe takes; done when all is written or nobody reads."""
    try:
        rest = rest[os.write(descriptor, rest) :] if rest else rest
    except BlockingIOError:
        return rest, False
    except BrokenPipeError:
        return rest[:0], True
    return rest, not rest


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        return


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends whatever of the process group is left, and closes its pipes."""
    AT_WORK.end(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            _close(pipe)


def _verdict(output: bytes) -> dict[str, Any] | CommandFailure:
    try:
        found = json.loads(output.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_object_of)
    except (ValueError, RecursionError):
        return CommandFailure("the command did not print one JSON object")
    fault = _fault(found)
    return found if fault is None else CommandFailure(f"the command's verdict {fault}")


def _refuse(name: str) -> None:
    raise ValueError(name)


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _fault(found: Any) -> str | None:
    """What breaks the strict shape of a verdict, or None."""
    if not isinstance(found, dict):
        return "isn't an object"
    extra = [name for name in found if name not in _FIELDS]
    if extra:
        return f"has the unknown field `{extra[0]}`"
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        return f"has no `{missing[0]}`"
    if found["status"] not in _STATUSES:
        return "has another `status` than closed, open or failed"
    if not isinstance(found["reason"], str):
        return "has a `reason` that isn't text"
    if not isinstance(found["children"], list):
        return "has `children` that aren't a list"
    if found["status"] == "closed" and found["children"]:
        return "is closed and has children"
    if found["status"] == "open" and not found["children"]:
        return "is open and has no children"
    score = found.get("score", 0)
    if isinstance(score, bool) or not isinstance(score, int | float):
        return "has a `score` that isn't a number"
    if "route" in found and found["route"] not in _ROUTES:
        return "has another `route` than claude or codex"
    return None
