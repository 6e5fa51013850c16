"""Short ways to findings and diagnostics for tests of diagnostics."""

from __future__ import annotations

from collections.abc import Sequence

from stratumc.diagnostics import Diagnostic, Finding, RelatedPlace, Source, concretize
from stratumc.read import read_document
from stratumc.text import Document, Location, Path

TEXT = """\
version: 1
contracts:
  Result: {name: string}
flows:
  entry: main
  main:
    steps:
      - id: one
        when: "input.x == 'é'"
      - id: two
        empty:
"""


def source_of(text: str = TEXT, name: str = "x.stratum.yaml") -> Source:
    """A source with its tree."""
    document = Document(name, text)
    return Source(document, read_document(document).root)


def diagnose(*findings: Finding, text: str = TEXT, name: str = "x.stratum.yaml") -> tuple[Diagnostic, ...]:
    """The diagnostics of findings about one text."""
    return concretize(findings, [source_of(text, name)])


def at(*path: str | int) -> Location:
    """The value at a path."""
    return Location(path)


def finding(code: str, path: Path, message: str = "something is wrong", **more: object) -> Finding:
    """A finding at the value of a path."""
    return Finding(code, Location(path), message, **more)  # type: ignore[arg-type]


def related(path: Path, message: str) -> tuple[RelatedPlace, ...]:
    """One second place."""
    return (RelatedPlace(Location(path).key, message),)


def spans(diagnostics: Sequence[Diagnostic]) -> list[tuple[int, int, int, int]]:
    """Only the numbers of the places."""
    places = [diagnostic.span for diagnostic in diagnostics]
    return [(span.line, span.column, span.end_line, span.end_column) for span in places]
