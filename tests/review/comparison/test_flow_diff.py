"""Differences of flows: what changed, what it means, and which runs can go on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from stratumc.review.comparison.diff_text import diff_text
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from support.diffs import REVIEWED, diff, said
from support.documents import document, gate, task
from support.specs import specs


@given(specs())
@settings(max_examples=40)
def test_a_spec_does_not_differ_from_itself(spec: Any) -> None:
    found = diff(spec, spec)
    assert found.is_empty
    assert found.meanings == ()
    assert all(one.fate is Fate.GOES_ON for one in found.going_on)


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


def test_what_is_written_in_another_way_is_no_change() -> None:
    def steps(when: str, expr: str, after: list[str], until: str, given: str) -> Any:
        return document(
            task("a", ensure=[{"expr": expr}]),
            task("b", iterate={"max": 3, "until": until}),
            task("c", after=after, when=when),
            {"id": "d", "after": ["c"], "set": {"text": given}, "out": "Note"},
            {
                "id": "e",
                "after": ["c"],
                "fanout": {
                    "over": "${input.items}",
                    "concurrency": 1,
                    "isolation": "none",
                    "require": "all",
                    "merge": "sequential",
                    "steps": [{"do": "x", "when": when, "ensure": [{"expr": expr}]}],
                },
            },
            task("last", after=["c", "d", "e"]),
            input={"topic": "string", "items": "string[]", "risk": "low|high", "more": "(a|b)[]?"},
        )

    old = steps(
        "input.topic == 'x'", "result.text != ''", ["a", "b"], "result.text == 'y'", "'z' + input.topic"
    )
    new = steps(
        '(input.topic)=="x"', 'result.text!=""', ["b", "a"], 'result.text  == "y"', '("z"+(input.topic))'
    )
    new["flows"]["main"]["input"] |= {"risk": "high|low", "more": "(b|a)[]?"}
    assert diff(old, new).is_empty
    for other in (
        steps(
            "input.topic == 'x '", "result.text != ''", ["a", "b"], "result.text == 'y'", "'z' + input.topic"
        ),
        steps("input.topic == 'x'", "result.text != ''", ["a"], "result.text == 'y'", "'z' + input.topic"),
        steps(
            "input.topic == 'x'", "result.text != ''", ["a", "b"], "result.text == 'y'", "input.topic + 'z'"
        ),
    ):
        assert not diff(old, other).is_empty


def test_texts_that_only_look_like_expressions_are_compared_as_texts() -> None:
    """`do` and the arguments of `with` are no expressions, whatever they are called."""
    old, new = document(task("last", do="a  ==  b")), document(task("last", do="a == b"))
    (change,) = diff(old, new).changes
    assert [(field.field, field.old, field.new) for field in change.fields] == [("do", "a  ==  b", "a == b")]


def test_what_a_step_says_is_told_when_it_is_added_or_gone() -> None:
    old = document(task("last"))
    new = document(gate("check", when="input.topic != ''", on_kill="last"), task("last"))
    expected = {"when": "input.topic != ''", "gate.on_kill": "last"}
    for found, side in ((diff(old, new), "new"), (diff(new, old), "old")):
        change = next(one for one in found.changes if one.part.own_name == "check")
        assert {field["field"]: field[side] for field in change.to_dict()["fields"]} == expected


def test_of_long_values_what_differs_is_shown() -> None:
    long = "word " * 60
    for first, second in (("x", "y"), ("x", ""), ("x " * 60, "y " * 60)):
        old, new = (document(task("last", do=f"{long}{one}{long}")) for one in (first, second))
        line = next(line for line in diff_text(diff(old, new)).splitlines() if line.startswith("    do: "))
        before, after = line.removeprefix("    do: ").split(" → ")
        assert before != after
        assert len(line) < 200
        assert before.startswith("…")
        assert after.startswith("…")


def test_an_entry_flow_of_another_name_is_the_same_flow() -> None:
    old = json.loads(json.dumps(REVIEWED))
    new = document(task("build"), task("last", after=["build"]))
    new["flows"] = {"entry": "deliver", "deliver": new["flows"]["main"]}
    found = diff(old, new)
    assert said(found, MeaningKind.GATE_PASSED_BY) == [
        "step `last` no longer waits for gate `review`, which is gone"
    ]
    assert {str(one.part) for one in found.changes} >= {"document `flows`", "step `deliver.review`"}
    assert "step `deliver.build`" not in {str(one.part) for one in found.changes}
    assert {one.flow for one in found.going_on} == {"main"}
    swapped = {**old, "flows": {**old["flows"], "entry": "other", "other": old["flows"]["main"]}}
    assert "flow `other`" in {str(one.part) for one in diff(old, swapped).changes}


def test_nothing_can_be_started_with_a_version_that_has_errors() -> None:
    steps = (task("build"), task("test", after=["build"]), task("last", after=["test"]))
    old, new = document(*steps), document(*steps, budget={"dispatches": 2})
    found = diff(old, new)
    assert {one.fate for one in found.going_on} == {Fate.CANNOT}
    assert diff_text(found).splitlines()[-3:] == [
        "Under way:",
        "! nothing can be started with the new version: error[BUDGET_CANNOT_SUFFICE] flow `main` may use "
        "2 dispatches, but its shortest good run needs 3",
        "· no run can simply go on; each keeps the table that it was planned with",
    ]
    assert found.to_dict()["refused"].startswith("error[BUDGET_CANNOT_SUFFICE] ")
    assert diff(new, old).refused is None


def test_one_line_tells_what_becomes_of_runs_at_many_steps() -> None:
    old = document(*(task(f"s{number}") for number in range(9)), task("last"))
    new = json.loads(json.dumps(old))
    new["flows"]["main"]["input"]["region"] = "string"
    lines = diff_text(diff(old, new)).splitlines()
    assert lines[lines.index("Under way:") + 1 :] == [
        "! a run at any step: it has no input `region`",
        "· no run can simply go on; each keeps the table that it was planned with",
    ]
