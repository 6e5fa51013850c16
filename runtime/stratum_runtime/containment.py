"""Whether a path stays below a folder: the one check for every path that an argument or a file names."""

from __future__ import annotations

import os
import stat


class ContainmentError(ValueError):
    """A path that leaves the folder it must stay in, or isn't a path at all; the message says which."""


class Root:
    """A folder that paths must stay below. Where it really is, is found out once."""

    __slots__ = ("real",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.real = os.path.realpath(path)

    def contained(self, path: object) -> str:
        """The real place of `path`, which is relative to the root, with every link on the way resolved.

        The target need not exist; what exists of it is resolved and the rest must not climb out by `..`. An
        absolute path is fine when it lies below the root. Raises ContainmentError.
        """
        if not isinstance(path, str):
            raise ContainmentError("a path must be text")
        if not path:
            raise ContainmentError("the path is empty")
        try:
            plain = self._without_links(path)
            place = os.path.realpath(os.path.join(self.real, path)) if plain is None else plain
        except ValueError:
            raise ContainmentError("the path holds a character that no path can have") from None
        except OSError as error:
            raise ContainmentError(f"the path can't be resolved: {error.strerror}") from None
        if place != self.real and not place.startswith(self.real.rstrip(os.sep) + os.sep):
            raise ContainmentError("the path leaves its root")
        return place

    def _without_links(self, path: str) -> str | None:
        """The place of a path that goes straight down over no link; None when it has to be resolved."""
        if path[0] == os.sep:
            return None
        place = self.real
        for name in path.split(os.sep):
            if name == os.pardir:
                return None
            if name in ("", os.curdir):
                continue
            place = f"{place.rstrip(os.sep)}{os.sep}{name}"
            try:
                if stat.S_ISLNK(os.lstat(place).st_mode):
                    return None
            except (FileNotFoundError, NotADirectoryError):
                continue
        return place
