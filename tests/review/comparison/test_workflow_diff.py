"""Differences of workflows: example paths are real ones; which projects can go on."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.review.comparison.diff_text import diff_markdown, diff_text
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from support.diffs import diff, flow_of, go, said
from support.workflows_random import replay, workflow


@given(st.integers(0, 10_000))
@settings(max_examples=80)
def test_a_workflow_does_not_differ_from_itself(seed: int) -> None:
    same = workflow(random.Random(seed))
    found = diff(same, same)
    assert found.is_empty
    assert all(one.fate is Fate.GOES_ON for one in found.going_on)


@given(st.integers(0, 10_000))
@settings(max_examples=120)
def test_example_paths_are_possible_where_they_are_said_to_be(seed: int) -> None:
    """Replayed on the document as JSON, previous states and all; never possible on the other side."""
    pick = random.Random(seed)
    old, new = workflow(pick), workflow(pick)
    kinds = (MeaningKind.PATH_POSSIBLE, MeaningKind.PATH_IMPOSSIBLE, MeaningKind.GATE_PASSED_BY)
    for meaning in diff(old, new).meanings:
        if meaning.shows is None or meaning.kind not in kinds:
            continue
        there, elsewhere = (old, new) if meaning.kind is MeaningKind.PATH_IMPOSSIBLE else (new, old)
        assert replay(there, meaning.shows), meaning
        assert not replay(elsewhere, meaning.shows), meaning
        before = meaning.shows[0].get("previous_state")
        assert before is None or f"when the state before was `{before}`, " in meaning.message


def test_projects_under_way() -> None:
    old = flow_of(a=go(x="b", y="c"), b=go(z="a"), c=go(w="a"))
    new = flow_of(a=go(x="b"), b={"description": "the end"})
    fates = {one.name: one.fate for one in diff(old, new).going_on}
    assert fates == {"a": Fate.GOES_ON, "b": Fate.STUCK, "c": Fate.GONE}


def test_resumption_counts_the_state_before() -> None:
    def resuming(**targets: str) -> dict[str, Any]:
        back = {"transitions": [{"event": "resume", "target": None}]}
        made = flow_of(a=go(x="p", y="q"), p=go(s="idle"), q=go(s="idle"), idle=back)
        return {**made, "resumption_targets": targets}

    found = diff(resuming(p="p", q="q"), resuming(p="q", q="q"))
    assert said(found, MeaningKind.PATH_POSSIBLE) == [
        "a path from `p` to `q` is now possible: s to `idle` then resume to `q`"
    ]
    stopped = diff(resuming(p="p", q="q"), resuming(p="p"))
    assert [str(one) for one in stopped.going_on if one.fate is Fate.STUCK] == [
        "a project in state `idle`: no way leads out any more when it came from `q`"
    ]


def test_a_state_that_can_be_passed_by() -> None:
    old, new = flow_of(a=go(x="b"), b=go(y="c"), c={}), flow_of(a=go(x="b", z="c"), b=go(y="c"), c={})
    assert said(diff(old, new), MeaningKind.GATE_PASSED_BY) == [
        "`c` can now be reached without `b`: z to `c`"
    ]


def test_the_order_of_triggers_is_a_change() -> None:
    triggers = [{"condition": "a.b > 1", "target": "y"}, {"condition": "a.c > 1", "target": "x"}]
    old = flow_of(x={"triggers": triggers}, y={"triggers": triggers[1:]})
    new = flow_of(x={"triggers": triggers[::-1]}, y={"triggers": triggers[1:]})
    (change,) = diff(old, new).changes
    assert (str(change.part), change.fields[0].field) == ("state `x`", "order of triggers")


def test_of_a_state_that_is_cut_off_only_the_path_to_it_is_told() -> None:
    old, new = flow_of(a=go(x="b"), b=go(y="c"), c={}), flow_of(a=go(), b=go(y="c"), c={})
    assert said(diff(old, new), MeaningKind.PATH_IMPOSSIBLE) == [
        "a path from `a` to `b` is no longer possible: x to `b`"
    ]
    assert len(said(diff(new, old), MeaningKind.PATH_POSSIBLE)) == 1


def test_many_paths_are_counted() -> None:
    names = [f"s{number}" for number in range(60)]
    old = flow_of(start=go(**{f"to-{name}": name for name in names}), **{name: {} for name in names})
    new = flow_of(
        start=go(**{f"to-{name}": name for name in names}), **{name: go(back="start") for name in names}
    )
    messages = said(diff(old, new), MeaningKind.PATH_POSSIBLE)
    assert len(messages) == 41
    assert messages[-1] == "20 further paths: each is now possible"


@pytest.mark.parametrize(("setting", "value"), [("state_file", "other.json"), ("state_field", "phase")])
def test_a_project_whose_state_is_looked_for_elsewhere_can_not_go_on(setting: str, value: str) -> None:
    old = flow_of(idle=go(x="busy"), busy=go(y="idle"))
    found = diff(old, {**old, "config": {setting: value}})
    assert {one.fate for one in found.going_on} == {Fate.CANNOT}
    assert all(f"config.{setting}" in str(one) for one in found.going_on)


def test_what_is_written_in_another_way_is_no_change() -> None:
    trigger = {"condition": "a.b > 0", "target": "x"}
    old = {
        **flow_of(x=go(e="y"), y={"triggers": [trigger]}, z={}),
        "global_transitions": [{"event": "g", "target": "x", "except": ["x", "y"]}],
        "thresholds": {"n": 10},
    }
    new = {
        **flow_of(x=go(e="y"), y={"triggers": [{**trigger, "condition": "  a.b   >  0.0 "}]}, z={}),
        "global_transitions": [{"event": "g", "target": "x", "except": ["y", "x"]}],
        "thresholds": {"n": 10.0},
        "config": {
            "state_file": ".forge/dev-state.json",
            "log_file": ".forge/flow-log.jsonl",
            "state_field": "workflow_state",
            "previous_state_field": "previous_workflow_state",
        },
    }
    assert diff(old, new).is_empty
    assert diff(new, old).is_empty
    fewer = {**old, "global_transitions": [{"event": "g", "target": "x", "except": ["x", "x"]}]}
    assert not diff(old, fewer).is_empty


def test_another_name_is_one_change() -> None:
    old = flow_of(a=go(x="a"))
    (change,) = diff(old, {**old, "name": "v"}).changes
    assert change.to_dict() == {
        "change": "changed",
        "kind": "workflow",
        "name": "v",
        "fields": [{"field": "name", "old": "w", "new": "v"}],
    }


def test_what_is_added_or_gone_tells_its_content() -> None:
    more = {"resumption_targets": {"a": "b"}}
    old = {**flow_of(a=go(x="a"), b={}), **more}
    new = {
        **flow_of(
            a={
                "transitions": [
                    {"event": "x", "target": "a"},
                    {"event": "y", "target": None, "action": "/do", "judgment": True},
                ],
                "triggers": [{"condition": "c.d >= 1", "target": "b"}],
            },
            b={},
        ),
        "global_transitions": [{"event": "g", "target": "b", "except": ["b"]}],
        **more,
    }
    contents = {
        "transition `a: y`": {"target": None, "action": "/do", "judgment": True},
        "trigger `a: c.d >= 1`": {"target": "b"},
        "global transition `g`": {"target": "b", "except": ["b"]},
    }
    for found, side in ((diff(old, new), "new"), (diff(new, old), "old")):
        told = {
            str(one.part): {f["field"]: f[side] for f in one.to_dict()["fields"]} for one in found.changes
        }
        assert told == contents
        assert all(f.keys() == {"field", side} for one in found.changes for f in one.to_dict()["fields"])
    lines = diff_text(diff(old, new)).splitlines()
    at = lines.index("+ transition `a: y`")
    assert lines[at + 1 : at + 4] == ["    target: null", '    action: "/do"', "    judgment: true"]
    assert '| added | global transition `g` | target: "b"<br>except: \\["b"\\] |' in diff_markdown(
        diff(old, new)
    )
