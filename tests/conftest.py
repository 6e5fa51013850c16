"""Settings of the whole suite: hypothesis profiles and the golden updater."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from support.golden import Golden

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
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite expected outputs, to be reviewed as diffs"
    )
    parser.addoption("--slow", action="store_true", help="also run tests that build environments")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the suite's markers, and lets the processes that tests start be interrupted.

    A shell starts what it puts in the background with interrupts ignored, and children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line(
        "markers", "slow: builds an environment of its own; runs with --slow, as .ci/run does"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves slow tests out unless they are asked for."""
    if not config.getoption("--slow"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Iterator[Golden]:
    """Compares with expected files; fails in the run that rewrites them."""
    files = Golden(update=bool(request.config.getoption("--update-golden")))
    yield files
    files.finish()


@pytest.fixture(autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the cache of checked files out of the user's, so that no run depends on one before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
