"""Edits of the workflow file that are refused: why, in which words, and that nothing is written."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.projects import refusal, workflow_file
from support.workflows import SMALL, Json, lay_out

INVALID: list[tuple[str, Json, str]] = [
    ("remove_state", {"state": "b"}, "b"),
    ("remove_state", {"state": "a"}, "a"),
    ("add_state", {"state": "b"}, "b"),
    ("rename_state", {"state": "b", "new_name": "c"}, "c"),
    ("add_transition", {"state": "a", "event": "go", "target": "a"}, "go"),
    ("add_transition", {"state": "a", "event": "x", "target": "mars"}, "mars"),
    ("change_transition", {"state": "a", "event": "no", "target": "a"}, "no"),
    ("change_transition", {"state": "a", "event": "panic", "target": "a"}, "panic"),
    ("change_transition", {"state": "a", "event": "go", "target": "b"}, "nothing"),
    ("remove_transition", {"state": "a", "event": "no"}, "no"),
    ("add_trigger", {"state": "a", "condition": "n => 3", "target": "b"}, "=>"),
    ("add_trigger", {"state": "a", "condition": "n > thresholds.no", "target": "b"}, "no"),
    ("add_trigger", {"state": "a", "condition": "always", "target": "b", "index": 7}, "7"),
    ("change_trigger", {"state": "b", "index": 9, "target": "a"}, "9"),
    ("remove_trigger", {"state": "a", "index": 0}, "0"),
    ("add_global_transition", {"event": "panic", "target": "a"}, "panic"),
    ("add_global_transition", {"event": "x", "target": "a", "except": ["mars"]}, "mars"),
    ("remove_global_transition", {"event": "no"}, "no"),
    ("add_threshold", {"name": "most", "value": 3}, "most"),
    ("remove_threshold", {"name": "most"}, "most"),
    ("remove_threshold", {"name": "no"}, "no"),
    ("add_resumption_target", {"state": "mars", "target": "a"}, "mars"),
    ("remove_resumption_target", {"state": "c"}, "c"),
    ("add_global_action", {"action": "/help"}, "/help"),
    ("remove_global_action", {"action": "/no"}, "/no"),
]


@pytest.mark.parametrize(("operation", "arguments", "word"), INVALID, ids=lambda value: str(value)[:40])
def test_what_would_not_do_is_refused(
    engine: WorkflowEngine, tmp_path: Path, operation: str, arguments: Json, word: str
) -> None:
    before = workflow_file(tmp_path).read_bytes()
    code, message = refusal(engine.modify(operation, **arguments))
    assert code == "change_invalid"
    assert word in message
    assert workflow_file(tmp_path).read_bytes() == before


OWNED: list[tuple[str, Json]] = [
    ("add_state", {"state": "bed"}),
    ("change_state", {"state": "bed", "description": "Mine."}),
    ("remove_state", {"state": "bed"}),
    ("rename_state", {"state": "bed", "new_name": "cot"}),
    ("rename_state", {"state": "b", "new_name": "x"}),
    ("add_transition", {"state": "bed", "event": "x", "target": "a"}),
    ("add_transition", {"state": "a", "event": "nap", "target": "a"}),
    ("change_transition", {"state": "a", "event": "nap", "target": "a"}),
    ("remove_transition", {"state": "bed", "event": "wake"}),
    ("change_trigger", {"state": "b", "index": 1, "target": "a"}),
    ("remove_trigger", {"state": "b", "index": 1}),
    ("add_global_transition", {"event": "alarm", "target": "a"}),
    ("change_global_transition", {"event": "alarm", "target": "a"}),
    ("remove_global_transition", {"event": "alarm"}),
    ("add_threshold", {"name": "naps", "value": 3}),
    ("change_threshold", {"name": "naps", "value": 3}),
    ("remove_threshold", {"name": "naps"}),
    ("change_resumption_target", {"state": "bed", "target": "b"}),
    ("remove_resumption_target", {"state": "bed"}),
    ("remove_global_action", {"action": "/nap"}),
]


@pytest.mark.parametrize(("operation", "arguments"), OWNED, ids=lambda value: str(value)[:40])
def test_what_a_fragment_owns_is_refused_by_its_name(
    engine: WorkflowEngine, operation: str, arguments: Json
) -> None:
    answer = engine.modify(operation, **arguments)
    code, message = refusal(answer)
    assert code == "owned_by_fragment"
    assert "`kit`" in message
    assert answer["error"]["fragment"] == "kit"


@pytest.mark.parametrize(
    ("operation", "arguments", "word"),
    [
        ("fly", {}, "operation"),
        ("add_state", {}, "state"),
        ("add_state", {"state": 5}, "state"),
        ("add_state", {"state": "x", "event": "y"}, "event"),
        ("add_transition", {"state": "a", "event": "x"}, "target"),
        ("add_transition", {"state": "a", "event": "x", "target": 5}, "target"),
        ("change_transition", {"state": "a", "event": "go"}, "target"),
        ("add_threshold", {"name": "x", "value": True}, "value"),
        ("add_threshold", {"name": "x", "value": float("nan")}, "value"),
        ("add_threshold", {"name": "x", "value": "3"}, "value"),
        ("remove_trigger", {"state": "b", "index": -1}, "index"),
        ("remove_trigger", {"state": "b", "index": True}, "index"),
        ("change_global_transition", {"event": "panic", "except": "a"}, "except"),
        ("add_global_action", {"action": None}, "action"),
        ("add_state", {"state": "x", "confirm": "yes"}, "confirm"),
        ("add_state", {"state": "x", "confirm": True}, "token"),
        ("add_state", {"state": "x", "confirm": True, "token": 5}, "token"),
    ],
)
def test_wrong_arguments_are_named(
    engine: WorkflowEngine, operation: str, arguments: Json, word: str
) -> None:
    answer = engine.modify(operation, **arguments)
    assert refusal(answer)[0] == "invalid_argument"
    assert answer["error"]["argument"] == word


def test_unknown_states_are_told(engine: WorkflowEngine) -> None:
    for operation, more in (
        ("remove_state", {}),
        ("rename_state", {"new_name": "x"}),
        ("add_transition", {"event": "x", "target": "a"}),
        ("remove_trigger", {"index": 0}),
    ):
        assert refusal(engine.modify(operation, state="mars", **more))[0] == "unknown_state"


def test_the_state_a_project_is_in_stays(tmp_path: Path) -> None:
    workflow = copy.deepcopy(SMALL)
    workflow["states"]["spare"] = {"transitions": [{"event": "leave", "target": "a"}]}
    lay_out(tmp_path, workflow)
    (tmp_path / "one").mkdir()
    engine = stratumc.create_engine(tmp_path)
    assert "error" not in engine.modify("remove_state", state="spare")
    engine.transition("go", project_path="one")
    state = tmp_path / "one" / ".forge" / "dev-state.json"
    state.write_text('{"workflow_state": "spare"}')
    answer = engine.modify("remove_state", state="spare")
    assert refusal(answer)[0] == "state_in_use"
    assert answer["error"]["project"] == "one"
    state.write_text('{"workflow_state": "a"}')
    (tmp_path / ".forge" / "dev-state.json").write_text('{"workflow_state": "spare"}')
    assert refusal(engine.modify("rename_state", state="spare", new_name="x"))[0] == "state_in_use"


def test_a_base_that_is_a_link_out_of_the_root_is_not_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    path = lay_out(root, SMALL)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    before = (tmp_path / "elsewhere.json").read_bytes()
    engine = stratumc.create_engine(root)
    assert engine.check()["state"] == "a"
    assert refusal(engine.modify("add_state", state="x"))[0] == "outside_root"
    assert (tmp_path / "elsewhere.json").read_bytes() == before
