"""What the flow engine asks of a place where runs are kept; every store passes tests/runtime/store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol


class StoreError(Exception):
    """The store can't be used: not a store, of a later version, damaged, or busy for too long."""


class UnknownRunError(Exception):
    """No run has this id."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list of runs."""

    flow_id: str
    flow: str
    status: str
    ended_steps: int
    total_steps: int
    waiting_gates: tuple[str, ...]
    created: float
    """Seconds since 1970."""
    changed: float


class RunReader(Protocol):
    """A consistent view of one run. Values are JSON; a caller may change what it was given."""

    def header(self) -> dict[str, Any]:
        """The run's own record, small and read on every call."""
        ...

    def get(self, key: str) -> Any:
        """The value of a row, or None."""
        ...

    def scan(self, prefix: str) -> Sequence[tuple[str, Any]]:
        """The rows whose keys begin so, by key (in the order of code points)."""
        ...

    def trail(self) -> Sequence[Any]:
        """Every audit entry, in the order in which they were written."""
        ...

    def checkpoints(self) -> Sequence[str]:
        """The labels, in the order in which they were first used."""
        ...


class RunWriter(RunReader, Protocol):
    """A transaction on one run: durable once it is left, without a trace when an exception leaves it."""

    def put_header(self, header: dict[str, Any], summary: RunSummary) -> None:
        """Replaces the run's record and its line in the list of runs."""
        ...

    def put(self, key: str, value: Any) -> None:
        """Writes a row."""
        ...

    def delete(self, prefix: str) -> None:
        """Removes the rows whose keys begin so."""
        ...

    def append(self, entry: Any) -> None:
        """Adds to the audit trail, which nothing removes."""
        ...

    def save_checkpoint(self, label: str, header: dict[str, Any]) -> None:
        """Keeps a copy of every row and of `header`; a label used before keeps its place."""
        ...

    def load_checkpoint(self, label: str) -> dict[str, Any] | None:
        """Puts every row back as it was then and gives the header kept with it; None without such a label."""
        ...


class RunStore(Protocol):
    """Runs by id and tables by digest. Safe for several threads; a durable one for several processes too."""

    def write(self, flow_id: str, *, create: bool = False) -> AbstractContextManager[RunWriter]:
        """The transaction of one call; no other call on this run comes between.

        Raises UnknownRunError for a run that isn't there, unless `create` makes it, and StoreError.
        """
        ...

    def read(self, flow_id: str) -> AbstractContextManager[RunReader]:
        """A view of one run that waits for nobody. Raises UnknownRunError and StoreError."""
        ...

    def runs(self, *, status: str | None = None, limit: int | None = None) -> Iterator[RunSummary]:
        """The runs there are, the last changed first."""
        ...

    def save_table(self, digest: str, table: bytes) -> None:
        """Keeps a table; one already kept under this digest stays."""
        ...

    def load_table(self, digest: str) -> bytes | None:
        """A kept table, or None; may be asked inside a transaction."""
        ...

    def close(self) -> None:
        """Gives back what the store holds; it is not used afterwards."""
        ...
