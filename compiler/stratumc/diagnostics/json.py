"""Diagnostics for programs: one versioned JSON document, and its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from stratumc.diagnostics.diagnostic import Diagnostic

VERSION = 1
"""Raised when a field changes its meaning or goes; new fields may come without."""


def render_json(diagnostics: Iterable[Diagnostic], more: Mapping[str, Any] | None = None) -> str:
    """All diagnostics, suppressed ones too, with their numbers; `more` adds fields of the caller's."""
    found = tuple(diagnostics)
    document = {
        "version": VERSION,
        "summary": count(found),
        "diagnostics": [diagnostic.to_dict() for diagnostic in found],
        **(more or {}),
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def count(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How many diagnostics there are of each severity, and how many are suppressed."""
    summary = {"error": 0, "warning": 0, "info": 0, "suppressed": 0}
    for diagnostic in diagnostics:
        summary[diagnostic.severity if diagnostic.suppressed is None else "suppressed"] += 1
    return summary


def diagnostics_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `render_json`'s document."""
    text, number = {"type": "string"}, {"type": "integer", "minimum": 1}
    counted = {"type": "integer", "minimum": 0}
    span = {"file": text, "line": number, "column": number, "end_line": number, "end_column": number}
    summary = dict.fromkeys(("error", "warning", "info", "suppressed"), counted)
    diagnostic = {
        "code": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"},
        "severity": {"enum": ["error", "warning", "info"]},
        "family": {"enum": ["rule", "type", "proof"]},
        "message": text,
        "path": text,
        "span": _object(span),
        "related": {"type": "array", "items": _object({"message": text, **span})},
        "witness": {},
        "suggestion": {"type": ["string", "null"]},
        "suppressed": {"type": ["string", "null"]},
    }
    fields = {
        "version": {"const": VERSION},
        "summary": _object(summary),
        "diagnostics": {"type": "array", "items": _object(diagnostic)},
    }
    schema = _object(fields)
    schema["additionalProperties"] = True
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Diagnostics of stratumc",
        **schema,
    }


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    """An object that has just these fields."""
    required = list(fields)
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
