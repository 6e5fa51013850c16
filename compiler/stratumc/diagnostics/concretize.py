"""Findings to diagnostics: the one place where symbolic locations become lines and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.diagnostic import Diagnostic, Related
from stratumc.diagnostics.finding import Finding
from stratumc.text import Document, Location, Part, Span, format_path
from stratumc.text.tree import Entry, Mapping, Node, Scalar, descend


@dataclass(frozen=True, slots=True)
class Source:
    """One input of a check: its text, and its tree where it has one."""

    document: Document
    root: Node | None


def concretize(findings: Iterable[Finding], sources: Sequence[Source]) -> tuple[Diagnostic, ...]:
    """The diagnostics of findings, in the order of their places, each once."""
    diagnostics: dict[tuple[object, ...], Diagnostic] = {}
    for finding in findings:
        diagnostic = _diagnostic(finding, sources)
        diagnostics.setdefault(diagnostic.sort_key, diagnostic)
    return tuple(sorted(diagnostics.values(), key=lambda diagnostic: diagnostic.sort_key))


def _diagnostic(finding: Finding, sources: Sequence[Source]) -> Diagnostic:
    rule = CATALOG[finding.code]
    span, anchor = locate(finding.at, sources)
    related = [Related(_one_line(place.message), locate(place.at, sources)[0]) for place in finding.related]
    if anchor is not None:
        related.append(Related("anchored here", anchor))
    return Diagnostic(
        code=finding.code,
        severity=(finding.severity or rule.severity).value,
        family=rule.family.value,
        message=_one_line(finding.message),
        path=format_path(finding.at.path),
        span=span,
        related=tuple(related),
        witness=finding.witness,
        suggestion=None if finding.suggestion is None else _one_line(finding.suggestion),
        starts_on=_first_line(finding.at, sources),
    )


def _first_line(at: Location, sources: Sequence[Source]) -> int:
    """The line on which the text begins that a location points into; 0 for one that means a whole node."""
    if at.inner is None:
        return 0
    return locate(Location(at.path, at.part, source=at.source), sources)[0].line


def _one_line(text: str) -> str:
    """A message with the control characters of names in it escaped, so that it stays one line."""
    if text.isprintable():
        return text
    return "".join(_escape(character) if not character.isprintable() else character for character in text)


def _escape(character: str) -> str:
    if character.isspace() and character not in "\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029":
        return character
    return character.encode("unicode_escape").decode("ascii")


def locate(location: Location, sources: Sequence[Source]) -> tuple[Span, Span | None]:
    """The span of a location and, when an alias leads there, the span of what the alias stands for."""
    source = sources[location.source]
    if location.range is not None:
        return source.document.span(*location.range), None
    if source.root is None:
        return source.document.span(0, 0), None
    nodes, entry = descend(source.root, location.path)
    missing = len(nodes) <= len(location.path)
    place = _place(source.document.text, nodes, entry, location, missing=missing)
    own = source.document.span(*place)
    if entry is not None and (missing or location.part is Part.KEY):
        nodes = nodes[:-1]
    use = next((node.use for node in nodes if node.use is not None), None)
    if use is None:
        return own, None
    return source.document.span(*use), own


def _place(
    text: str, nodes: list[Node], entry: Entry | None, location: Location, *, missing: bool
) -> tuple[int, int]:
    """The offsets that a location means in the text of its own nodes, aliases aside."""
    node = nodes[-1]
    if entry is not None and (missing or location.part is Part.KEY or _is_empty(node)):
        return entry.key.start, entry.key.end
    if missing and isinstance(node, Mapping):
        # The mapping has no key of its own: its bracket, or where it begins, so that no key of it is blamed.
        return node.start, node.start + (text[node.start : node.start + 1] in _BRACKETS)
    if location.inner is not None and isinstance(node, Scalar):
        from stratumc.text.scalar_positions import inner_range

        return inner_range(text, node, *location.inner)
    return node.start, node.end


_BRACKETS = ("{", "[")


def _is_empty(node: Node) -> bool:
    """Whether a node has no text of its own here, as the null behind a bare `key:`."""
    return node.start == node.end and node.use is None
