"""The reference interpreter does what the recorded runs did."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.reference_player import case_difference

RECORDED = Path(os.environ.get("STRATUM_CONFORMANCE", Path(__file__).parents[4] / "shared" / "conformance"))


def cases() -> list[dict[str, object]]:
    path = RECORDED / "runs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [case for case in map(json.loads, lines) if case["id"] != "plan-spec-unknown-field"]


@pytest.mark.skipif(not (RECORDED / "runs.jsonl").exists(), reason="the recorded runs are not here")
def test_every_recorded_run() -> None:
    faults = {str(case["id"]): case_difference(case) for case in cases()}
    assert {name: fault for name, fault in faults.items() if fault} == {}
    assert len(faults) > 400
