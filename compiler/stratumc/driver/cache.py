"""Remembers results of checks by content, compiler and settings, so that an unchanged file costs a hash."""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import sha256
from typing import Any

import stratumc

_FORMAT = 1
"""Of the entries; raised when their shape changes."""

_BUCKET_FILES = 64
_BUCKET_BYTES = 1024 * 1024
"""Limits of each of the 256 folders of entries; the oldest go first."""


class Cache:
    """Entries in files of their own: written whole or not at all, checked when read, never an error.

    A cache that can't be read or written counts as none; several processes may use one at once.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def get(self, key: str) -> Any | None:
        """The JSON value kept under a key; None when there is none, or it is damaged."""
        try:
            with open(self._path(key), "rb") as file:
                checksum, _, payload = file.read().partition(b"\n")
            if sha256(payload).hexdigest().encode() != checksum:
                return None
            return json.loads(payload)
        except (OSError, ValueError):
            return None

    def put(self, key: str, value: Any) -> None:
        """Keeps a JSON value under a key, unless it is too large or the disk refuses."""
        payload = json.dumps(value, separators=(",", ":")).encode()
        if len(payload) > _BUCKET_BYTES // 4:
            return
        path = self._path(key)
        bucket = os.path.dirname(path)
        scratch = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            os.makedirs(bucket, mode=0o700, exist_ok=True)
            with open(scratch, "xb") as file:
                file.write(sha256(payload).hexdigest().encode() + b"\n" + payload)
            os.replace(scratch, path)
            _prune(bucket)
        except OSError:
            _remove(scratch)

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, key[:2], key[2:])


def _prune(bucket: str) -> None:
    """Drops the oldest files of a bucket that has grown over its limits."""
    with os.scandir(bucket) as entries:
        files = sorted(
            ((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries), reverse=True
        )
    total = 0
    for number, (_, size, path) in enumerate(files):
        total += size
        if number >= _BUCKET_FILES or total > _BUCKET_BYTES:
            _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def default_folder() -> str:
    """Where the cache lies: `$XDG_CACHE_HOME/stratumc`, else `~/.cache/stratumc`."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base or not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "stratumc")


def key_of(pieces: tuple[tuple[str, bytes], ...], kind: str | None, settings: str) -> str:
    """The key of a result: names and contents of its files, the compiler, and the settings.

    Every part is preceded by its length, so that no two lists of parts are written the same.
    """
    digest = sha256(f"{_FORMAT}\n{stratumc.__version__}\n{_fingerprint()}\n{kind}\n".encode())
    for part in (
        settings.encode(),
        *(part for name, data in pieces for part in (name.encode("utf-8", "replace"), data)),
    ):
        digest.update(b"%d\n" % len(part))
        digest.update(part)
    return digest.hexdigest()


@cache
def _fingerprint() -> str:
    """Empty for an installed compiler; in a checkout the newest change of its own files."""
    package = os.path.dirname(os.path.abspath(stratumc.__file__))
    checkout = os.path.dirname(os.path.dirname(package))
    if not os.path.exists(os.path.join(checkout, "pyproject.toml")):
        return ""
    pending, newest, count = [package, os.path.join(checkout, "runtime")], 0, 0
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.name.endswith(".py"):
                    newest, count = max(newest, entry.stat().st_mtime_ns), count + 1
    return f"{newest}-{count}"
