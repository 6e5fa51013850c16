"""A table as Markdown transition tables for people (table.md, "Seen")."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from stratum_runtime import Table
from stratumc.diagnostics import Source
from stratumc.emit.row_words import RowWords, row_words
from stratumc.text import Location, Path, format_path
from stratumc.text.tree import Mapping, Node
from stratumc.text.tree import Sequence as Items

_COLUMNS = ("State", "Event", "Guard", "Target", "Effects", "Source")


def render_markdown(table: Table, sources: Sequence[Source] = ()) -> str:
    """A heading and a table per region; the last column is `file:line`, or the path without the sources."""
    lines = [_lines_by_path(source) for source in sources]
    parts = [f"# {_text(table.name)}\n"]
    proofs = [f"- {_text(name)}: {verdict} ({method})" for name, method, verdict in table.proofs]
    if proofs:
        parts.append("\n".join(proofs) + "\n")
    for machine, of_machine in groupby(row_words(table), key=lambda words: words.machine):
        for region, rows in groupby(of_machine, key=lambda words: words.region):
            parts.append(f"## {_text(machine)}.{_text(region)}\n\n{_rows(table, list(rows), lines)}")
    return "\n".join(parts)


def _rows(table: Table, rows: list[RowWords], lines: list[dict[str, int]]) -> str:
    told = [f"| {' | '.join(_COLUMNS)} |", f"|{'|'.join(['---'] * len(_COLUMNS))}|"]
    for words in rows:
        cells = (
            _text(words.state),
            _text(words.event),
            "<br>".join(map(_code, words.guards)),
            _text(words.target),
            "<br>".join(map(_code, words.effects)),
            _text(_place(table, words, lines)),
        )
        told.append(f"| {' | '.join(cells)} |")
    return "\n".join(told) + "\n"


def _place(table: Table, words: RowWords, lines: list[dict[str, int]]) -> str:
    """Where a row comes from: the line of its path, or of the nearest part above that is there."""
    sources = table.data["source"]
    file = sources[words.source]["path"] if sources else ""
    line = lines[words.source].get(words.path) if words.source < len(lines) else None
    giver = "" if words.given_by in (None, "state") else f" ({words.given_by})"
    return f"{file}:{line}{giver}" if line is not None else f"{words.path}{giver}"


def _lines_by_path(source: Source) -> dict[str, int]:
    """The line of every node of a source, by its path as diagnostics write it."""
    lines: dict[str, int] = {}
    waiting: list[tuple[Path, Node, int]] = []
    if source.root is not None:
        waiting.append((Location().path, source.root, source.root.start))
    while waiting:
        path, node, start = waiting.pop()
        lines[format_path(path)] = source.document.position(start)[0]
        if isinstance(node, Mapping):
            waiting += [((*path, entry.name), entry.value, entry.key.start) for entry in node]
        elif isinstance(node, Items):
            waiting += [((*path, number), item, item.start) for number, item in enumerate(node.items)]
    return lines


def _code(text: str) -> str:
    """A guard or effect as code in a cell."""
    longest = max((len(run) for run in _backticks(text)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if longest else ""
    told = _one_line(text).replace("|", "\\|")
    return f"{fence}{padding}{told}{padding}{fence}"


def _backticks(text: str) -> list[str]:
    return ["".join(run) for is_tick, run in groupby(text, key=lambda letter: letter == "`") if is_tick]


def _text(text: str) -> str:
    """A name in a cell, with what Markdown would read as mark-up escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_<>[]|" else letter for letter in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
