"""The pages of the codes: reading one, and the index of all of them in the documentation."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from stratumc.diagnostics import Family
from stratumc.diagnostics.catalog import CATALOG, Rule

_FAMILIES = {
    Family.RULE: ("Rules", "What the language and the load rules of workflows demand."),
    Family.TYPE: ("Types", "Expressions, templates and values against contracts."),
    Family.PROOF: ("Proofs", "What graph analysis and z3 can prove of every run."),
}
_PAGES = "../compiler/stratumc/checks/pages"
"""Where the pages lie, seen from `docs/`."""


def read_page(code: str) -> str:
    """The Markdown page of a code of the catalog."""
    return files("stratumc.checks").joinpath("pages", f"{code}.md").read_text("utf-8")


def render_index() -> str:
    """The index of all codes as Markdown, by family, in the order of the catalog."""
    parts = [
        "# Codes\n\n",
        "Every code that `stratumc check` can report. `stratumc rule CODE` prints its page.\n",
        "This file is generated: `python -m stratumc.emit.pages docs/checks.md`.\n",
    ]
    for family, (title, sentence) in _FAMILIES.items():
        parts.append(f"\n## {title}\n\n{sentence}\n\n| code | severity | finding |\n|---|---|---|\n")
        parts += [_row(rule) for rule in CATALOG.values() if rule.family is family]
    return "".join(parts)


def _row(rule: Rule) -> str:
    summary = rule.summary.replace("|", "\\|")
    return f"| [`{rule.code}`]({_PAGES}/{rule.code}.md) | {rule.severity.value} | {summary} |\n"


def write_generated(arguments: list[str], text: str) -> int:
    """Writes a generated text to the file named last; with `--check` only tells whether it is stale.

    Returns the exit status: 1 for a stale file.
    """
    target = Path(arguments[-1])
    if "--check" not in arguments:
        target.write_text(text, "utf-8")
        return 0
    if target.is_file() and target.read_text("utf-8") == text:
        return 0
    sys.stderr.write(f"{target} is stale: generate it again\n")
    return 1


if __name__ == "__main__":
    sys.exit(write_generated(sys.argv[1:], render_index()))
