"""Runs in memory only, for tests and for trying things out: the plainest store that keeps the rules."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from stratum_runtime.store.interface import RunReader, RunSummary, RunWriter, UnknownRunError

_NOTHING_YET = RunSummary("", "", "", 0, 0, (), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A run as it was committed; every value is JSON text."""

    summary: RunSummary = _NOTHING_YET
    header: str = "{}"
    rows: dict[str, str] = field(default_factory=dict)
    trail: tuple[str, ...] = ()
    checkpoints: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    change: int = 0


class MemoryStore:
    """A store for one process. A transaction works on a copy that replaces the run when it is left."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._runs: dict[str, _Kept] = {}
        self._tables: dict[str, bytes] = {}
        self._changes = 0

    @contextmanager
    def write(self, flow_id: str, *, create: bool = False) -> Iterator[RunWriter]:
        """See RunStore.write."""
        with self._lock:
            if flow_id not in self._runs and not create:
                raise UnknownRunError(flow_id)
            kept = self._runs.get(flow_id) or _Kept()
            run = _MemoryRun(replace(kept, rows=dict(kept.rows), checkpoints=dict(kept.checkpoints)))
            yield run
            self._changes += 1
            self._runs[flow_id] = replace(run.kept, change=self._changes)

    @contextmanager
    def read(self, flow_id: str) -> Iterator[RunReader]:
        """See RunStore.read."""
        with self._lock:
            kept = self._runs.get(flow_id)
        if kept is None:
            raise UnknownRunError(flow_id)
        yield _MemoryRun(kept)

    def runs(self, *, status: str | None = None, limit: int | None = None) -> Iterator[RunSummary]:
        """See RunStore.runs."""
        with self._lock:
            found = sorted(self._runs.values(), key=lambda kept: -kept.change)
        fitting = [kept.summary for kept in found if status in (None, kept.summary.status)]
        yield from fitting[:limit]

    def save_table(self, digest: str, table: bytes) -> None:
        """See RunStore.save_table."""
        self._tables.setdefault(digest, table)

    def load_table(self, digest: str) -> bytes | None:
        """See RunStore.load_table."""
        return self._tables.get(digest)

    def close(self) -> None:
        """See RunStore.close."""


class _MemoryRun:
    """One run inside a transaction."""

    def __init__(self, kept: _Kept) -> None:
        self.kept = kept

    def header(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.kept.header)
        return found

    def get(self, key: str) -> Any:
        found = self.kept.rows.get(key)
        return None if found is None else json.loads(found)

    def scan(self, prefix: str) -> Sequence[tuple[str, Any]]:
        return [
            (key, json.loads(self.kept.rows[key])) for key in sorted(self.kept.rows) if key.startswith(prefix)
        ]

    def trail(self) -> Sequence[Any]:
        return [json.loads(entry) for entry in self.kept.trail]

    def checkpoints(self) -> Sequence[str]:
        return list(self.kept.checkpoints)

    def put_header(self, header: dict[str, Any], summary: RunSummary) -> None:
        self.kept = replace(self.kept, header=_encode(header), summary=summary)

    def put(self, key: str, value: Any) -> None:
        self.kept.rows[key] = _encode(value)

    def delete(self, prefix: str) -> None:
        for key in [key for key in self.kept.rows if key.startswith(prefix)]:
            del self.kept.rows[key]

    def append(self, entry: Any) -> None:
        self.kept = replace(self.kept, trail=(*self.kept.trail, _encode(entry)))

    def save_checkpoint(self, label: str, header: dict[str, Any]) -> None:
        self.kept.checkpoints[label] = (_encode(header), dict(self.kept.rows))

    def load_checkpoint(self, label: str) -> dict[str, Any] | None:
        if label not in self.kept.checkpoints:
            return None
        header, rows = self.kept.checkpoints[label]
        self.kept = replace(self.kept, rows=dict(rows))
        found: dict[str, Any] = json.loads(header)
        return found


def _encode(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
