"""The five tools as an agent meets them: what they answer, what they refuse, what they leave alone."""

from __future__ import annotations

import copy
import datetime
import json
import os
from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.projects import code, log_of, put_state, state_of
from support.workflows import SMALL, lay_out


def test_check_offers_events(engine: WorkflowEngine, tmp_path: Path) -> None:
    answer = engine.check()
    assert answer == {
        "state": "a",
        "previous_state": None,
        "description": "A.",
        "options": [
            {"event": "go", "target": "b", "action": "/do-b", "judgment": False, "source": "state"},
            {"event": "stay", "target": "a", "action": None, "judgment": False, "source": "state"},
            {"event": "panic", "target": "c", "action": None, "judgment": False, "source": "global"},
        ],
        "unresolved": [],
        "global_actions": ["/help"],
    }
    assert os.listdir(tmp_path / ".forge") == ["workflow.json"], "looking leaves nothing behind"


def test_check_says_which_trigger_fires_with_its_values(engine: WorkflowEngine) -> None:
    answer = engine.check(workflow_state="b", context={"session_counters": {"rounds": 3.5}})
    assert answer["auto_action"] == {
        "condition": "session_counters.rounds >= thresholds.most",
        "target": "c",
        "action": "/stop",
        "values": {"session_counters.rounds": 3.5, "thresholds.most": 3},
    }
    assert "options" not in answer
    answer = engine.check(workflow_state="b", context={"session_counters": {}})
    assert [option["event"] for option in answer["options"]] == ["back", "on", "off", "panic"]
    answer = engine.check(workflow_state="b")
    assert answer["unresolved"][0]["condition"] == "session_counters.rounds >= thresholds.most"


def test_a_transition_writes_state_and_log(engine: WorkflowEngine, tmp_path: Path) -> None:
    answer = engine.transition("go", reason="ready", state_updates={"ticket": "T-1"})
    assert (answer["from"], answer["event"], answer["to"], answer["action"]) == ("a", "go", "b", "/do-b")
    assert [option["event"] for option in answer["options"]] == ["back", "on", "off", "panic"]
    assert state_of(tmp_path) == {"workflow_state": "b", "previous_workflow_state": "a", "ticket": "T-1"}
    (entry,) = log_of(tmp_path)
    assert datetime.datetime.fromisoformat(entry.pop("time")).utcoffset() == datetime.timedelta(0)
    assert len(entry.pop("digest")) == 64
    assert entry == {
        "seq": 1,
        "project": ".",
        "from": "a",
        "event": "go",
        "to": "b",
        "action": "/do-b",
        "judgment": False,
        "condition": None,
        "reason": "ready",
    }


def test_auto_takes_the_trigger_that_fires(engine: WorkflowEngine, tmp_path: Path) -> None:
    engine.transition("go")
    refused = engine.transition("auto", context={"session_counters": {"rounds": 1}})
    assert code(refused) == "no_trigger"
    assert refused["error"]["valid_events"] == ["back", "on", "off", "panic"]
    answer = engine.transition("auto", context={"session_counters": {"rounds": 3}})
    assert (answer["to"], answer["action"]) == ("c", "/stop")
    entry = log_of(tmp_path)[-1]
    assert (entry["event"], entry["condition"]) == ("auto", "session_counters.rounds >= thresholds.most")


def test_a_trigger_that_would_fire_does_not_forbid_events(engine: WorkflowEngine) -> None:
    engine.transition("go")
    assert code(engine.transition("back", context={"session_counters": {"rounds": 9}})) is None


def test_an_event_called_auto_comes_before_triggers(tmp_path: Path) -> None:
    workflow = copy.deepcopy(SMALL)
    workflow["states"]["b"]["transitions"].append({"event": "auto", "target": None})
    lay_out(tmp_path, workflow)
    engine = stratumc.create_engine(tmp_path)
    engine.transition("go")
    context = {"session_counters": {"rounds": 9}}
    assert engine.transition("auto", context=context)["to"] == "a"
    put_state(tmp_path, '{"workflow_state": "b", "previous_workflow_state": "c"}')
    assert code(engine.transition("auto", context=context)) == "not_resumable"


def test_null_targets_resume_by_the_previous_state(engine: WorkflowEngine, tmp_path: Path) -> None:
    engine.transition("go")
    engine.transition("panic")
    assert engine.check()["options"][0]["target"] == "b"
    assert engine.transition("resume")["to"] == "b"
    put_state(tmp_path, '{"workflow_state": "c", "previous_workflow_state": "gone"}')
    assert engine.check()["options"][0]["target"] is None
    refused = engine.transition("resume")
    assert code(refused) == "not_resumable"
    assert engine.check(workflow_state="c")["options"][0]["target"] is None


def test_what_the_graph_does_not_allow_is_refused_with_what_it_does(
    engine: WorkflowEngine, tmp_path: Path
) -> None:
    for event in ("on", "Go", "go ", "", "b", "auto"):
        refused = engine.transition(event, state_updates={"x": 1})
        assert code(refused) == ("no_trigger" if event == "auto" else "event_not_allowed")
        assert refused["error"]["valid_events"] == ["go", "stay", "panic"]
    assert sorted(os.listdir(tmp_path / ".forge")) == ["dev-state.json.lock", "workflow.json"]


def test_a_stale_view_is_refused_with_the_state_as_it_is(engine: WorkflowEngine, tmp_path: Path) -> None:
    engine.transition("go", expected_state="a")
    for _ in range(2):
        refused = engine.transition("go", expected_state="a", state_updates={"x": 1})
        assert code(refused) == "state_conflict"
        assert refused["error"]["state"] == "b"
    assert "x" not in state_of(tmp_path)
    assert len(log_of(tmp_path)) == 1


def test_the_engines_fields_are_its_own(engine: WorkflowEngine, tmp_path: Path) -> None:
    for field in ("workflow_state", "previous_workflow_state"):
        refused = engine.transition("go", state_updates={"x": 1, field: "c"})
        assert code(refused) == "owned_field"
        assert field in refused["error"]["message"]
    assert log_of(tmp_path) == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"workflow_state": 5}', '{"a": NaN}'])
def test_a_corrupt_state_file_is_refused_and_left_alone(
    engine: WorkflowEngine, tmp_path: Path, text: str
) -> None:
    path = put_state(tmp_path, text)
    assert code(engine.check()) == "state_file_invalid"
    assert code(engine.transition("go")) == "state_file_invalid"
    assert code(engine.explain(to="c")) == "state_file_invalid"
    assert code(engine.check(workflow_state="b")) is None
    assert path.read_text() == text
    assert log_of(tmp_path) == []


@pytest.mark.parametrize("state", ["A", "", "gone"])
def test_a_state_that_the_workflow_lacks_is_refused(
    engine: WorkflowEngine, tmp_path: Path, state: str
) -> None:
    path = put_state(tmp_path, json.dumps({"workflow_state": state}))
    before = path.read_bytes()
    for answer in (engine.check(), engine.transition("panic"), engine.explain()):
        assert code(answer) == "unknown_state"
        assert answer["error"]["states"] == ["a", "b", "c"]
    assert path.read_bytes() == before


WRONG = [5, 1.5, True, ["a"], {"a": 1}, b"a"]


@pytest.mark.parametrize("value", WRONG)
def test_a_wrong_type_is_a_refusal_that_names_the_argument(engine: WorkflowEngine, value: Any) -> None:
    calls: list[tuple[str, Any, dict[str, Any]]] = [
        ("workflow_state", engine.check, {}),
        ("project_path", engine.check, {}),
        ("event", engine.transition, {}),
        ("reason", engine.transition, {"event": "go"}),
        ("expected_state", engine.transition, {"event": "go"}),
        ("from", engine.explain, {}),
        ("to", engine.explain, {}),
        ("event", engine.history, {}),
        ("from_state", engine.history, {}),
        ("to_state", engine.history, {}),
        ("since", engine.history, {}),
        ("until", engine.history, {}),
        ("operation", engine.modify, {}),
    ]
    if not isinstance(value, dict):
        calls += [("context", engine.check, {}), ("state_updates", engine.transition, {"event": "go"})]
    if value != ["a"]:
        calls.append(("avoid", engine.explain, {}))
    if value is not True:
        calls.append(("summary", engine.history, {}))
    if value != 5:
        calls.append(("limit", engine.history, {}))
    for name, call, more in calls:
        answer = call(**more, **{name: value})
        assert code(answer) == "invalid_argument", name
        assert answer["error"]["argument"] == name


@pytest.mark.parametrize(
    "value", [{1: 2}, {"x": {1, 2}}, {"x": float("nan")}, {"x": float("inf")}, {"x": {"y": {2: 3}}}]
)
def test_updates_that_are_no_json_are_refused(engine: WorkflowEngine, tmp_path: Path, value: Any) -> None:
    assert code(engine.transition("go", state_updates=value)) == "invalid_argument"
    assert code(engine.check(context=value)) == "invalid_argument"
    circle: dict[str, Any] = {}
    circle["x"] = circle
    assert code(engine.transition("go", state_updates=circle)) == "invalid_argument"
    assert log_of(tmp_path) == []


def test_surrogates_and_line_ends_in_arguments_do_no_harm(engine: WorkflowEngine, tmp_path: Path) -> None:
    assert code(engine.transition("stay", reason="\ud800\n", state_updates={"\udfff": "\ud800"})) is None
    assert code(engine.transition("\ud800")) == "event_not_allowed"
    assert engine.history()["entries"][0]["reason"] == "\ud800\n"
    assert state_of(tmp_path)["\udfff"] == "\ud800"


def test_an_unknown_argument_is_the_callers_mistake(engine: WorkflowEngine) -> None:
    assert code(engine.explain(**{"from": "a", "to": "b"})) is None  # type: ignore[arg-type]
    assert code(engine.explain(form="a")) == "invalid_argument"
    with pytest.raises(TypeError):
        engine.check(state="a")  # type: ignore[call-arg]
