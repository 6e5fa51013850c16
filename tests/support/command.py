"""Runs `stratumc` as a user would: in this process where that is the same, in its own where it is not."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock


@dataclass(frozen=True)
class Outcome:
    """What a command answered."""

    status: int
    out: str
    err: str


class _Stream(io.TextIOWrapper):
    """A captured stream that has bytes below it, as the real ones do."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True, newline="")

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8")


def stratumc(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"") -> Outcome:
    """Runs the command in this process, with its own streams and working directory."""
    from stratumc.__main__ import main

    out, err = _Stream(), _Stream()
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with ExitStack() as changed:
        changed.enter_context(chdir(cwd or Path.cwd()))
        changed.enter_context(mock.patch("sys.argv", ["stratumc", *map(str, arguments)]))
        changed.enter_context(mock.patch("sys.stdin", source))
        changed.enter_context(redirect_stdout(out))
        changed.enter_context(redirect_stderr(err))
        status = main()
    return Outcome(status, out.text(), err.text())


def stratumc_process(
    *arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", env: dict[str, str] | None = None
) -> Outcome:
    """Runs the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "stratumc", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
