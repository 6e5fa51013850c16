"""The tables that runs of a store were planned with, read once each."""

from __future__ import annotations

from collections import OrderedDict

from stratum_runtime.flow.expressions import Expressions
from stratum_runtime.store import RunStore, StoreError
from stratum_runtime.table import Table, dumps, loads

_KEPT = 64
"""How many tables are kept ready."""


class Tables:
    """Tables by digest, with their expressions."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._known: OrderedDict[str, Expressions] = OrderedDict()

    def keep(self, table: Table) -> Expressions:
        """Stores a table for the runs that are planned with it."""
        if table.digest not in self._known:
            self._store.save_table(table.digest, dumps(table))
            self._remember(Expressions(table))
        return self._known[table.digest]

    def of(self, digest: str) -> Expressions:
        """The table a run was planned with. Raises StoreError when it isn't there."""
        found = self._known.get(digest)
        if found is None:
            stored = self._store.load_table(digest)
            if stored is None:
                raise StoreError(f"the run's table {digest} is not in the store")
            found = self._remember(Expressions(loads(stored)))
        return found

    def _remember(self, expressions: Expressions) -> Expressions:
        self._known[expressions.table.digest] = expressions
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return expressions
