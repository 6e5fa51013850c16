"""The workspace folder as predicates see it: nothing outside its root, by `..` or by links."""

from __future__ import annotations

import os
import stat

from stratum_runtime.expression import Failure

MAX_FILE = 16 * 1024 * 1024
"""Largest file that `contains` reads, in bytes."""


class Workspace:
    """A root folder. Paths are relative to it; one that leaves it is a Failure, never an answer."""

    __slots__ = ("_root",)

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.path.realpath(root)

    def exists(self, path: str) -> bool | Failure:
        """Whether something is there."""
        found = self.resolve(path)
        return found if isinstance(found, Failure) else os.path.exists(found)

    def contains(self, path: str, text: str) -> bool | Failure:
        """Whether a regular file is there and holds the text; it is read as UTF-8."""
        found = self.resolve(path)
        if isinstance(found, Failure):
            return found
        try:
            data = _read(found)
        except OSError as error:
            if os.path.isfile(found):
                return Failure("validation_error", f"`{path}` can't be read: {error.strerror}")
            return False
        if data is None:
            return Failure("resource_limit", f"`{path}` is larger than {MAX_FILE} bytes")
        return text in data.decode("utf-8", "replace")

    def resolve(self, path: str) -> str | Failure:
        """The real path of a place inside the root, whether or not anything is there yet."""
        if not path or "\0" in path:
            return Failure("validation_error", f"{path!r} is no file path")
        try:
            found = os.path.realpath(os.path.join(self._root, path))
        except (OSError, ValueError) as error:
            return Failure("validation_error", f"`{path}` is no file path: {error}")
        if found != self._root and not found.startswith(os.path.join(self._root, "")):
            return Failure("validation_error", f"file path escapes the workspace root: `{path}`")
        return found


def _read(path: str) -> bytes | None:
    """The bytes of a regular file, never waiting for a pipe; None when there are too many."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        data = file.read(MAX_FILE + 1)
    return data if len(data) <= MAX_FILE else None
