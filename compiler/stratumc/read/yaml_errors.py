"""What a syntax error of YAML is called: the parsers' problems in the words of someone who edits the file."""

from __future__ import annotations

from yaml.error import MarkedYAMLError

from stratumc.diagnostics.finding import Finding
from stratumc.text import Location


def syntax_fault(error: MarkedYAMLError, text: str, source: int) -> Finding:
    """The finding for a parser's error."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(text)) if mark is not None else 0
    at = Location(source=source, range=(offset, min(offset + 1, len(text))))
    if error.problem == "exceeded maximum nesting depth":
        return Finding("LIMIT_EXCEEDED", at, "lists and mappings are nested more than 500 deep")
    return Finding("YAML_INVALID", at, str(error.problem))
