"""The settings of a check on the review page and in pictures: the same findings as `check` has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stratumc.driver.page import review_of
from stratumc.driver.page_settings import settings_for
from stratumc.emit.review_parts import Review
from support.command import stratumc
from support.pictures import DEAD_ENDS, FINDINGS

FAILING = """\
[assertions.published-after-review]
file = "a.stratum.yaml"
to = "publish"
must-pass = "tests"

[assertions.gone]
file = "b.stratum.yaml"
to = "publish"
must-pass = "review"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    (tmp_path / "old").mkdir()
    return tmp_path


def reviewed(*arguments: str, against: str | None = None) -> Review:
    return review_of(arguments, against, settings_for(arguments))


def found(review: Review) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in review.diagnostics]


def checked(*arguments: str) -> list[tuple[str, str]]:
    """What `check` says of the same inputs."""
    told = json.loads(stratumc("check", "--format", "json", *arguments).out)["diagnostics"]
    return [(one["code"], one["severity"]) for one in told if one["suppressed"] is None]


@pytest.mark.parametrize(
    "settings",
    [
        "",
        'ignore = ["STEP_NEVER_RUNS"]\n',
        'select = ["REF_MAY_BE_MISSING"]\n',
        'family = ["rule", "type"]\n',
        '[severity]\nSTEP_NEVER_RUNS = "error"\n',
        '[per-file-ignores]\n"a.*" = ["REF_MAY_BE_MISSING"]\n',
        FAILING,
    ],
)
def test_a_page_has_the_findings_of_check(folder: Path, settings: str) -> None:
    (folder / "stratumc.toml").write_text(settings, "utf-8")
    assert found(reviewed("a.stratum.yaml")) == checked("a.stratum.yaml")
    assert found(reviewed(".")) == checked(".")


def test_settings_decide_which_files_of_a_folder_are_shown(folder: Path) -> None:
    (folder / "old" / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    (folder / "stratumc.toml").write_text('exclude = ["old"]\n', "utf-8")
    assert [one.name for one in reviewed(".").inputs] == ["a.stratum.yaml"]


def test_a_failed_assertion_is_shown_at_its_goal_and_with_its_settings(folder: Path) -> None:
    (folder / "stratumc.toml").write_text(FAILING, "utf-8")
    review = reviewed("a.stratum.yaml")
    failed, gone = (one for one in review.diagnostics if one.code == "ASSERTION_FAILED")
    (number,) = (number for number, one in enumerate(review.diagnostics) if one == failed)
    picture = review.pictures[0]
    assert number in picture.findings[picture.names.index("publish")]
    assert gone.span.file == "stratumc.toml"
    assert review.settings == ("stratumc.toml", FAILING)
    assert review_of(("a.stratum.yaml",), None).settings is None


def test_a_comparison_speaks_of_neither_assertions_nor_what_is_ignored_in_the_file(folder: Path) -> None:
    (folder / "old" / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    ignored = '\n[per-file-ignores]\n"a.stratum.yaml" = ["REF_MAY_BE_MISSING", "INPUT_UNUSED"]\n'
    (folder / "stratumc.toml").write_text(FAILING + ignored, "utf-8")
    (one,) = reviewed("a.stratum.yaml", against="old").inputs
    assert one.comparison is not None
    assert one.comparison.diff is not None
    assert one.comparison.diff["changes"] == []
    assert one.comparison.diff["findings"] == {"new": [], "gone": []}


def test_pictures_colour_what_check_finds(folder: Path) -> None:
    assert "class n7 unreachable" in stratumc("diagram", "a.stratum.yaml").out
    (folder / "stratumc.toml").write_text('ignore = ["STEP_NEVER_RUNS"]\n', "utf-8")
    plain = stratumc("diagram", "a.stratum.yaml").out
    assert "STEP_NEVER_RUNS" not in stratumc("check", "a.stratum.yaml").out
    (folder / "stratumc.toml").write_text('[severity]\nREF_MAY_BE_MISSING = "error"\n', "utf-8")
    assert stratumc("diagram", "a.stratum.yaml").out != plain


def test_settings_that_can_not_be_used_are_told(folder: Path) -> None:
    (folder / "stratumc.toml").write_text("ignore = 3\n", "utf-8")
    for command in (("review", "a.stratum.yaml", "-o", "page.html"), ("diagram", "a.stratum.yaml")):
        outcome = stratumc(*command)
        assert outcome.status == 2
        assert "stratumc.toml" in outcome.err


def test_a_folder_without_another_version_is_named(folder: Path) -> None:
    (folder / "board").mkdir()
    (folder / "board" / "b.stratum.yaml").write_text(FINDINGS, "utf-8")
    (folder / "workflow.json").write_text(DEAD_ENDS, "utf-8")
    for arguments in (("board/b.stratum.yaml",), ("board/b.stratum.yaml", "workflow.json")):
        with pytest.raises(FileNotFoundError, match="the folder holds no other version") as raised:
            review_of(arguments, "board")
        assert raised.value.filename == "board"
