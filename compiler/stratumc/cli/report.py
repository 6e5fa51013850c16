"""The output of a check in each of its forms, and the line that sums it up."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stratumc.cli.check_request import CheckRequest
from stratumc.driver.batch import Checked

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic
    from stratumc.text import Document


class Report:
    """What was found in some inputs, to be rendered as the request says."""

    def __init__(self, results: Sequence[Checked], request: CheckRequest) -> None:
        self._results = results
        self._request = request
        self._counting = [one for result in results for one in result.diagnostics]
        self._suppressed = [one for result in results for one in result.suppressed]

    def render(self) -> str:
        """The output in the form asked for."""
        match self._request.form:
            case "json":
                from stratumc.diagnostics.json import render_json

                return render_json(self._all(), {"inputs": [self._input(result) for result in self._results]})
            case "sarif":
                return self._sarif()
            case "github":
                from dataclasses import replace

                from stratumc.diagnostics.github import render_github

                relative = Relative(self._results)
                return render_github(
                    replace(one, span=replace(one.span, file=relative(one.span.file)))
                    for one in self._counting
                )
            case "junit":
                from stratumc.diagnostics.junit import render_junit

                return render_junit(self._all(), [result.input.name for result in self._results])
        return self._text()

    def summary(self) -> str:
        """One line for the error stream: how many inputs, and how many findings of each severity."""
        files = _counted(len(self._results), "file")
        if not self._counting and not self._suppressed:
            return f"checked {files}: no findings\n"
        severities = [one.severity for one in self._counting]
        numbers = [(severities.count(name), name) for name in ("error", "warning", "info")]
        parts = [f"{number} {name}" + ("s" if number > 1 else "") for number, name in numbers if number]
        hidden = f" ({len(self._suppressed)} suppressed)" if self._suppressed else ""
        return f"checked {files}: {', '.join(parts) or 'no findings'}{hidden}\n"

    def _all(self) -> list[Diagnostic]:
        """What counts and what is suppressed, input by input, each in order of place."""
        return [
            one
            for result in self._results
            for one in sorted((*result.diagnostics, *result.suppressed), key=lambda found: found.sort_key)
        ]

    def _text(self) -> str:
        shown = self._counting
        if self._request.quiet:
            shown = [one for one in shown if one.severity == "error"]
        parts = []
        if shown:
            from stratumc.diagnostics.text import render_text

            parts.append(render_text(shown, self._documents(shown), color=self._is_coloured()))
        if self._request.stats:
            from stratumc.cli.bounds_text import render_bounds

            parts.append(render_bounds(self._results))
        if self._request.statistics and self._counting:
            parts.append(_statistics(self._counting))
        return "\n".join(part for part in parts if part)

    def _sarif(self) -> str:
        from stratumc import __version__
        from stratumc.diagnostics.sarif import render_sarif
        from stratumc.emit.pages import read_page

        relative = Relative(self._results)
        return render_sarif(self._all(), version=__version__, relative=relative, help_of=read_page)

    def _input(self, result: Checked) -> dict[str, Any]:
        described: dict[str, Any] = {"name": result.input.name, "kind": result.kind}
        return {**described, "bounds": result.bounds} if self._request.stats else described

    def _documents(self, diagnostics: Sequence[Diagnostic]) -> dict[str, Document]:
        """The texts of the files that diagnostics point into; a file that has gone has none."""
        from stratumc.driver.files import read_file
        from stratumc.read import decode

        texts = {
            result.input.name: result.input.text for result in self._results if result.input.text is not None
        }
        names = dict.fromkeys(
            span.file for one in diagnostics for span in (one.span, *(place.span for place in one.related))
        )
        documents = {}
        for name in names:
            try:
                data = texts[name] if name in texts else read_file(name)
            except OSError:
                continue
            documents[name] = decode(data, name)[0]
        return documents

    def _is_coloured(self) -> bool:
        """Whether people see this on a terminal that shows colours, and have not said no (no-color.org)."""
        if self._request.output is not None or os.environ.get("NO_COLOR"):
            return False
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Relative:
    """Paths as other tools need them: from the root of the repository, whatever the working directory."""

    def __init__(self, results: Sequence[Checked]) -> None:
        names = [result.input.name for result in results if result.input.text is None]
        folders = [os.path.dirname(os.path.abspath(name)) for name in names] or [os.getcwd()]
        self._root = _repository(os.path.commonpath(folders)) or os.getcwd()

    def __call__(self, name: str) -> str:
        """The path from the root, with `/` between its parts; a name that isn't a path stays."""
        if name.startswith("<"):
            return name
        return os.path.relpath(name, self._root).replace(os.sep, "/")


def _repository(folder: str) -> str | None:
    """The nearest folder at or above that holds `.git`."""
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _statistics(diagnostics: Sequence[Diagnostic]) -> str:
    """How often each code was found, the most frequent first."""
    from collections import Counter

    from stratumc.diagnostics.catalog import CATALOG

    counts = Counter((one.code, one.severity) for one in diagnostics)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "".join(
        f"{number:6} {severity:8} {code:40} {CATALOG[code].summary}\n" for (code, severity), number in rows
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
