"""What the tools refuse because of settings and state files, and how they say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.projects import ask_every_tool, code, put_state
from support.workflows import SMALL, Json, lay_out


@pytest.mark.parametrize(
    "config",
    [
        {"state_file": ".forge/workflow.json"},
        {"state_file": ".forge/workflow.json.lock"},
        {"state_file": ".forge/workflow.d/kit.json"},
        {"log_file": ".forge/workflow.json"},
        {"log_file": ".forge/workflow.d/kit.json"},
        {"log_file": ".forge/dev-state.json"},
        {"log_file": ".forge/dev-state.json.lock"},
        {"state_file": "one.json", "log_file": "./one.json"},
    ],
)
def test_one_file_cannot_be_two(tmp_path: Path, config: Json) -> None:
    lay_out(tmp_path, {**SMALL, "config": config}, kit={"name": "kit", "global_actions": ["/x"]})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    engine = stratumc.create_engine(tmp_path)
    for answer in ask_every_tool(engine):
        assert code(answer) == "invalid_argument"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("value", [5, b"bytes", "a\0b", "a\ud800b", ["x"]])
@pytest.mark.parametrize("name", ["root", "workflow", "state_file", "log_file", "state_field"])
def test_a_setting_that_is_none_is_every_calls_refusal(tmp_path: Path, name: str, value: Any) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(**{"root": tmp_path, name: value})
    for answer in ask_every_tool(engine):
        assert code(answer) == "invalid_argument"
        assert f"`{name}`" in answer["error"]["message"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"a": 1,}', '{"x": NaN}', '{"workflow_state": 5}', "null", '{"a": 1} x', '{"a": 01}',
     '{"workflow_state": "a", "workflow\\u005fstate": "b"}', '{"previous_workflow_state": []}'],
)  # fmt: skip
def test_every_tool_says_the_same_of_a_bad_state_file(tmp_path: Path, text: str) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    put_state(tmp_path, text)
    answers = [engine.check(), engine.transition("go"), engine.explain(to="c")]
    assert {code(answer) for answer in answers} == {"state_file_invalid"}
    assert len({answer["error"]["message"] for answer in answers}) == 1
    assert "`.forge/dev-state.json`" in answers[0]["error"]["message"]


def test_a_bad_state_file_of_a_project_is_named(engine: WorkflowEngine, tmp_path: Path) -> None:
    folder = tmp_path / "one" / ".forge"
    folder.mkdir(parents=True)
    (folder / "dev-state.json").write_text('{"workflow_state": "mars"}')
    for answer in (engine.check(project_path="one"), engine.transition("go", project_path="one")):
        assert code(answer) == "unknown_state"
        assert "`one/.forge/dev-state.json` of project `one`" in answer["error"]["message"]
        assert "remove the field to begin in `a`" in answer["error"]["message"]
    (folder / "dev-state.json").write_text('{"x": 1, "x": 2}')
    answer = engine.transition("go", project_path="one", state_updates={"x": 3})
    assert "`one/.forge/dev-state.json`" in answer["error"]["message"]
    assert "`x` is there twice" in answer["error"]["message"]


def test_what_was_just_refused_is_no_valid_event(engine: WorkflowEngine, tmp_path: Path) -> None:
    put_state(tmp_path, '{"workflow_state": "c"}')
    refused = engine.transition("resume")["error"]
    assert refused["code"] == "not_resumable"
    assert "no previous state of this workflow is recorded" in refused["message"]
    assert refused["valid_events"] == []
    put_state(tmp_path, '{"workflow_state": "c", "previous_workflow_state": "c"}')
    assert (
        "the previous state `c` has no resumption target" in engine.transition("resume")["error"]["message"]
    )


def test_a_text_that_is_compared_by_order_is_decided(engine: WorkflowEngine, tmp_path: Path) -> None:
    put_state(tmp_path, '{"workflow_state": "b"}')
    assert engine.check(context={"session_counters": {"rounds": "many"}})["unresolved"] == []
    assert len(engine.check(context={"session_counters": 3})["unresolved"]) == 1


def test_diagnostics_are_the_callers_own(tmp_path: Path) -> None:
    lay_out(tmp_path, "{")
    engine = stratumc.create_engine(tmp_path)
    first = engine.check()
    found = list(first["error"]["diagnostics"])
    first["error"]["diagnostics"].clear()
    assert engine.check()["error"]["diagnostics"] == found
