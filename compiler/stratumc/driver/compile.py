"""Compiles a file for a shell: the table in the form asked for, or what keeps it from being one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stratum_runtime import Table, dumps
from stratumc.diagnostics import Diagnostic
from stratumc.driver.files import read_files
from stratumc.driver.load import load
from stratumc.driver.pipeline import compile
from stratumc.text import Document

FORMATS = ("json", "table", "rows")


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """A file's table as text, or None; and what was found."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]
    documents: dict[str, Document]
    """The texts of the sources by name, for code frames."""


def compile_file(path: str, form: str = "json", kind: str | None = None) -> CompiledFile:
    """Compiles a document, a workflow, or the workflow of a folder.

    Raises OSError for what can't be read.
    """
    require_readable(path, kind)
    compiled = compile(Path(path), kind=kind)
    sources = load(Path(path), name=path, kind=kind).sources
    documents = {source.document.name: source.document for source in sources}
    if compiled.table is None:
        return CompiledFile(None, compiled.diagnostics, documents)
    return CompiledFile(render_table(compiled.table, path, form, kind), compiled.diagnostics, documents)


def require_readable(path: str, kind: str | None = None) -> None:
    """Raises OSError when there is nothing at the path to read; a fragment that can't be is a finding."""
    if read_files(path, kind) is None:
        with open(path, "rb"):
            return


def render_table(table: Table, path: str, form: str, kind: str | None = None) -> str:
    """A table in one of FORMATS; `path` is its source, for line numbers."""
    match form:
        case "table":
            from stratumc.emit.markdown_table import render_markdown

            return render_markdown(table, load(Path(path), name=path, kind=kind).sources)
        case "rows":
            from stratumc.emit.rows import render_rows

            return render_rows(table)
    return dumps(table).decode() + "\n"
