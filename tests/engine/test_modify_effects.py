"""Edits of the workflow file: what they do to findings, to the project's state, and to names."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from unittest import mock

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine, durable
from support.projects import modify, refusal, workflow_file
from support.workflows import SMALL, Json, lay_out

STUCK: Json = {
    "initial_state": "a",
    "states": {
        "a": {"transitions": [{"event": "go", "target": "b"}]},
        "b": {
            "triggers": [{"condition": "x_counters.n < 0", "target": "a"}],
            "transitions": [{"event": "back", "target": "a"}],
        },
    },
}
"""A trigger that can never fire."""


def test_a_preview_judges_as_the_checks_do(tmp_path: Path) -> None:
    lay_out(tmp_path, STUCK)
    answer = stratumc.create_engine(tmp_path).modify("remove_transition", state="b", event="back")
    assert answer["graph"]["newly_without_exit"] == ["b"]
    assert [one["code"] for one in answer["warnings"]] == ["STATE_NO_EXIT"]


def test_new_findings_are_warnings_and_old_ones_are_not(tmp_path: Path) -> None:
    lay_out(tmp_path, STUCK)
    engine = stratumc.create_engine(tmp_path)
    assert engine.modify("change_state", state="a", description="A.")["warnings"] == []
    answer = engine.modify("add_state", state="far")
    assert [one["code"] for one in answer["warnings"]] == ["STATE_NO_EXIT", "STATE_UNREACHABLE"]
    assert answer["graph"]["newly_unreachable"] == answer["graph"]["newly_without_exit"] == ["far"]
    assert all(one["span"]["file"] == ".forge/workflow.json" for one in answer["warnings"])


def test_the_initial_state_of_a_project_without_state_can_be_renamed(tmp_path: Path) -> None:
    lay_out(tmp_path, STUCK)
    engine = stratumc.create_engine(tmp_path)
    modify(engine, "rename_state", state="a", new_name="start")
    assert engine.check()["state"] == "start"
    (tmp_path / ".forge" / "dev-state.json").write_text('{"kept": 1}')
    modify(engine, "rename_state", state="start", new_name="a")
    assert engine.check()["state"] == "a"
    engine.transition("go")
    assert refusal(engine.modify("rename_state", state="b", new_name="z"))[0] == "state_in_use"


def test_a_recorded_previous_state_that_goes_is_a_warning(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    engine.transition("panic")
    preview = engine.modify("rename_state", state="a", new_name="z")
    (warning,) = preview["warnings"]
    assert warning["code"] == "RESUMPTION_MISSING"
    assert "was in state `a` before" in warning["message"]
    assert modify(engine, "rename_state", state="a", new_name="z")["warnings"] == [warning]
    assert engine.modify("rename_state", state="b", new_name="y")["warnings"] == []


def test_a_state_file_that_can_not_be_read_keeps_only_states_from_going(tmp_path: Path) -> None:
    lay_out(tmp_path, {**STUCK, "states": {**STUCK["states"], "spare": {}}})
    (tmp_path / ".forge" / "dev-state.json").write_text("{")
    engine = stratumc.create_engine(tmp_path)
    modify(engine, "add_threshold", name="t", value=1)
    assert refusal(engine.modify("remove_state", state="spare"))[0] == "state_file_invalid"


def test_projects_below_the_root_are_named(tmp_path: Path) -> None:
    resuming = json.loads(json.dumps(STUCK))
    resuming["states"]["b"]["transitions"].append({"event": "resume", "target": None})
    lay_out(tmp_path, {**resuming, "resumption_targets": {"a": "b"}})
    engine = stratumc.create_engine(tmp_path)
    engine.transition("go", project_path="below")
    error = engine.modify("rename_state", state="b", new_name="z")["error"]
    assert (error["code"], error["project"]) == ("state_in_use", "below")
    assert error["message"].startswith("project `below` is in state `b`")
    (lost,) = engine.modify("rename_state", state="a", new_name="z")["warnings"]
    assert lost["message"].startswith("project `below` was in state `a` before")
    assert lost["witness"] == {"project": "below", "previous": "a"}


@pytest.mark.parametrize(
    ("operation", "arguments", "name"),
    [
        ("add_state", {"state": ""}, "state"),
        ("rename_state", {"state": "a", "new_name": ""}, "new_name"),
        ("add_threshold", {"name": "", "value": 1}, "name"),
    ],
)
def test_a_name_must_not_be_empty(engine: WorkflowEngine, operation: str, arguments: Json, name: str) -> None:
    assert refusal(engine.modify(operation, **arguments)) == (
        "invalid_argument",
        f"`{name}` must not be empty",
    )


def test_no_description_takes_it_away(engine: WorkflowEngine, tmp_path: Path) -> None:
    modify(engine, "change_state", state="a", description=None)
    assert "description" not in json.loads(workflow_file(tmp_path).read_text())["states"]["a"]
    modify(engine, "add_state", state="new", description=None)
    assert json.loads(workflow_file(tmp_path).read_text())["states"]["new"] == {}


def test_a_global_action_of_a_fragment_is_the_fragments(engine: WorkflowEngine) -> None:
    for operation in ("add_global_action", "remove_global_action"):
        code, message = refusal(engine.modify(operation, action="/nap"))
        assert code == "owned_by_fragment"
        assert "`kit`" in message
    assert refusal(engine.modify("add_global_action", action="/help"))[0] == "change_invalid"


def test_a_last_flush_that_fails_is_told_as_applied(engine: WorkflowEngine, tmp_path: Path) -> None:
    token = engine.modify("add_state", state="new")["token"]
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with mock.patch.object(durable, "flush_folder", side_effect=full):
        answer = engine.modify("add_state", state="new", confirm=True, token=token)
    assert answer["error"]["code"] == "io_error"
    assert answer["error"]["applied"] is True
    assert str(workflow_file(tmp_path)) in answer["error"]["message"]
    assert "new" in json.loads(workflow_file(tmp_path).read_text())["states"]
