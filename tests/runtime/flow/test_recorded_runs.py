"""Recorded runs with every intermediate state: reference interpreter and engine do what was recorded.

STRATUM_RECORDED_RUNS names a file with more of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.engine_player import EngineSubject
from support.recorded_runs import Subject, case_difference
from support.reference_player import ReferenceSubject

GOLDEN = Path(__file__).parents[3] / "golden" / "runs" / "recorded.jsonl"
PATH = Path(os.environ.get("STRATUM_RECORDED_RUNS", GOLDEN))
CASES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("make", [ReferenceSubject, EngineSubject])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_recorded_run(case: dict[str, Any], make: Callable[[], Subject]) -> None:
    assert case_difference(case, make) is None


def test_there_are_recorded_runs() -> None:
    assert len(CASES) > 100
