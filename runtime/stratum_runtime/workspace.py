"""The workspace folder as predicates see it: nothing outside its root, by `..` or by links."""

from __future__ import annotations

import os
import stat

from stratum_runtime.containment import ContainmentError, Root
from stratum_runtime.expression import Failure

MAX_FILE = 16 * 1024 * 1024
"""Largest file that `contains` reads, in bytes."""


class Workspace:
    """A root folder. Paths are relative to it; one that leaves it is a Failure, never an answer."""

    __slots__ = ("_root",)

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = Root(root)

    def exists(self, path: str) -> bool | Failure:
        """Whether something is there; a path that ends in a slash names a folder."""
        found = self._place(path)
        if isinstance(found, Failure):
            return found
        return os.path.isdir(found) if path.endswith("/") else os.path.exists(found)

    def contains(self, path: str, text: str) -> bool | Failure:
        """Whether a regular file is there and holds the text; it is read as UTF-8."""
        found = self._place(path)
        if isinstance(found, Failure):
            return found
        if not os.path.isfile(found):
            return False
        try:
            data = _read(found)
        except OSError as error:
            return Failure("validation_error", f"`{path}` can't be read: {error.strerror}")
        if data is None:
            return Failure("resource_limit", f"`{path}` is larger than {MAX_FILE} bytes")
        return text in data.decode("utf-8", "replace")

    def _place(self, path: str) -> str | Failure:
        try:
            return self._root.contained(path)
        except ContainmentError as error:
            return Failure("validation_error", f"`{path}`: {error}")


def _read(path: str) -> bytes | None:
    """The bytes of a regular file, never waiting for a pipe; None when there are too many."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        data = file.read(MAX_FILE + 1)
    return data if len(data) <= MAX_FILE else None
