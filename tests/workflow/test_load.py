"""Loading: every fault at once, each where it is, none that another explains."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.read import read_json
from stratumc.text import Document
from stratumc.workflow import Piece, load_workflow
from support.workflows import SMALL, Json, codes, diagnose, lay_out, load


def changed(*path: Any, value: Any = None, **more: Any) -> Json:
    """The small workflow with one value replaced."""
    workflow = copy.deepcopy(SMALL)
    at: Any = workflow
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return workflow | more


def messages(path: Path) -> list[str]:
    return [f"{one.code} {one.path}: {one.message}" for one in diagnose(path)]


def test_the_whole_of_a_sound_workflow(tmp_path: Path) -> None:
    loaded = load(lay_out(tmp_path, SMALL))
    assert loaded.findings == ()
    workflow = loaded.loaded.workflow
    assert workflow is not None
    assert (workflow.name, workflow.initial_state, list(workflow.states)) == ("small", "a", ["a", "b", "c"])
    assert [one.event for one in workflow.states["b"].transitions] == ["back", "on", "off"]
    assert workflow.states["b"].transitions[1].judgment
    assert workflow.states["c"].transitions[0].target is None
    assert workflow.global_transitions[0].except_ == ("c",)
    assert workflow.thresholds["most"].value == 3


def test_all_faults_at_once(tmp_path: Path) -> None:
    workflow = changed("states", "a", "transitions", 0, "target", value="B")
    workflow["initial_state"] = "begin"
    workflow["states"]["b"]["triggers"][0] = {"condition": "x => 3", "target": "nowhere"}
    workflow["states"]["b"]["triggers"].append({"condition": "x > thresholds.least", "target": "c"})
    workflow["resumption_targets"]["ghost"] = "lost"
    workflow["global_transitions"].append({"event": "panic", "target": "a"})
    found = messages(lay_out(tmp_path, workflow))
    assert sorted(line.split(":")[0] for line in found) == [
        "CONDITION_INVALID states.b.triggers[0].condition",
        "EVENT_DUPLICATE global_transitions[1].event",
        "STATE_UNKNOWN initial_state",
        "STATE_UNKNOWN resumption_targets.ghost",
        "STATE_UNKNOWN resumption_targets.ghost",
        "STATE_UNKNOWN states.a.transitions[0].target",
        "STATE_UNKNOWN states.b.triggers[0].target",
        "THRESHOLD_UNDEFINED states.b.triggers[1].condition",
    ]


def test_no_fault_hides_another(tmp_path: Path) -> None:
    """A name counts wherever it stands: in what is broken elsewhere, and in what merging drops."""
    base = changed("states", "a", "transitions", 0, value={"event": 1, "target": "zz"})
    base["states"]["b"]["transitions"].append({"event": "back", "target": "yy"})
    base["states"]["c"]["triggers"] = [{"condition": 1, "target": "xx"}]
    base["global_transitions"].append({"event": [], "target": "ww", "except": ["vv", 1]})
    fragment = {"initial_state": "uu", "resumption_targets": {"tt": "ss"}}
    found = messages(lay_out(tmp_path, base, extra=fragment))
    assert sorted(line.split(":")[0] for line in found if line.startswith("STATE_UNKNOWN")) == [
        "STATE_UNKNOWN global_transitions[1].except[0]",
        "STATE_UNKNOWN global_transitions[1].target",
        "STATE_UNKNOWN initial_state",
        "STATE_UNKNOWN resumption_targets.tt",
        "STATE_UNKNOWN resumption_targets.tt",
        "STATE_UNKNOWN states.a.transitions[0].target",
        "STATE_UNKNOWN states.b.transitions[3].target",
        "STATE_UNKNOWN states.c.triggers[0].target",
    ]


@pytest.mark.parametrize(
    ("workflow", "expected"),
    [
        ({}, ["SCHEMA_INVALID states: this workflow is empty: `states` has no state"]),
        (
            {"initial_state": "a", "states": {}},
            ["SCHEMA_INVALID states: this workflow is empty: `states` has no state"],
        ),
        (
            {"states": {"a": {}}},
            ["SCHEMA_INVALID initial_state: `initial_state` is missing from this workflow"],
        ),
        ([1], ["SCHEMA_INVALID : the document must be a mapping, not a list"]),
        (
            changed("states", value=7),
            ["SCHEMA_INVALID states: `states` must be a mapping, not the number 7"],
        ),
        (
            changed("thresholds", value=[1]),
            ["SCHEMA_INVALID thresholds: `thresholds` must be a mapping, not a list"],
        ),
        (
            changed("thresholds", "most", value=True),
            ["SCHEMA_INVALID thresholds.most: `most` must be a number, not true"],
        ),
        (
            changed("resumption_targets", value=None),
            ["SCHEMA_INVALID resumption_targets: `resumption_targets` must be a mapping, not null"],
        ),
        (
            changed("states", "b", value=None),
            ["SCHEMA_INVALID states.b: `b` must be a mapping, not null"],
        ),
        (
            changed("states", "a", "transitions", 0, value={"target": "b"}),
            ["SCHEMA_INVALID states.a.transitions[0].event: `event` is missing from this transition"],
        ),
        (
            changed("states", "a", "transitions", 0, "event", value=""),
            [
                "SCHEMA_INVALID states.a.transitions[0].event: "
                "`event` must be the name of an event, not an empty text"
            ],
        ),
        (
            changed("states", "b", "triggers", 0, value={"condition": 1}),
            [
                "SCHEMA_INVALID states.b.triggers[0].target: `target` is missing from this trigger",
                "SCHEMA_INVALID states.b.triggers[0].condition: "
                "`condition` must be a condition, not the number 1",
            ],
        ),
        (
            changed("global_transitions", 0, "except", value=["c", 5]),
            [
                "SCHEMA_INVALID global_transitions[0].except[1]: "
                "`except[1]` must be the name of a state, not the number 5"
            ],
        ),
    ],
)
def test_a_fault_of_shape_has_no_cascade(tmp_path: Path, workflow: Any, expected: list[str]) -> None:
    assert sorted(messages(lay_out(tmp_path, workflow))) == sorted(expected)


def test_a_target_may_be_left_out(tmp_path: Path) -> None:
    workflow = changed("states", "c", "transitions", 0, value={"event": "resume"})
    assert messages(lay_out(tmp_path, workflow)) == []
    del workflow["resumption_targets"]
    assert [one.split()[0] for one in messages(lay_out(tmp_path, workflow))] == ["RESUMPTION_UNDEFINED"]


def test_names_with_line_ends_stay_on_one_line(tmp_path: Path) -> None:
    (found,) = diagnose(lay_out(tmp_path, changed("initial_state", value="a\nb\u2028`")))
    assert found.message == "`initial_state` is `a\\nb\\u2028``, which isn't a state"


def test_fragments_add_up(tmp_path: Path) -> None:
    path = lay_out(
        tmp_path,
        SMALL,
        z={"name": "z-kit", "states": {"b": {"triggers": [{"condition": "always", "target": "new"}]}}},
        k={
            "states": {
                "new": {"description": "New.", "transitions": [{"event": "x", "target": "a"}]},
                "b": {"triggers": [{"condition": "n > 1", "target": "a"}]},
            },
            "thresholds": {"most": 3.0},
            "global_actions": ["/help", "/new"],
        },
    )
    assert codes(path) == []
    workflow = load(path).loaded.workflow
    assert workflow is not None
    assert list(workflow.states) == ["a", "b", "c", "new"]
    triggers = workflow.states["b"].triggers
    assert [(one.condition_text, one.owner) for one in triggers] == [
        ("session_counters.rounds >= thresholds.most", None),
        ("n > 1", "k.json"),
        ("always", "z-kit"),
    ]
    assert workflow.states["new"].owner == "k.json"
    assert workflow.global_actions == ("/help", "/new")
    assert triggers[2].at.source == 2


def test_conflicts_name_both_files_and_both_places(tmp_path: Path) -> None:
    path = lay_out(
        tmp_path,
        SMALL,
        one={"initial_state": "b", "thresholds": {"most": 4}, "states": {"a": {"description": "Mine."}}},
        two={
            "resumption_targets": {"a": "b"},
            "global_transitions": [{"event": "panic", "target": "a"}],
            "states": {"a": {"transitions": [{"event": "go", "target": "c"}]}, "ghost": {}},
        },
    )
    found = diagnose(path)
    assert sorted((one.code, Path(one.span.file).name) for one in found) == [
        ("FRAGMENT_CONFLICT", "one.json"),
        ("FRAGMENT_CONFLICT", "one.json"),
        ("FRAGMENT_CONFLICT", "two.json"),
        ("FRAGMENT_CONFLICT", "two.json"),
        ("FRAGMENT_CONFLICT", "two.json"),
        ("STATE_DEFINED_TWICE", "one.json"),
        ("STATE_NEVER_DEFINED", "two.json"),
    ]
    for one in found[:-1]:
        if one.code != "STATE_NEVER_DEFINED":
            assert Path(one.related[0].span.file).name == "workflow.json"
            assert "workflow.json" in one.message


def test_the_base_defines_a_state_that_no_piece_describes(tmp_path: Path) -> None:
    base = {"initial_state": "a", "states": {"a": {}}}
    assert codes(lay_out(tmp_path, base, x={"states": {"a": {}}})) == []
    assert codes(lay_out(tmp_path, base, x={"states": {"a": {"description": "Ours."}}})) == []
    assert codes(lay_out(tmp_path, base, x={"states": {"b": {}}})) == [("STATE_NEVER_DEFINED", "x.json", 3)]


@pytest.mark.parametrize("broken", ['{"name": ', '{"states": 5}', '{"states": {"gone": 5}}', "[]"])
def test_a_broken_piece_hides_nothing_but_what_it_may_hold(tmp_path: Path, broken: str) -> None:
    workflow = changed("states", "a", "transitions", 0, "target", value="gone")
    workflow["states"]["b"]["triggers"].append({"condition": "y ! 1", "target": "c"})
    found = codes(lay_out(tmp_path, workflow, x=broken))
    assert [file for _, file, _ in found].count("x.json") == 1
    assert [code for code, file, _ in found if file == "workflow.json"] == ["CONDITION_INVALID"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "go", "always", "n > 1", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "initial_state",
                    "states",
                    "transitions",
                    "triggers",
                    "event",
                    "target",
                    "condition",
                    "action",
                    "except",
                    "a",
                    "b",
                    "thresholds",
                    "global_transitions",
                    "resumption_targets",
                    "config",
                    "name",
                    "description",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(_JSON, _JSON)
def test_any_two_pieces_load_or_say_why_not(base: Any, fragment: Any) -> None:
    import json

    pieces = []
    for source, value in enumerate((base, fragment)):
        document = Document(f"{source}.json", json.dumps(value))
        pieces.append(Piece(document, read_json(document, source).root, source == 1, source))
    loaded = load_workflow(pieces)
    errors = [finding for finding in loaded.findings if finding.code != "UNKNOWN_KEY"]
    assert (loaded.workflow is None) is bool(errors)


def test_a_fragment_cannot_say_where_the_state_is_kept(tmp_path: Path) -> None:
    found = messages(lay_out(tmp_path, SMALL, extra={"config": {"state_file": "x"}, "confg": {}}))
    assert found == [
        "UNKNOWN_KEY config: a fragment can't have `config`, which means something in `workflow.json` only",
        "UNKNOWN_KEY confg: unknown key `confg` in this fragment",
    ]
