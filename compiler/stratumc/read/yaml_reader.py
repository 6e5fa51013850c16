"""YAML 1.2 text to a tree with a span for every node."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stratumc.diagnostics.finding import Finding
from stratumc.read.result import ReadResult
from stratumc.read.yaml_parser import hide_foreign_breaks, is_doubted, open_parser
from stratumc.text import Document, Location

if TYPE_CHECKING:
    from yaml.error import MarkedYAMLError

_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""All but the printable characters of YAML 1.2 (section 5.1); named so, it compiles ten times faster."""


def read_yaml(document: Document, source: int = 0, *, pure: bool | None = None) -> ReadResult:
    """The tree of the one document that a YAML text holds (v1.md section 1).

    Never raises for any text. Findings: YAML_INVALID, DUPLICATE_KEY, LIMIT_EXCEEDED, ENCODING_INVALID, and
    SCHEMA_INVALID for a text without a document and for numbers that are not finite. `pure` chooses PyYAML's
    own parser (True) or libyaml (False); None takes libyaml where it is installed.
    """
    forbidden = _FORBIDDEN.search(document.text)
    if forbidden is not None:
        return ReadResult(None, (_forbidden_character(forbidden, source),))
    result = _parse(document.text, source, pure=pure)
    if isinstance(result, _Failure) and pure is None and is_doubted(result.error, document.text):
        result = _parse(document.text, source, pure=True)
    if isinstance(result, _Failure):
        from stratumc.read.yaml_errors import syntax_fault

        return ReadResult(None, (syntax_fault(result.error, document.text, source, result.flow),))
    return result


@dataclass(frozen=True, slots=True)
class _Failure:
    """A parser's error, and where the innermost open bracket stood."""

    error: MarkedYAMLError
    flow: int | None


def _parse(text: str, source: int, *, pure: bool | None) -> ReadResult | _Failure:
    """One attempt with one parser."""
    from yaml.error import MarkedYAMLError

    from stratumc.read.comments import find_comments
    from stratumc.read.yaml_builder import NOTE, TreeBuilder

    hidden, back = hide_foreign_breaks(text)
    builder = TreeBuilder(text, source, back)
    try:
        builder.run(open_parser(hidden, pure=pure))
    except MarkedYAMLError as error:
        return _Failure(error, builder.open_bracket)
    if builder.stopped:
        return ReadResult(None, tuple(builder.findings))
    comments = find_comments(text, builder.hash_spans, NOTE) if NOTE.search(text) else ()
    return ReadResult(builder.root, tuple(builder.findings), comments)


def _forbidden_character(match: re.Match[str], source: int) -> Finding:
    code = ord(match.group())
    what = "a NUL character" if code == 0 else f"the character U+{code:04X}"
    at = Location(source=source, range=match.span())
    return Finding("ENCODING_INVALID", at, f"{what} may not occur in YAML", suggestion="remove it")
