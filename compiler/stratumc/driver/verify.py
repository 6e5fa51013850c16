"""Verifies a table: by itself, and against the source it is said to come from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from stratumc.driver.checks import is_broken
from stratumc.driver.load import load
from stratumc.driver.pipeline import check_loaded, lower_loaded
from stratumc.driver.settings import Settings
from stratumc.lower.verify import Property, Verification, judge, verify_table
from stratumc.lower.verify_source import document_faults, recompiled_faults, workflow_faults
from stratumc.text.plain import plain_data

if TYPE_CHECKING:
    from stratum_runtime import Table
    from stratumc.driver.load import Loaded

_UNUSABLE = "the source has errors, or is of the other kind"

__all__ = ["Property", "Verification", "verify"]


def verify(
    table: Table | bytes | str | dict[str, Any],
    source: str | bytes | os.PathLike[str] | None = None,
    *,
    name: str = "<text>",
    kind: str | None = None,
) -> Verification:
    """Everything that must hold of a table (table.md, "Verified"), and with a source that it comes from it.

    The proof list has to be the one that all checks of the source give, so the source is checked again. A
    table that can't be loaded, and a source that breaks a rule, are refuted properties, not exceptions.
    """
    verification, loaded = verify_table(table)
    if source is None or loaded is None:
        return verification
    against = _against(loaded, load(source, name=name, kind=kind))
    return Verification((*verification.properties, *against))


def _against(table: Table, source: Loaded) -> tuple[Property, ...]:
    if is_broken(source) or source.kind != table.kind:
        return (Property("the table comes from the source", "source", "refuted", _UNUSABLE),)
    if source.workflow is not None:
        own = judge("states are those of the source", "source", workflow_faults, table, source.workflow)
    else:
        root = source.sources[0].root
        assert root is not None
        own = judge("steps are those of the source", "source", document_faults, table, plain_data(root))
    compiled = lower_loaded(source, check_loaded(source, Settings()).properties)
    return own, judge("the source compiles to this table", "source", recompiled_faults, table, compiled)
