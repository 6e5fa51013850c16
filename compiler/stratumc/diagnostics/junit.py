"""Diagnostics as a JUnit report: a suite for each file, a case for each diagnostic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stratumc.diagnostics.diagnostic import Diagnostic

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def render_junit(diagnostics: Iterable[Diagnostic], files: Sequence[str]) -> str:
    """The diagnostics that count, by file; errors are failures, and a file without any is a case that passed.

    `files` are the names of all that was checked, in order.
    """
    by_file: dict[str, list[Diagnostic]] = {file: [] for file in files}
    for diagnostic in diagnostics:
        if diagnostic.suppressed is None:
            by_file.setdefault(diagnostic.span.file, []).append(diagnostic)
    suites = [_suite(file, found) for file, found in by_file.items()]
    cases = sum(max(1, len(found)) for found in by_file.values())
    failures = sum(_failures(found) for found in by_file.values())
    head = f'<testsuites name="stratumc" tests="{cases}" failures="{failures}" errors="0">\n'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + head + "".join(suites) + "</testsuites>\n"


def _suite(file: str, found: list[Diagnostic]) -> str:
    name = _attribute(file)
    cases = [_case(name, diagnostic) for diagnostic in found]
    if not found:
        cases = [f'    <testcase classname={name} name="no findings"/>\n']
    head = f'  <testsuite name={name} tests="{len(cases)}" failures="{_failures(found)}" errors="0">\n'
    return head + "".join(cases) + "  </testsuite>\n"


def _case(file: str, diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    place = f"{span.file}:{span.line}:{span.column}"
    mend = f"\n{diagnostic.suggestion}" if diagnostic.suggestion else ""
    details = _escape(f"{place}: {diagnostic.message}{mend}")
    name = _attribute(f"{diagnostic.code} {span.line}:{span.column} {diagnostic.path}".rstrip())
    head = f'    <testcase classname={file} name={name} file={file} line="{span.line}">\n'
    if diagnostic.severity == "error":
        message = _attribute(diagnostic.message)
        body = f'      <failure type="{diagnostic.code}" message={message}>{details}</failure>\n'
    else:
        body = f"      <system-out>{diagnostic.severity}: {details}</system-out>\n"
    return head + body + "    </testcase>\n"


def _failures(found: Iterable[Diagnostic]) -> int:
    return sum(diagnostic.severity == "error" for diagnostic in found)


def _attribute(text: str) -> str:
    return f'"{_escape(text)}"'


def _escape(text: str) -> str:
    """Text for XML 1.0, which has no way to write most control characters."""
    return _ILLEGAL.sub("\ufffd", text).translate(_ESCAPES)
