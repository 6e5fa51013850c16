"""Diagnostics as workflow commands of GitHub Actions, which shows ten annotations for each step."""

from __future__ import annotations

from collections.abc import Iterable

from stratumc.diagnostics.diagnostic import Diagnostic

SHOWN = 10
"""Annotations that GitHub shows for one step."""

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_ORDER = {"error": 0, "warning": 1, "info": 2}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """The first ten diagnostics that count as annotations, errors first; the others as lines of the log."""
    found = [diagnostic for diagnostic in diagnostics if diagnostic.suppressed is None]
    found.sort(key=lambda diagnostic: _ORDER[diagnostic.severity])
    lines = [_command(diagnostic) for diagnostic in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(f"{len(found) - SHOWN} more in the log:")
        lines += [_line(diagnostic) for diagnostic in found[SHOWN:]]
    return "".join(line + "\n" for line in lines)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {"file": span.file, "line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:
        properties |= {"col": span.column, "endColumn": max(span.column, span.end_column - 1)}
    properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_escape_property(str(value))}" for name, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_escape(_sentence(diagnostic))}"


def _line(diagnostic: Diagnostic) -> str:
    """One diagnostic in the log, where no text can begin a command of its own."""
    span = diagnostic.span
    place = f"{span.file}:{span.line}:{span.column}"
    return _escape(f"{place}: {diagnostic.severity}[{diagnostic.code}]: {_sentence(diagnostic)}")


def _sentence(diagnostic: Diagnostic) -> str:
    mend = f" ({diagnostic.suggestion})" if diagnostic.suggestion else ""
    return diagnostic.message + mend


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
