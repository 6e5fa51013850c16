"""Compares tables that are kept beside their sources with what those sources compile to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from stratumc.driver.discovery import discover
from stratumc.driver.files import SPEC_ENDINGS, base_of_fragment
from stratumc.driver.settings import Settings

TABLE_ENDING = ".table.json"


@dataclass(frozen=True, slots=True)
class TableFault:
    """A table that isn't what its source compiles to, and why."""

    table: str
    reason: str


def find_tables(paths: tuple[str, ...]) -> dict[str, str]:
    """The tables that paths speak of, with their sources: `X.table.json` belongs to the `X` beside it.

    A path is a table, a source, a fragment, or a folder that is searched. A source without a table counts for
    nothing; a table without a source has the empty string.
    """
    found: dict[str, str] = {}
    for path in paths:
        if path.endswith(TABLE_ENDING):
            found[os.path.normpath(path)] = _source_of(path)
            continue
        for source in discover((path,), Settings()).inputs:
            table = table_of(source)
            if os.path.exists(table):
                found[table] = source
        if os.path.isdir(path):
            for table in _tables_below(path):
                found.setdefault(table, _source_of(table))
    return found


def table_of(source: str) -> str:
    """Where the table of a source is kept: beside it, under its name without the ending."""
    source = base_of_fragment(source)
    ending = next((ending for ending in SPEC_ENDINGS if source.endswith(ending)), os.path.splitext(source)[1])
    return source.removesuffix(ending) + TABLE_ENDING


def _source_of(table: str) -> str:
    stem = os.path.normpath(table).removesuffix(TABLE_ENDING)
    candidates = [stem + ending for ending in (*SPEC_ENDINGS, ".json", ".yaml", ".yml")]
    has_fragments = os.path.basename(stem) == "workflow" and os.path.isdir(stem + ".d")
    return next(
        (path for path in candidates if os.path.exists(path)), stem + ".json" if has_fragments else ""
    )


def _tables_below(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name == ".forge" or not name.startswith("."))
        yield from (
            os.path.normpath(os.path.join(parent, f)) for f in sorted(files) if f.endswith(TABLE_ENDING)
        )


def fault_of_table(table: str, source: str) -> TableFault | None:
    """Why a table isn't what its source compiles to; None when it is, byte for byte. Raises OSError."""
    from pathlib import Path

    from stratum_runtime import dumps
    from stratumc.driver.pipeline import compile

    if not source:
        return TableFault(table, "its source isn't beside it")
    compiled = compile(Path(source))
    if compiled.table is None:
        first = next(one for one in compiled.diagnostics if one.severity == "error")
        return TableFault(table, f"`{source}` has errors: {first.message} ({first.code})")
    with open(table, "rb") as file:
        kept = file.read()
    if kept.rstrip(b"\r\n") == dumps(compiled.table):
        return None
    return TableFault(
        table, f"it isn't what `{source}` compiles to: run `stratumc compile {source} -o {table}`"
    )
