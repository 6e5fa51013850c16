"""Differences of flows: what changed, what it means, and which runs can go on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from stratumc.review.going_on import Fate
from stratumc.review.meaning import MeaningKind
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
