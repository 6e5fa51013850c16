"""The rows of one run that a call looks at and changes, each read at most once and written at most once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stratum_runtime.store import RunReader, RunWriter, StoreError

Address = tuple[int, ...]
Row = dict[str, Any]

INPUT = "#input"
OUTPUT = "#output"
CARRY = "#carry/"


def key_of(address: Address) -> str:
    """The key of a region's row: the numbers of its address, so that what lies below it shares its prefix."""
    return "/".join(map(str, address))


class RunRows:
    """Rows by key over a transaction. A row that isn't there is an empty object."""

    def __init__(self, source: RunReader) -> None:
        self._source = source
        self._rows: dict[str, Row] = {}
        self._changed: dict[str, None] = {}
        self._dropped: dict[str, None] = {}

    def row(self, key: str) -> Row:
        """A row to look at."""
        found = self._rows.get(key)
        if found is None:
            gone = self._dropped and any(key.startswith(prefix) for prefix in self._dropped)
            found = self._rows[key] = {} if gone else _checked(key, self._source.get(key))
        return found

    def change(self, key: str) -> Row:
        """A row to write into; it is stored by `save`."""
        self._changed[key] = None
        return self.row(key)

    def replace(self, key: str, row: Row) -> None:
        """Another row in the place of one."""
        self._rows[key] = row
        self._changed[key] = None

    def drop(self, prefix: str) -> None:
        """Forgets every row whose key begins so."""
        self._dropped[prefix] = None
        for key in [key for key in self._rows if key.startswith(prefix)]:
            del self._rows[key]
            self._changed.pop(key, None)

    def below(self, prefix: str) -> Iterator[tuple[str, Row]]:
        """Every row whose key begins so, in no useful order."""
        stored = dict(self._source.scan(prefix))
        for key, row in stored.items():
            if not any(key.startswith(gone) for gone in self._dropped) and key not in self._rows:
                self._rows[key] = _checked(key, row)
        for key in sorted(self._rows):
            if key.startswith(prefix):
                yield key, self._rows[key]

    def save(self, writer: RunWriter) -> None:
        """Writes what changed."""
        for prefix in self._dropped:
            writer.delete(prefix)
        for key in self._changed:
            writer.put(key, self._rows[key])


def _checked(key: str, found: Any) -> Row:
    """A row as it was stored; none at all is an empty one. Raises StoreError for anything else."""
    if found is not None and not isinstance(found, dict):
        raise StoreError(f"the run store is damaged: row `{key}` isn't an object")
    return found or {}
