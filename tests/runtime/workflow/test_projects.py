"""Projects below one root: their own states, one log, and none outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.projects import code, log_of
from support.workflows import SMALL, lay_out


def test_projects_have_their_own_state_and_one_log(engine: WorkflowEngine, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    engine.transition("go", project_path="one")
    engine.transition("stay", project_path="./two/../new/three/")
    engine.transition("panic")
    assert engine.check(project_path="one")["state"] == "b"
    assert engine.check(project_path="new/three")["previous_state"] == "a"
    assert engine.check()["state"] == "c"
    assert [entry["project"] for entry in log_of(tmp_path)] == ["one", "new/three", "."]
    assert [entry["seq"] for entry in log_of(tmp_path)] == [1, 2, 3]
    assert [entry["event"] for entry in engine.history(project_path="one")["entries"]] == ["go"]
    assert len(engine.history()["entries"]) == 3
    assert not (tmp_path / "one" / ".forge" / "flow-log.jsonl").exists()


def test_a_project_that_a_link_inside_leads_to_is_the_same_project(
    engine: WorkflowEngine, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to("one")
    engine.transition("go", project_path="link")
    assert engine.check(project_path="one")["state"] == "b"
    assert log_of(tmp_path)[0]["project"] == "one"


@pytest.mark.parametrize(
    "path", ["..", "../outside", "/tmp", "evil", "evil/x", "", "a\0b", "one/../../outside"]
)
def test_a_project_outside_the_root_is_refused_by_every_tool(tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").mkdir()
    root = tmp_path / "root"
    lay_out(root, SMALL)
    (root / "one").mkdir()
    (root / "evil").symlink_to("../outside")
    engine = stratumc.create_engine(root)
    for answer in (
        engine.check(project_path=path),
        engine.check(workflow_state="a", project_path=path),
        engine.transition("go", project_path=path),
        engine.history(project_path=path),
    ):
        assert code(answer) == "outside_root"
    assert os.listdir(tmp_path / "outside") == []


def test_a_state_file_of_a_project_stays_in_it(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "link.json").symlink_to(tmp_path / "elsewhere.json")
    for state_file in ("../shared.json", str(tmp_path / "shared.json"), "link.json"):
        engine = stratumc.create_engine(tmp_path, state_file=state_file)
        assert code(engine.transition("go", project_path="one")) == "outside_root"
    (tmp_path / "file").write_text("")
    assert code(stratumc.create_engine(tmp_path).check(project_path="file")) == "invalid_argument"
