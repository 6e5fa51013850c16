"""Diagnostics as SARIF 2.1.0, the same bytes from whatever folder the check was started."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.diagnostic import Diagnostic
from stratumc.text import Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render_sarif(
    diagnostics: Iterable[Diagnostic],
    *,
    version: str,
    relative: Callable[[str], str] = lambda name: name,
    help_of: Callable[[str], str | None] | None = None,
) -> str:
    """All diagnostics as one run; suppressed ones stay, as suppressed.

    `relative` gives a file's path from the root of the repository, with `/` between its parts; `help_of` the
    page of a code in Markdown.
    """
    found = tuple(diagnostics)
    present = frozenset(diagnostic.code for diagnostic in found)
    codes = {code: number for number, code in enumerate(code for code in CATALOG if code in present)}
    prints: dict[tuple[str, str, str], int] = {}
    results = [_result(diagnostic, codes, relative, prints) for diagnostic in found]
    driver = {
        "name": "stratumc",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(code, help_of(code) if help_of else None) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": results,
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str, page: str | None) -> dict[str, Any]:
    rule = CATALOG[code]
    summary = rule.summary[0].upper() + rule.summary[1:] + "."
    described: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity.value]},
        "properties": {"tags": [rule.family.value]},
    }
    described["help"] = {"text": summary} if page is None else {"text": page, "markdown": page}
    return described


def _result(
    diagnostic: Diagnostic,
    codes: dict[str, int],
    relative: Callable[[str], str],
    prints: dict[tuple[str, str, str], int],
) -> dict[str, Any]:
    mend = f" ({diagnostic.suggestion})" if diagnostic.suggestion else ""
    location: dict[str, Any] = {"physicalLocation": _place(diagnostic.span, relative)}
    if diagnostic.path:
        location["logicalLocations"] = [{"fullyQualifiedName": diagnostic.path}]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes[diagnostic.code],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.message + mend},
        "locations": [location],
        "partialFingerprints": {"stratumc/v1": _fingerprint(diagnostic, relative, prints)},
        "suppressions": _suppressions(diagnostic.suppressed),
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": place.message},
                "physicalLocation": _place(place.span, relative),
            }
            for number, place in enumerate(diagnostic.related, 1)
        ]
    if diagnostic.witness is not None:
        result["properties"] = {"witness": diagnostic.witness}
    return result


def _place(span: Span, relative: Callable[[str], str]) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"artifactLocation": {"uri": _uri(span.file, relative), "uriBaseId": _ROOT}, "region": region}


def _uri(name: str, relative: Callable[[str], str]) -> str:
    """A relative URI; a colon in its first part would make that a scheme, so all are encoded."""
    return quote(relative(name), safe="/-._~!$&'()*+,;=@", errors="surrogateescape")


def _suppressions(reason: str | None) -> list[dict[str, str]]:
    if reason is None:
        return []
    kind, _, justification = reason.partition(": ")
    suppression = {"kind": "inSource" if kind == "comment" else "external"}
    return [suppression | ({"justification": justification} if justification else {})]


def _fingerprint(
    diagnostic: Diagnostic, relative: Callable[[str], str], prints: dict[tuple[str, str, str], int]
) -> str:
    """The same for a finding as long as its code, file and path stay, whatever its wording and line."""
    key = (diagnostic.code, relative(diagnostic.span.file), diagnostic.path)
    prints[key] = prints.get(key, 0) + 1
    text = "\n".join((*key, str(prints[key])))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
