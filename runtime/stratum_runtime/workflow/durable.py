"""Files that are there whole or not at all: locks, flushed writes, replacements made by renaming."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator

LOCK_TIMEOUT = 30.0
"""Seconds to wait for another process's lock."""

_PAUSE = 0.0005
"""Seconds between two attempts, on average."""

_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What file systems without flushable folders answer."""


class LockedError(OSError):
    """A lock that another process kept for longer than `LOCK_TIMEOUT`."""


class AppliedError(OSError):
    """What was asked for was done, but a flush failed thereafter."""


def lock(descriptor: int, path: str) -> None:
    """Takes the exclusive lock of an open file, which the kernel frees when its holder ends, however it ends.

    Raises LockedError after `LOCK_TIMEOUT`, OSError when the file system has no locks.
    """
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise LockedError(errno.EAGAIN, "another process holds the lock", path) from None
        # Whoever works on and on leaves short gaps; uneven pauses, shorter than its work, meet one soon.
        time.sleep(_PAUSE * (0.5 + (time.monotonic_ns() & 1023) / 1024))


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Makes an OSError that names no file name this one."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = path
        raise


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """The exclusive lock of a lock file, which is created when it is missing and never removed."""
    with naming(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with naming(path):
            lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def read_bytes(path: str) -> bytes | None:
    """A file's bytes; None when there is none. Raises OSError, also for what isn't a regular file."""
    with naming(path):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            return _read(descriptor)
        finally:
            os.close(descriptor)


def _read(descriptor: int) -> bytes:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "it isn't a regular file")
    data = os.read(descriptor, found.st_size + 1)
    if len(data) <= found.st_size:
        return data
    parts = [data]
    while part := os.read(descriptor, len(data)):
        parts.append(part)
    return b"".join(parts)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes every byte, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def flush_folder(path: str) -> None:
    """Flushes a folder, so that a name just made or replaced in it survives a loss of power."""
    with naming(path):
        descriptor = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise
        finally:
            os.close(descriptor)


def write_beside(path: str, temporary: str, data: bytes) -> None:
    """Writes and flushes a file that is to replace `path` in the same folder; the mode is that of `path`.

    On OSError nothing is left behind.
    """
    with naming(path):
        descriptor = _create(temporary)
        try:
            try:
                _take_mode(descriptor, path)
                write_all(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def _create(path: str) -> int:
    """Opens a new file for writing; one that was left over there is removed first."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o666)
    except FileExistsError:
        os.unlink(path)
        return os.open(path, flags, 0o666)


def _take_mode(descriptor: int, path: str) -> None:
    """Gives an open file the mode of the one at `path`, when there is one."""
    try:
        mode = os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        return
    if os.fstat(descriptor).st_mode & 0o7777 != mode:
        os.fchmod(descriptor, mode)


def replace(path: str, data: bytes) -> None:
    """Replaces a file's content as a whole. On OSError other than AppliedError the old content is there."""
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.next")
    write_beside(path, temporary, data)
    try:
        os.rename(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    try:
        flush_folder(os.path.dirname(path))
    except OSError as error:
        reason = f"the file was written, but may not survive a loss of power: {error.strerror}"
        raise AppliedError(error.errno, reason, path) from None
