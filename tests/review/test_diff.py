"""Differences: what changed, what it means, and who can go on; example paths are real ones."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratumc.driver.review import BrokenInputError
from stratumc.review.diff import Diff
from stratumc.review.diff_text import diff_json, diff_markdown, diff_text
from stratumc.review.going_on import Fate
from stratumc.review.meaning import MeaningKind
from support.documents import document, gate, task
from support.pictures import NASTY, workflow_of
from support.specs import specs
from support.workflows_random import replay, workflow

REVIEWED = document(
    task("build"), gate("review", after=["build"]), task("last", after=["review"]), max_rounds=2
)


def diff(old: Any, new: Any) -> Diff:
    return stratumc.diff(json.dumps(old), json.dumps(new))


def said(found: Diff, kind: MeaningKind) -> list[str]:
    return [one.message for one in found.meanings if one.kind is kind]


@given(specs())
@settings(max_examples=40)
def test_a_spec_does_not_differ_from_itself(spec: Any) -> None:
    found = diff(spec, spec)
    assert found.is_empty
    assert found.meanings == ()
    assert all(one.fate is Fate.GOES_ON for one in found.going_on)


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
    for meaning in diff(old, new).meanings:
        if meaning.shows is None:
            continue
        there, elsewhere = (old, new) if meaning.kind is MeaningKind.PATH_IMPOSSIBLE else (new, old)
        assert replay(there, meaning.shows), meaning
        assert not replay(elsewhere, meaning.shows), meaning


def test_comments_defaults_and_key_order_are_no_difference() -> None:
    old = REVIEWED
    new = json.loads(json.dumps(REVIEWED))
    new["flows"]["main"]["steps"][0] |= {"agent": "claude", "attempts": 2.0, "after": []}
    del new["flows"]["main"]["steps"][1]["gate"]["on_kill"]
    new["flows"]["main"]["steps"][1]["gate"]["on_kill"] = None
    assert diff(old, new).is_empty


def test_a_gate_that_can_be_passed_by() -> None:
    new = json.loads(json.dumps(REVIEWED))
    new["flows"]["main"]["steps"][1]["when"] = "input.topic != ''"
    found = diff(REVIEWED, new)
    (message,) = said(found, MeaningKind.GATE_PASSED_BY)
    assert message.startswith("step `last` can now run without gate `review`: ")
    (skipped,) = said(found, MeaningKind.MAY_BE_SKIPPED)
    assert skipped.startswith("step `review` may now be skipped: ")
    assert said(diff(new, REVIEWED), MeaningKind.GATE_PASSED_BY) == []


def test_a_gate_that_is_gone() -> None:
    new = document(task("build"), task("last", after=["build"]))
    found = diff(REVIEWED, new)
    assert said(found, MeaningKind.GATE_PASSED_BY) == [
        "step `last` no longer waits for gate `review`, which is gone"
    ]
    assert said(found, MeaningKind.PATH_POSSIBLE) == []
    assert [str(one) for one in found.going_on if one.fate is not Fate.GOES_ON] == [
        "a run of `main` at step `review`: the step is gone"
    ]


def test_paths_through_a_flow() -> None:
    new = document(task("build", on_fail="rescue"), task("rescue"), task("last", after=["build", "rescue"]))
    old = document(task("build"), task("rescue"), task("last", after=["build", "rescue"]))
    assert said(diff(old, new), MeaningKind.PATH_POSSIBLE) == [
        "a path from `build` to `rescue` is now possible: fails to `rescue`"
    ]
    assert len(said(diff(new, old), MeaningKind.PATH_IMPOSSIBLE)) == 1


@pytest.mark.parametrize(
    ("new", "fates"),
    [
        (
            document(task("first"), task("build", after=["first"]), task("last", after=["build"])),
            "step `first`, which is new, comes first now",
        ),
        (document(gate("build"), task("last", after=["build"])), "the step is now a `gate`"),
        (
            document(task("build", out="Flag"), task("last", after=["build"])),
            "step `build`, which it has passed, now gives another output",
        ),
        (
            document(
                task("build"), task("last", after=["build"]), input={"topic": "string", "more": "string"}
            ),
            "it has no input `more`",
        ),
    ],
)
def test_what_stops_a_run(new: Any, fates: str) -> None:
    old = document(task("build"), task("last", after=["build"]))
    assert fates in [one.reason for one in diff(old, new).going_on]


def test_bounds() -> None:
    old, new = document(task("last")), document(task("last", attempts=5))
    assert said(diff(old, new), MeaningKind.BOUNDS) == [
        "dispatches of a good run of `main` were 1 to 2, now 1 to 5"
    ]


def flow_of(**states: Any) -> dict[str, Any]:
    return {"name": "w", "initial_state": next(iter(states)), "states": states}


def go(**events: str) -> dict[str, Any]:
    return {"transitions": [{"event": event, "target": target} for event, target in events.items()]}


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


def test_kinds_are_not_mixed_and_faults_are_told() -> None:
    with pytest.raises(ValueError, match="a spec and a workflow"):
        diff(REVIEWED, flow_of(a={}))
    with pytest.raises(BrokenInputError, match=r"`new` breaks rules.*<new>:1:\d+: "):
        diff(REVIEWED, {**REVIEWED, "more": 1})


def test_text_json_and_markdown_keep_any_name() -> None:
    names = list(NASTY)
    found = stratumc.diff(workflow_of(names[1:]), workflow_of(names))
    text = diff_text(found)
    assert all(line.isprintable() or "\u200d" in line for line in text.splitlines())
    assert json.loads(diff_json(found))["changes"][0]["change"] in ("added", "changed")
    page = diff_markdown(found)
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len(rows) == len(found.changes) + 2
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    outside = re.sub(r"(`+).*?\1", "", page)
    assert "<script>" not in outside
    assert "<b>" not in outside


def test_changes_inside_a_mapping_are_told_by_their_paths() -> None:
    fan = {
        "over": "${input.items}",
        "steps": [{"do": "work on ${item}"}],
        "concurrency": 2,
        "isolation": "none",
        "require": "all",
        "merge": "sequential",
    }
    old, new = (
        document(
            task("build"),
            {"id": "fan", "after": ["build"], "fanout": {**fan, "require": require}},
            task("last", after=["fan"]),
        )
        for require in ("all", "any")
    )
    for one in (old, new):
        one["flows"]["main"]["input"]["items"] = "string[]"
    (change,) = diff(old, new).changes
    assert [(one.field, one.old, one.new) for one in change.fields] == [("fanout.require", "all", "any")]


@pytest.mark.parametrize(("setting", "value"), [("state_file", "other.json"), ("state_field", "phase")])
def test_a_project_whose_state_is_looked_for_elsewhere_can_not_go_on(setting: str, value: str) -> None:
    old = flow_of(idle=go(x="busy"), busy=go(y="idle"))
    found = diff(old, {**old, "config": {setting: value}})
    assert {one.fate for one in found.going_on} == {Fate.CANNOT}
    assert all(f"config.{setting}" in str(one) for one in found.going_on)
