"""Settings of the whole suite: hypothesis profiles and the golden updater."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("suite"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the switch that rewrites golden files (and then fails, so that nobody runs with it by habit)."""
    parser.addoption("--update-golden", action="store_true", help="rewrite expected outputs, to be reviewed as diffs")
