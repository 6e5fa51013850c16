"""The tables that runs of a store were planned with, read once each."""

from __future__ import annotations

from collections import OrderedDict

from stratum_runtime.errors import TableError
from stratum_runtime.flow.expressions import Expressions
from stratum_runtime.flow.places import Places
from stratum_runtime.store import RunStore, StoreError
from stratum_runtime.table import Table
from stratum_runtime.table_text import dumps, loads

_KEPT = 64
"""How many tables are kept ready."""


class Prepared:
    """A table with what is made of it once: its expressions and its places."""

    __slots__ = ("expressions", "places", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.expressions = Expressions(table)
        self.places = Places(table)


class Tables:
    """Tables by digest."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._known: OrderedDict[str, Prepared] = OrderedDict()

    def keep(self, table: Table) -> Prepared:
        """Stores a table for the runs that are planned with it."""
        if table.digest not in self._known:
            self._store.save_table(table.digest, dumps(table))
            self._remember(Prepared(table))
        return self._known[table.digest]

    def of(self, digest: str) -> Prepared:
        """The table a run was planned with. Raises StoreError when it isn't there."""
        found = self._known.get(digest)
        if found is None:
            stored = self._store.load_table(digest)
            if stored is None:
                raise StoreError(f"the run's table {digest} is not in the store")
            try:
                found = self._remember(Prepared(loads(stored)))
            except TableError as error:
                raise StoreError(f"the run's table {digest} can't be used: {error}") from error
        return found

    def _remember(self, prepared: Prepared) -> Prepared:
        self._known[prepared.table.digest] = prepared
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return prepared
