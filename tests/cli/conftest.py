"""The folder that the tests of `stratumc check` work in."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.checked_files import BROKEN, GOOD, WARNED


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a repository with a clean, a broken and a warned-about spec."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "good.stratum.yaml").write_text(GOOD)
    (tmp_path / "broken.stratum.yaml").write_text(BROKEN)
    (tmp_path / "warned.stratum.yaml").write_text(WARNED)
    monkeypatch.chdir(tmp_path)
    return tmp_path
