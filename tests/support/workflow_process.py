"""Processes that work on one project at once, forked so that they start at once."""

from __future__ import annotations

import os
import random
import signal
import traceback
from pathlib import Path

import stratumc

Row = tuple[int, str, str]


class Worker:
    """A process that applies events which the engine offers, and tells what was acknowledged."""

    def __init__(self, root: Path, name: str, count: int | None = None) -> None:
        """Starts it; without a count it works until it is killed."""
        self._reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._reader)
            status = 1
            try:
                status = _work(str(root), name, count, writer)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(writer)

    def send(self, number: signal.Signals) -> None:
        """Sends a signal."""
        os.kill(self.pid, number)

    def first_byte(self) -> bytes:
        """Waits until something was acknowledged."""
        return os.read(self._reader, 1)

    def end(self, begun: bytes = b"") -> tuple[int, list[Row]]:
        """Waits for the end; the status, and the transitions acknowledged: number, from, to."""
        output = begun
        while part := os.read(self._reader, 65536):
            output += part
        os.close(self._reader)
        _, status = os.waitpid(self.pid, 0)
        rows = [row.split() for row in output.decode().split("\n")[:-1]]
        return os.waitstatus_to_exitcode(status), [(int(seq), start, end) for seq, start, end in rows]


def _work(root: str, name: str, count: int | None, output: int) -> int:
    engine = stratumc.create_engine(root)
    choose = random.Random(name)
    done = 0
    while count is None or done < count:
        situation = engine.check()
        event = choose.choice(situation["options"])["event"]
        answer = engine.transition(
            event, expected_state=situation["state"], state_updates={name: done, "last": name}, reason=name
        )
        error = answer.get("error")
        if error is None:
            done += 1
            os.write(output, f"{answer['seq']} {answer['from']} {answer['to']}\n".encode())
        elif error["code"] != "state_conflict":
            raise AssertionError(error)
    return 0
