"""What every command ends with: streams in UTF-8, quiet interrupts and closed pipes, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from errno import EBADF
from io import TextIOWrapper

INTERRUPTED = 130
"""Exit status after an interrupt from the keyboard: 128 and the number of the signal, as shells count."""

PIPE_CLOSED = 141
"""Exit status when whoever read the output has gone, counted likewise."""

WRONG_USAGE = 2


class PipeClosedError(Exception):
    """Whoever read the output has gone; no OSError like BrokenPipeError, which click would answer itself."""


def guarded(command: Callable[[], int]) -> int:
    """Runs a command and turns whatever it raises into a message and an exit status."""
    _prepare_streams()
    try:
        status = command()
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except (BrokenPipeError, PipeClosedError):
        _leave_pipe()
        return PIPE_CLOSED
    except Exception as error:
        return _report(error)
    return status


def _prepare_streams() -> None:
    """UTF-8 whatever the locale; a stream that was closed before the start takes all and keeps nothing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def answer(content: str | bytes) -> None:
    """Writes to standard output to the last byte, though an unbuffered stream may take a part.

    Raises OSError when there is something to write and the stream was closed before the start.
    """
    stream = sys.stdout
    if content and getattr(stream, "name", None) == os.devnull:
        # What `_prepare_streams` opened: an answer that nobody gets must not look as if it had been given.
        raise OSError(EBADF, "it is closed", "standard output")
    stream.flush()
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    rest = memoryview(data)
    while rest:
        rest = rest[stream.buffer.write(rest) :]
    stream.buffer.flush()


def complain(message: str) -> None:
    """Writes something other than an answer to the error stream."""
    try:
        sys.stderr.write(f"stratumc: {message}\n")
    except OSError:
        return


def _leave_pipe() -> None:
    """Keeps the interpreter from flushing into the closed pipe again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception) -> int:
    """The exit status and the message for an error that reached the top."""
    from stratumc.driver.batch import InternalError, WorkerLostError
    from stratumc.driver.settings import SettingsError

    if isinstance(error, SettingsError):
        for fault in error.faults:
            complain(fault)
        return WRONG_USAGE
    if isinstance(error, OSError):
        what = "the system refused" if error.filename is None else f"`{error.filename}`"
        reason = error.strerror or str(error)
        complain(f"{what}: {reason[:1].lower()}{reason[1:]}")
        return WRONG_USAGE
    if isinstance(error, WorkerLostError):
        complain("a process was ended from outside while it was checking; --jobs 1 needs less memory")
        return WRONG_USAGE
    from stratum_runtime.store import StoreError

    if isinstance(error, StoreError):
        complain(str(error))
        return WRONG_USAGE
    import traceback

    while_doing, trace = "", "".join(traceback.format_exception(error))
    if isinstance(error, InternalError):
        while_doing, trace = f" while checking `{error.name}`", error.trace
    complain(f"internal error{while_doing}: this is a fault of stratumc, not of your files")
    if os.environ.get("STRATUMC_DEBUG"):
        complain(trace)
    else:
        complain(
            f"please report it with this line: {_last_line(trace)} (STRATUMC_DEBUG=1 shows where it happened)"
        )
    return WRONG_USAGE


def _last_line(trace: str) -> str:
    """The last line of a trace, the error itself, and the innermost place of ours."""
    lines = trace.strip().splitlines()
    places = [line.strip() for line in lines if line.lstrip().startswith("File ")]
    where = places[-1].rpartition("stratumc")[2] if places else ""
    return f"{lines[-1]} at {where}" if where else lines[-1]
