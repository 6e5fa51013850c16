"""The `path` command of either kind: answers, claims, and names that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import stratumc
from support.documents import document, gate, task
from support.pictures import DEAD_ENDS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    reviewed = document(task("build"), gate("review", after=["build"]), task("last", after=["review"]))
    (tmp_path / "a.stratum.json").write_text(json.dumps(reviewed), "utf-8")
    (tmp_path / "workflow.json").write_text(DEAD_ENDS, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "status", "out"),
    [
        (
            ("a.stratum.json", "build", "last"),
            0,
            "  review -> last on approve\nevery run passes review on the way\n",
        ),
        (("a.stratum.json", "last", "build"), 1, "no path from last to build\n"),
        (
            ("a.stratum.json", "last", "--must-pass", "review"),
            0,
            "proved: every way to `last` passes `review`\n",
        ),
        (
            ("a.stratum.json", "build", "last", "--avoid", "review"),
            1,
            "no path from build to last\n",
        ),
        (
            ("a.stratum.json", "last", "--must-pass", "last", "--must-pass", "review"),
            0,
            "proved: every way to `last` passes `last`\nproved: every way to `last` passes `review`\n",
        ),
        (("workflow.json", "idle", "closed"), 0, "every path passes work on the way\n"),
        (
            ("workflow.json", "closed", "--must-pass", "lost"),
            1,
            "refuted: every way to `closed` passes `lost`\n  idle → work (go)\n  work → closed (done)\n",
        ),
    ],
)
def test_the_command(folder: Path, arguments: tuple[str, ...], status: int, out: str) -> None:
    outcome = stratumc("path", *arguments, cwd=folder)
    assert (outcome.status, outcome.err) == (status, "")
    assert outcome.out.endswith(out), outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.stratum.json", "biuld", "last"), "no step `biuld`: did you mean `build`?"),
        (("a.stratum.json", "last", "--must-pass", "reviw"), "no step `reviw`: did you mean `review`?"),
        (("a.stratum.json", "build", "--flow", "mian"), "no flow `mian`: did you mean `main`?"),
        (("workflow.json", "idel"), "no state `idel`: did you mean `idle`?"),
        (
            ("workflow.json", "idle", "closed", "--avoid", "zzzzzz"),
            "no state `zzzzzz`: there are idle, work, closed, lost",
        ),
        (("workflow.json", "idle", "--flow", "x"), "a workflow has no flows"),
        (("a.stratum.json", "build", "--must-pass"), "requires an argument"),
        (
            ("a.stratum.json", "last", "--must-pass", "review", "--avoid", "build"),
            "`--must-pass` speaks of every way: `--avoid` can't restrict it",
        ),
    ],
)
def test_names_that_are_not_there(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = stratumc("path", *arguments, cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in " ".join(outcome.err.split())


def test_a_broken_file_is_told_with_its_place(folder: Path) -> None:
    (folder / "b.stratum.json").write_text('{"version": 1}', "utf-8")
    for command in (("path", "b.stratum.json", "a"), ("diff", "b.stratum.json", "a.stratum.json")):
        outcome = stratumc(*command, cwd=folder)
        assert (outcome.status, outcome.out) == (2, "")
        assert "b.stratum.json:1:" in outcome.err
        assert "internal error" not in outcome.err
    outcome = stratumc("diagram", "b.stratum.json", cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert "b.stratum.json:1:" in outcome.err
