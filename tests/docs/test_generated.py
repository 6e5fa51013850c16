"""The generated pages of the documentation are current."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratumc.cli.reference import render_reference
from stratumc.emit.pages import render_index, write_generated
from support.golden import Golden
from support.repository import ROOT


def test_the_index_of_codes_is_current(golden: Golden) -> None:
    golden.check(ROOT / "docs" / "checks.md", render_index())


def test_the_reference_of_commands_is_current(golden: Golden) -> None:
    golden.check(ROOT / "docs" / "cli.md", render_reference())


def test_a_stale_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.md"
    assert write_generated(["--check", str(target)], "text") == 1
    assert write_generated([str(target)], "text") == 0
    assert write_generated(["--check", str(target)], "text") == 0
    assert write_generated(["--check", str(target)], "other") == 1
    assert "stale" in capsys.readouterr().err
