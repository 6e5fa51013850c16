"""The stores of runs (runs.md section 8)."""

from stratum_runtime.store.interface import (
    RunReader,
    RunStore,
    RunSummary,
    RunWriter,
    StoreError,
    UnknownRunError,
)
from stratum_runtime.store.memory import MemoryStore
from stratum_runtime.store.sqlite import SqliteStore

__all__ = [
    "MemoryStore",
    "RunReader",
    "RunStore",
    "RunSummary",
    "RunWriter",
    "SqliteStore",
    "StoreError",
    "UnknownRunError",
]
