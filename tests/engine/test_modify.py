"""Edits of the workflow file: previews that change nothing, tokens, refusals, and what is written."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from stratumc.engine.modify import unified_diff
from support.projects import modify, refusal, workflow_file
from support.workflows import KIT, SMALL, Json, lay_out, write


def test_a_preview_changes_nothing_and_shows_all(engine: WorkflowEngine, tmp_path: Path) -> None:
    before = workflow_file(tmp_path).read_bytes()
    answer = engine.modify("add_state", state="lunch", description="Away.")
    assert workflow_file(tmp_path).read_bytes() == before
    assert '+    "lunch": {\n+      "description": "Away."\n' in answer["diff"]
    assert answer["diff"].startswith("--- a/.forge/workflow.json\n+++ b/.forge/workflow.json\n")
    assert answer["graph"] == {
        "states_added": ["lunch"],
        "states_removed": [],
        "transitions_added": [
            {"state": "lunch", "event": event, "judgment": False, "target": target, "action": None}
            for event, target in (("panic", "c"), ("alarm", "bed"))
        ],
        "transitions_removed": [],
        "newly_unreachable": ["lunch"],
        "newly_without_exit": [],
    }


@pytest.mark.parametrize(
    ("layout", "changes"),
    [
        (lambda value: json.dumps(value, indent=2), False),
        (lambda value: "\ufeff" + json.dumps(value, indent=2) + "\n\n", False),
        (json.dumps, True),
        (lambda value: json.dumps(value, indent=4) + "\n", True),
    ],
)
def test_the_difference_is_that_of_what_changes_not_of_the_layout(
    layout: Callable[[Json], str], changes: bool, tmp_path: Path
) -> None:
    lay_out(tmp_path, SMALL)
    workflow_file(tmp_path).write_text(layout(SMALL), encoding="utf-8")
    engine = stratumc.create_engine(tmp_path)
    preview = engine.modify("add_state", state="lunch")
    changed = [line for line in preview["diff"].split("\n")[2:] if line[0] in "+-"]
    assert [line.strip("+- ,") for line in changed if line.strip("+- ,}")] == ['"lunch": {}']
    assert preview["changes_layout"] is changes
    written = engine.modify("add_state", state="lunch", confirm=True, token=preview["token"])
    assert written["changes_layout"] is changes
    text = workflow_file(tmp_path).read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=2) + "\n"


def test_a_folder_among_the_fragments_is_no_fragment(engine: WorkflowEngine, tmp_path: Path) -> None:
    (tmp_path / ".forge" / "workflow.d" / "more.json").mkdir()
    answer = engine.modify("rename_state", state="c", new_name="d")
    assert answer["graph"]["states_added"] == ["d"]


def test_a_removal_tells_what_becomes_unreachable_and_stuck(tmp_path: Path) -> None:
    workflow = {
        "initial_state": "a",
        "states": {
            "a": {"transitions": [{"event": "go", "target": "b"}]},
            "b": {"transitions": [{"event": "on", "target": "c"}, {"event": "b", "target": "b"}]},
            "c": {"transitions": [{"event": "back", "target": "a"}]},
        },
    }
    lay_out(tmp_path, workflow)
    graph = stratumc.create_engine(tmp_path).modify("remove_transition", state="b", event="on")["graph"]
    assert graph["newly_unreachable"] == ["c"]
    assert graph["newly_without_exit"] == ["b"]


def edit(change: Callable[[Json], Any]) -> Json:
    value = copy.deepcopy(SMALL)
    change(value)
    return value


def transitions(value: Json, state: str) -> list[Json]:
    found: list[Json] = value["states"][state]["transitions"]
    return found


EDITS: list[tuple[str, Json, Json]] = [
    ("add_state", {"state": "d"}, edit(lambda v: v["states"].update(d={}))),
    (
        "change_state",
        {"state": "b", "description": "B!"},
        edit(lambda v: v["states"]["b"].update(description="B!")),
    ),
    (
        "add_transition",
        {"state": "a", "event": "x", "target": None, "judgment": True},
        edit(
            lambda v: transitions(v, "a").append(
                {"event": "x", "target": None, "action": None, "judgment": True}
            )
        ),
    ),
    (
        "change_transition",
        {"state": "a", "event": "go", "target": "c", "action": None},
        edit(lambda v: transitions(v, "a")[0].update(target="c", action=None)),
    ),
    (
        "change_transition",
        {"state": "b", "event": "on", "judgment": False},
        edit(lambda v: transitions(v, "b")[1].update(judgment=False)),
    ),
    ("remove_transition", {"state": "a", "event": "stay"}, edit(lambda v: transitions(v, "a").pop())),
    (
        "add_trigger",
        {"state": "b", "condition": "always", "target": "a", "index": 0},
        edit(
            lambda v: v["states"]["b"]["triggers"].insert(
                0, {"condition": "always", "target": "a", "action": None}
            )
        ),
    ),
    (
        "add_trigger",
        {"state": "a", "condition": "always", "target": "a", "action": "/x"},
        edit(
            lambda v: v["states"]["a"].update(
                triggers=[{"condition": "always", "target": "a", "action": "/x"}]
            )
        ),
    ),
    (
        "change_trigger",
        {"state": "b", "index": 0, "condition": "n > 3"},
        edit(lambda v: v["states"]["b"]["triggers"][0].update(condition="n > 3")),
    ),
    (
        "remove_trigger",
        {"state": "b", "index": 0},
        edit(lambda v: v["states"]["b"].update(triggers=[])),
    ),
    (
        "add_global_transition",
        {"event": "x", "target": "a", "except_": ["a"]},
        edit(
            lambda v: v["global_transitions"].append(
                {"event": "x", "target": "a", "action": None, "except": ["a"]}
            )
        ),
    ),
    (
        "change_global_transition",
        {"event": "panic", "except": ["a", "b"]},
        edit(lambda v: v["global_transitions"][0].update({"except": ["a", "b"]})),
    ),
    ("remove_global_transition", {"event": "panic"}, edit(lambda v: v["global_transitions"].clear())),
    ("add_threshold", {"name": "x", "value": 0.5}, edit(lambda v: v["thresholds"].update(x=0.5))),
    ("change_threshold", {"name": "most", "value": -4}, edit(lambda v: v["thresholds"].update(most=-4))),
    (
        "add_resumption_target",
        {"state": "c", "target": "a"},
        edit(lambda v: v["resumption_targets"].update(c="a")),
    ),
    (
        "change_resumption_target",
        {"state": "a", "target": "b"},
        edit(lambda v: v["resumption_targets"].update(a="b")),
    ),
    ("remove_resumption_target", {"state": "a"}, edit(lambda v: v["resumption_targets"].pop("a"))),
    ("add_global_action", {"action": "/x"}, edit(lambda v: v["global_actions"].append("/x"))),
    ("remove_global_action", {"action": "/help"}, edit(lambda v: v["global_actions"].clear())),
]


@pytest.mark.parametrize(("operation", "arguments", "expected"), EDITS, ids=lambda value: str(value)[:40])
def test_an_operation_does_just_that(
    engine: WorkflowEngine, tmp_path: Path, operation: str, arguments: Json, expected: Json
) -> None:
    answer = modify(engine, operation, **arguments)
    assert answer["written"] is True
    assert "token" not in answer
    assert workflow_file(tmp_path).read_text() == json.dumps(expected, indent=2) + "\n"
    assert "error" not in engine.check(workflow_state="a")


def test_renaming_goes_everywhere(tmp_path: Path) -> None:
    text = json.dumps(SMALL).replace('"b"', '"building"')
    lay_out(tmp_path, SMALL)
    modify(stratumc.create_engine(tmp_path), "rename_state", state="b", new_name="building")
    assert json.dumps(json.loads(workflow_file(tmp_path).read_text())) == text
    modify(stratumc.create_engine(tmp_path), "rename_state", state="c", new_name="é\n")
    assert json.loads(workflow_file(tmp_path).read_text())["global_transitions"][0]["except"] == ["é\n"]


def test_order_numbers_and_text_are_kept(tmp_path: Path) -> None:
    text = (
        '{"thresholds":{"z":1.50,"a":1e2,"big":12345678901234567890123},'
        '"states":{"é":{"description":"\\u00e9"}},"initial_state":"é"}'
    )
    lay_out(tmp_path, text)
    modify(stratumc.create_engine(tmp_path), "add_threshold", name="m", value=3)
    assert workflow_file(tmp_path).read_text() == (
        '{\n  "thresholds": {\n    "z": 1.50,\n    "a": 1e2,\n'
        '    "big": 12345678901234567890123,\n    "m": 3\n  },\n'
        '  "states": {\n    "é": {\n      "description": "é"\n    }\n  },\n  "initial_state": "é"\n}\n'
    )


@given(st.lists(st.sampled_from("abc"), max_size=25), st.lists(st.sampled_from("abc"), max_size=25))
def test_the_difference_is_that_of_difflib(old: list[str], new: list[str]) -> None:
    """But for the choice among equally good ones: applied to the old text it gives the new one."""
    diff = unified_diff("".join(f"{one}\n" for one in old), "".join(f"{one}\n" for one in new), "x").split(
        "\n"
    )
    made, at = [], 0
    for line in diff[2:]:
        if line.startswith("@@"):
            start, count = (line.split()[1][1:] + ",1").split(",")[:2]
            place = int(start) - (count != "0")
            made += old[at:place]
            at = place
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            assert old[at] == line[1:]
            made += [] if line.startswith("-") else [line[1:]]
            at += 1
    assert made + old[at:] == new


def test_without_a_base_the_first_edit_makes_one(tmp_path: Path) -> None:
    lay_out(tmp_path, None, kit={"initial_state": "a", "states": {"a": {"description": "A."}}})
    engine = stratumc.create_engine(tmp_path)
    modify(engine, "add_state", state="b")
    assert json.loads(workflow_file(tmp_path).read_text()) == {"states": {"b": {}}}
    assert engine.check(workflow_state="b")["state"] == "b"


def test_a_token_is_good_for_one_change_of_the_same_files(engine: WorkflowEngine, tmp_path: Path) -> None:
    change: Json = {"operation": "add_state", "state": "x"}
    token = engine.modify(**change)["token"]
    assert engine.modify(**change)["token"] == token
    assert refusal(engine.modify("add_state", state="y", confirm=True, token=token))[0] == "stale_token"
    assert refusal(engine.modify(**change, confirm=True, token="no"))[0] == "stale_token"
    write(tmp_path / ".forge" / "workflow.d" / "kit.json", KIT | {"name": "other"})
    assert refusal(engine.modify(**change, confirm=True, token=token))[0] == "stale_token"
    token = engine.modify(**change)["token"]
    workflow_file(tmp_path).write_text(json.dumps(SMALL))
    assert refusal(engine.modify(**change, confirm=True, token=token))[0] == "stale_token"
    token = engine.modify(**change)["token"]
    assert engine.modify(**change, confirm=True, token=token)["written"]
    assert "error" in engine.modify(**change, confirm=True, token=token), "the same call a second time"
