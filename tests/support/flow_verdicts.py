"""What the flow proofs say of a flow whose contracts are given: the frame that several test files share."""

from __future__ import annotations

from stratumc import check

HEAD = """\
version: 1
contracts:
  Out: {n: integer, ok: boolean, tags: 'string[]', k: a|b|c, text: string}
  Item: {v: integer}
flows:
  entry: main
"""
"""All of a document but the entry flow `main`, whose text follows."""

STEPS = "flows.main.steps"

Case = tuple[str, list[tuple[str, str]]]
"""The text of `main`, and code and path of each verdict."""

JUDGED = (
    "STEP_NEVER_RUNS",
    "WHEN_ALWAYS_TRUE",
    "REF_MAY_BE_MISSING",
    "OUTPUT_MAY_BE_MISSING",
    "FLOW_CANNOT_COMPLETE",
)
"""The codes that a case lists all findings of."""


def verdicts(text: str) -> list[tuple[str, str]]:
    """Code and path of the findings about a flow that are judged, sorted."""
    found = check(HEAD + text, kind="spec").diagnostics
    return sorted((one.code, one.path) for one in found if one.code in JUDGED)
