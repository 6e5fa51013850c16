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
from support.workflows import SMALL, Json, lay_out, write

FORGE = ".forge"


@pytest.fixture
def engine(tmp_path: Path) -> WorkflowEngine:
    """The small workflow in a fresh project."""
    lay_out(tmp_path, SMALL)
    return stratumc.create_engine(tmp_path)


def state_of(root: Path, name: str = "dev-state.json") -> Json:
    value: Json = json.loads((root / FORGE / name).read_bytes())
    return value


def put_state(root: Path, text: str) -> Path:
    path = root / FORGE / "dev-state.json"
    path.write_text(text)
    return path


def log_of(root: Path) -> list[Json]:
    path = root / FORGE / "flow-log.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def code(answer: Json) -> str | None:
    error = answer.get("error")
    assert error is None or error["message"]
    json.dumps(answer)
    return None if error is None else str(error["code"])


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
    assert os.listdir(tmp_path / FORGE) == ["workflow.json"], "looking leaves nothing behind"


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
    assert sorted(os.listdir(tmp_path / FORGE)) == ["dev-state.json.lock", "workflow.json"]


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


# --- settings ------------------------------------------------------------------------------------


def test_settings_have_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {
        "state_file": "config.json",
        "log_file": "config.jsonl",
        "state_field": "s",
        "previous_state_field": "p",
    }
    lay_out(tmp_path, SMALL | {"config": config})
    stratumc.create_engine(tmp_path).transition("go")
    assert json.loads((tmp_path / "config.json").read_text()) == {"s": "b", "p": "a"}
    assert (tmp_path / "config.jsonl").exists()
    monkeypatch.setenv("FLOW_STATE_FILE", "env.json")
    monkeypatch.setenv("FLOW_LOG_FILE", "env.jsonl")
    monkeypatch.setenv("FLOW_STATE_FIELD", "e")
    monkeypatch.setenv("FLOW_ROOT", str(tmp_path))
    monkeypatch.setenv("FLOW_PROJECT_PATH", "/nowhere")
    stratumc.create_engine().transition("go")
    assert json.loads((tmp_path / "env.json").read_text()) == {"e": "b", "p": "a"}
    assert (tmp_path / "env.jsonl").exists()
    stratumc.create_engine(
        tmp_path, state_file="flag.json", state_field="f", log_file="flag.jsonl"
    ).transition("go")
    assert json.loads((tmp_path / "flag.json").read_text()) == {"f": "b", "p": "a"}
    assert (tmp_path / "flag.jsonl").exists()
    monkeypatch.delenv("FLOW_ROOT")
    monkeypatch.setenv("FLOW_PROJECT_PATH", str(tmp_path))
    monkeypatch.setenv("FLOW_STATE_FILE", "")
    assert stratumc.create_engine().settings.root.real == str(tmp_path)
    assert stratumc.create_engine().settings.state_file is None


def test_one_field_cannot_hold_both_states(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path, state_field="previous_workflow_state")
    assert code(engine.check()) == "invalid_argument"


def test_a_config_may_not_lead_out_of_the_root_but_a_flag_may(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (tmp_path / "outside").mkdir()
    for name in ("state_file", "log_file"):
        lay_out(root, SMALL | {"config": {name: "../outside/x"}})
        assert code(stratumc.create_engine(root).transition("go")) == "outside_root"
        flag: dict[str, Any] = {name: "../outside/y"}
        assert code(stratumc.create_engine(root, **flag).transition("stay")) is None
    assert sorted(os.listdir(tmp_path / "outside")) == ["y", "y.lock"]


def test_a_state_file_that_is_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    lay_out(root, SMALL)
    (root / FORGE / "dev-state.json").symlink_to(tmp_path / "outside.json")
    assert code(stratumc.create_engine(root).transition("go")) == "outside_root"
    assert not (tmp_path / "outside.json").exists()


# --- projects ------------------------------------------------------------------------------------


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
    assert not (tmp_path / "one" / FORGE / "flow-log.jsonl").exists()


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


# --- broken and changing workflows ---------------------------------------------------------------


def calls(engine: WorkflowEngine) -> list[Json]:
    return [
        engine.check(),
        engine.transition("go"),
        engine.explain(to="b"),
        engine.history(),
        engine.modify("add_state", state="x"),
    ]


def test_a_broken_workflow_answers_every_call_with_its_diagnostics(tmp_path: Path) -> None:
    path = lay_out(tmp_path, "{")
    engine = stratumc.create_engine(tmp_path)
    answers = calls(engine)
    assert [code(answer) for answer in answers] == ["workflow_invalid"] * 5
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["error"]["diagnostics"][0]["span"]["file"] == ".forge/workflow.json"
    write(path, SMALL)
    assert [code(answer) for answer in calls(engine)] == [None] * 5
    path.unlink()
    assert [code(answer) for answer in calls(engine)] == ["workflow_invalid"] * 5


def test_changes_are_seen_however_quickly_they_come(tmp_path: Path) -> None:
    """Same size, and perhaps the same time: only the content tells."""
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    text = path.read_text()
    for number in range(50):
        path.write_text(text.replace("/do-b", f"/do-{number % 10}"))
        assert engine.check()["options"][0]["action"] == f"/do-{number % 10}"


def test_fragments_come_and_go(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    assert len(engine.check()["options"]) == 3
    extra = {"name": "kit", "states": {"a": {"transitions": [{"event": "more", "target": "b"}]}}}
    lay_out(tmp_path, None, kit=extra)
    assert engine.check()["options"][2] == {
        "event": "more",
        "target": "b",
        "action": None,
        "judgment": False,
        "source": "kit",
    }
    (path.parent / "workflow.d" / "kit.json").unlink()
    assert len(engine.check()["options"]) == 3


def test_the_digest_tells_workflows_apart(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    engine.transition("stay")
    path.write_text(json.dumps(SMALL))
    engine.transition("stay")
    write(path, SMALL | {"thresholds": {"most": 4}})
    engine.transition("stay")
    first, same, other = [entry["digest"] for entry in log_of(tmp_path)]
    assert first == same != other
