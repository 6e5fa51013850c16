"""The progress bar: nothing before the patience is over, then a count that vanishes at the end."""

from __future__ import annotations

import pytest

from stratumc.cli import progress
from stratumc.cli.progress import Progress


@pytest.fixture(autouse=True)
def endless_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer goes off by itself: the tests say when the patience is over."""
    monkeypatch.setattr(progress, "PATIENCE", 3600.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")


def test_quick_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(3) as shown:
        for done in (1, 2, 3):
            shown.advance(done)
    assert capsys.readouterr().err == ""


def test_slow_work_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(3) as shown:
        shown.advance(1)
        shown._begin()
        shown.advance(2)
    assert "2/3" in capsys.readouterr().err


def test_patience_that_ends_too_late_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(3) as shown:
        pass
    shown._begin()
    assert capsys.readouterr().err == ""
