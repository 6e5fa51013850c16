"""Whether a path stays below a folder: the one check for every path that an argument or a file names."""

from __future__ import annotations

import os


class ContainmentError(ValueError):
    """A path that leaves the folder it must stay in, or is no path at all; the message says which."""


def contained(root: str, path: object) -> str:
    """The real place of `path`, which is taken relative to `root`, with every link on the way resolved.

    The target need not exist; what exists of it is resolved and the rest must not climb out by `..`. An
    absolute path is fine when it lies below the root. Raises ContainmentError.
    """
    if not isinstance(path, str):
        raise ContainmentError("a path must be text")
    if not path:
        raise ContainmentError("the path is empty")
    try:
        base = os.path.realpath(root)
        place = os.path.realpath(os.path.join(base, path))
    except ValueError:
        raise ContainmentError("the path holds a character that no path can have") from None
    except OSError as error:
        raise ContainmentError(f"the path can't be resolved: {error.strerror}") from None
    if place != base and not place.startswith(base.rstrip(os.sep) + os.sep):
        raise ContainmentError("the path leaves its root")
    return place
