"""What a change of a flow means, kind by kind: gates, checks, resets, findings, flows that can't end well."""

from __future__ import annotations

import json
from typing import Any

import pytest

import stratumc
from stratumc.review.comparison.diff_text import diff_json, diff_markdown, diff_text
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from support.diffs import diff, said
from support.documents import CONTRACTS, document, gate, task

LEVEL = {"level": "integer"}


def reviewed(when: str | None, **fields: Any) -> dict[str, Any]:
    condition = {} if when is None else {"when": when}
    given = fields.pop("input", LEVEL)
    steps = (task("build"), gate("review", after=["build"], **condition), task("last", after=["review"]))
    return document(*steps, input=given, **fields)


def checked(**check: Any) -> dict[str, Any]:
    test = task("test", after=["build"], ensure=[{"expr": "result.text != ''"}], **check)
    return document(task("build"), test, task("last", after=["test"]))


def test_a_gate_whose_condition_was_tightened() -> None:
    found = diff(reviewed("input.level > 3"), reviewed("input.level > 5"))
    (meaning,) = (one for one in found.meanings if one.kind is MeaningKind.GATE_PASSED_BY)
    assert meaning.message == (
        "step `last` can now run without gate `review` though its former condition `input.level > 3` holds: "
        "`input.level` is 4 and `review` is skipped"
    )
    assert meaning.shows["input"] == {"level": 4}
    back = diff(reviewed("input.level > 5"), reviewed("input.level > 3"))
    assert said(back, MeaningKind.GATE_PASSED_BY) == []


def test_a_gate_that_every_run_passes_now() -> None:
    found = diff(reviewed("input.level > 3"), reviewed(None))
    assert said(found, MeaningKind.GATE_ALWAYS_PASSED) == [
        "every run that comes to `last` now passes gate `review`"
    ]
    assert "· every run that comes to `last`" in diff_text(found)
    added = diff(document(task("build"), task("last", after=["build"])), reviewed(None))
    assert len(said(added, MeaningKind.GATE_ALWAYS_PASSED)) == 1


def test_a_condition_on_what_is_gone_is_not_compared() -> None:
    found = diff(reviewed("input.level > 3"), reviewed("input.risk > 3", input={"risk": "integer"}))
    assert said(found, MeaningKind.GATE_PASSED_BY) == []
    (message,) = said(found, MeaningKind.NOT_COMPARED)
    assert "`input.level > 3` reads what isn't there any more" in message
    kept = diff(reviewed("input.level > 3"), reviewed(None, input={"risk": "integer"}))
    assert said(kept, MeaningKind.NOT_COMPARED) == []


def test_a_last_gate_is_told_of_the_end_of_its_flow() -> None:
    old = document(task("last"), gate("review", after=["last"]))
    new = document(task("last"), gate("review", after=["last"], on_kill="tidy"), task("tidy"))
    (message,) = said(diff(old, new), MeaningKind.GATE_PASSED_BY)
    assert message.startswith("flow `main` can now end well without gate `review`: ")


def test_a_step_that_is_a_gate_no_longer() -> None:
    new = document(task("build"), task("review", after=["build"]), task("last", after=["review"]))
    assert said(diff(reviewed(None), {**new}), MeaningKind.GATE_PASSED_BY) == [
        "step `last` no longer waits for gate `review`, which is now a `do`"
    ]


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            document(
                task("build"),
                task("test", after=["build"], on_fail="rescue"),
                task("rescue"),
                task("last", after=["test", "rescue"]),
            ),
            "step `last` can now run without `test` having succeeded: `test` fails",
        ),
        (
            document(task("build"), task("test", after=["build"]), task("last", after=["build"])),
            "step `last` can now run before `test` has succeeded",
        ),
        (
            document(task("build"), task("last", after=["build"])),
            "step `last` no longer waits for `test` to succeed, which is gone",
        ),
    ],
)
def test_a_check_that_can_be_passed_by(new: dict[str, Any], message: str) -> None:
    found = diff(checked(), new)
    assert said(found, MeaningKind.CHECK_PASSED_BY) == [message]
    assert f"! {message}" in diff_text(found)


def test_a_check_that_may_be_skipped_is_told_once() -> None:
    found = diff(checked(), checked(when="input.topic != ''"))
    assert len(said(found, MeaningKind.MAY_BE_SKIPPED)) == 1
    assert said(found, MeaningKind.CHECK_PASSED_BY) == []


def test_a_flow_that_can_not_end_well_any_more() -> None:
    hopeless = checked()
    hopeless["flows"]["main"]["steps"][1]["ensure"].append({"expr": "result.text == ''"})
    found = diff(checked(), hopeless)
    assert said(found, MeaningKind.CANNOT_COMPLETE) == ["no run of flow `main` can end well any more"]
    assert said(found, MeaningKind.BOUNDS) == []
    assert {one.fate for one in found.going_on} == {Fate.CANNOT}
    assert "error[FLOW_CANNOT_COMPLETE]" in diff_text(found)
    assert said(diff(hopeless, checked()), MeaningKind.CAN_COMPLETE) == [
        "runs of flow `main` can end well now"
    ]


def test_a_caller_of_a_flow_that_can_not_end_well() -> None:
    def calling(condition: str) -> dict[str, Any]:
        made = document({"id": "last", "run": "sub", "with": {}}, input={})
        ensure = [{"expr": "result.text != ''"}, {"expr": condition}]
        made["flows"]["sub"] = {
            "input": {},
            "output": {"from": "${made.output}", "contract": "Note"},
            "steps": [task("made", ensure=ensure)],
        }
        return made

    found = diff(calling("true"), calling("result.text == ''"))
    assert len(said(found, MeaningKind.CANNOT_COMPLETE)) == 2
    assert {one.flow for one in found.meanings} == {"main", "sub"}


def test_a_step_that_no_good_run_does() -> None:
    old = document(task("build"), task("more", after=["build"]), task("last", after=["build"]))
    new = document(
        task("build"),
        task("more", after=["build"], when="input.topic == 'a' && input.topic == 'b'"),
        task("last", after=["build"]),
    )
    reasons = {one.name: one.reason for one in diff(old, new).going_on}
    assert reasons["more"] == "no run that does this step can end well any more"
    assert reasons["build"] is None


def test_resets_that_have_changed() -> None:
    def revised(target: str, after: str) -> dict[str, Any]:
        steps = (task("plan"), task("build", after=["plan"]), task("extra", after=[after]))
        back = gate("review", after=["build", "extra"], on_revise=target)
        return document(*steps, back, task("last", after=["review"]), max_rounds=2)

    moved = diff(revised("plan", "plan"), revised("build", "plan"))
    assert said(moved, MeaningKind.NO_LONGER_RESET) == [
        "a revise at gate `review` no longer resets `plan`, `extra`"
    ]
    wider = diff(revised("build", "plan"), revised("build", "build"))
    assert said(wider, MeaningKind.NOW_RESET) == ["a revise at gate `review` now resets `extra`"]


def test_findings_are_compared_whatever_their_place_and_example() -> None:
    def reading(*first: dict[str, Any], limit: int) -> dict[str, Any]:
        maybe = task("maybe", when=f"input.level > {limit}")
        return document(*first, maybe, task("last", do="${maybe.output.text}"), input=LEVEL)

    old, new = reading(limit=3), reading(task("before"), limit=4)
    assert not diff(old, new).findings
    mended = document(task("maybe"), task("last", do="${maybe.output.text}"), input=LEVEL)
    found = diff(mended, old).findings
    assert [one.finding.code for one in found.new] == ["REF_MAY_BE_MISSING"]
    assert [one.finding.code for one in found.gone] == ["INPUT_UNUSED"]
    listed = json.loads(diff_json(diff(mended, old)))["findings"]
    assert (listed["new"][0]["severity"], listed["gone"][0]["note"]) == ("warning", None)
    assert "- new: warning `REF_MAY_BE_MISSING` " in diff_markdown(diff(mended, old))


def test_a_comment_that_silences_a_finding_is_no_change_but_told() -> None:
    text = json.dumps({"version": 1, "contracts": CONTRACTS})[:-1].replace('"version"', '"version"', 1)
    flows = json.dumps(document(task("last"), input={"topic": "string"})["flows"])
    old = f'{text},\n"flows": {flows}}}\n'
    new = f'{text},\n# stratumc: ignore[INPUT_UNUSED]\n"flows": {flows}}}\n'
    found = stratumc.diff(old, new)
    assert found.is_empty
    assert [one.note for one in found.findings.gone if one.finding.code == "INPUT_UNUSED"]
    assert "mean the same\n\nFindings:\n" in diff_text(found)
    (back,) = (one for one in stratumc.diff(new, old).findings.new if one.finding.code == "INPUT_UNUSED")
    assert back.note == "no longer ignored"


def test_an_evaluate_has_its_article() -> None:
    new = document(
        task("build"),
        {"id": "test", "after": ["build"], "evaluate": {"command": "x", "timeout_ms": 5}},
        task("last", after=["test"]),
    )
    assert "the step is now an `evaluate`" in [one.reason for one in diff(checked(), new).going_on]


def test_other_flows_than_the_entry_are_named() -> None:
    def called(when: dict[str, str]) -> dict[str, Any]:
        made = document({"id": "last", "run": "sub", "with": {"topic": "${input.topic}"}})
        inner = document(
            task("build"), gate("review", after=["build"], **when), task("last", after=["review"])
        )
        made["flows"]["sub"] = inner["flows"]["main"]
        return made

    found = diff(called({}), called({"when": "input.topic != ''"}))
    (message,) = said(found, MeaningKind.GATE_PASSED_BY)
    assert message.startswith("in flow `sub`: step `last` can now run without gate `review`: ")
