"""A table as one row a line, for diffs: places as paths, so that moved lines make no difference."""

from __future__ import annotations

from stratum_runtime import Table
from stratumc.emit.row_words import RowWords, row_words


def render_rows(table: Table) -> str:
    """`machine.region: state --event [guards]--> target {effects} @ path`, one row a line."""
    return "".join(f"{_line(words)}\n" for words in row_words(table))


def _line(words: RowWords) -> str:
    guards = f" [{'; '.join(words.guards)}]" if words.guards else ""
    effects = f" {{{'; '.join(words.effects)}}}" if words.effects else ""
    giver = f" ({words.given_by})" if words.given_by is not None else ""
    text = (
        f"{words.machine}.{words.region}: {words.state} --{words.event}{guards}--> {words.target}{effects}"
        f" @ {words.path or '.'}{giver}"
    )
    return text.replace("\r", "\\r").replace("\n", "\\n")
