"""`stratumc serve` on pipes, spoken to line by line, without a client in between."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.serving import command, environment

PATIENCE = 30.0
"""Seconds that a loaded machine may take to answer, or to end a process."""
HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Wire:
    """A server on pipes, and the lines that go over them."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def write(self, *lines: bytes | dict[str, Any]) -> None:
        """Sends each as a line: bytes as they are, a message as JSON."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode())
            self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        """The next line; whatever is no JSON fails here."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def answer(self) -> Any:
        """The next answer; a loaded machine may tell of progress before."""
        while "method" in (line := self.read()):
            assert line["method"] == "notifications/progress"
        return line

    def call(self, number: int, tool: str, arguments: str) -> bytes:
        """A call as bytes, since its arguments are text that may be no JSON."""
        return (
            f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call",'
            f'"params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"progressToken":"p"}}}}}}'
        ).encode()

    def end(self) -> tuple[int, bytes]:
        """Closes the input; the exit status, and whatever came on the output until then."""
        out, err = self.process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err, err.decode()
        return self.process.returncode, out


@contextmanager
def wired(folder: Path, *arguments: str, program: list[str] | None = None) -> Iterator[Wire]:
    """A server in a process of its own, past its handshake; killed at the end, if it still runs."""
    with subprocess.Popen(
        program or command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(folder),
    ) as process:
        try:
            wire = Wire(process)
            wire.write(HELLO, READY)
            assert wire.answer()["id"] == "hello"
            yield wire
        finally:
            process.kill()
