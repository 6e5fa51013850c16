"""Every witness of a missing output happens in a real run of the flow engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.diagnostics import Finding
from support.page import Page
from support.replay import replay
from support.repository import GOLDEN_CHECKS
from support.small_flows import Writer, findings

CODES = ("REF_MAY_BE_MISSING", "OUTPUT_MAY_BE_MISSING")
CASES = sorted(path for code in CODES for path in (GOLDEN_CHECKS / code).glob("fires-*.stratum.yaml"))


def shows(finding: Finding, state: dict[str, Any], others: set[str]) -> bool:
    """Whether a finished run shows what the finding says.

    A run may end before that, at another step that reads the same output and has its own finding.
    """
    if finding.code == "OUTPUT_MAY_BE_MISSING":
        ended = all(step["status"] in ("succeeded", "failed", "skipped") for step in state["steps"].values())
        return ended and state["status"] == "failed"
    reader = finding.message.split("`")[1]
    return any(_failed_by_itself(state, step, finding) for step in (reader, *sorted(others)))


def _failed_by_itself(state: dict[str, Any], step: str, finding: Finding) -> bool:
    status = state["steps"][step]
    if "failure" in status:
        return bool(status["status"] == "failed" and status["failure"]["kind"] == "render")
    return (
        state["status"] == "failed"
        and status["status"] == "pending"
        and step not in finding.witness["skipped"]
    )


def check(text: str, flow: str) -> int:
    found = [finding for finding in findings(text) if finding.code in CODES]
    readers = {finding.message.split("`")[1] for finding in found if finding.code == CODES[0]}
    for finding in found:
        state = replay(text, flow, finding.witness)
        assert shows(finding, state, readers), (finding.message, finding.witness, state)
    return len(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_golden_cases(case: Path) -> None:
    assert check(case.read_text(encoding="utf-8"), "main") == 1


@pytest.mark.parametrize("code", CODES)
def test_pages(code: str) -> None:
    assert check(Page(code).example[0].body, "main") == 1


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_random_flows(seed: int) -> None:
    check(Writer(seed).text(), "main")
