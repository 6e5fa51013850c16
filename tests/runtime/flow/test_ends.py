"""What is told once a run has ended, and of what led to its end."""

from __future__ import annotations

from typing import Any

import pytest

from support.flow_runs import Played, fanout, gate, note

STAGE = {"do": "do ${item}", "out": "Note", "attempts": 1}
CHECKED = (note("last", attempts=1), gate("check", after=["last"]))


def ended(how: str) -> Played:
    """A run that has ended so, with a checkpoint of its end."""
    revisable = (note("last"), gate("check", after=["last"], revise="last"))
    limits: dict[str, Any] = {"max_rounds": 1}
    if how == "budget_exhausted":
        limits["budget"] = {"tokens": 1}
    run = Played(*(revisable if how == "rounds" else CHECKED), **limits)
    match how:
        case "failed":
            run.report("last", failure="no")
        case "budget_exhausted":
            run.done("last", usage={"tokens": 2})
        case "killed":
            run.done("last")
            run.decide("check", "kill")
        case "rounds":
            for _ in range(2):
                run.done("last")
                run.decide("check", "revise")
        case _:
            run.done("last", "end")
            run.decide("check", "approve")
    run.engine.commit(run.flow_id, "end")
    return run


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ("failed", "failed"),
        ("rounds", "failed"),
        ("budget_exhausted", "budget_exhausted"),
        ("killed", "killed"),
        ("complete", "complete"),
    ],
)
def test_to_resume_or_revert_a_run_that_has_ended_is_no_error(how: str, status: str) -> None:
    run = ended(how)
    for answer, label in (
        (run.engine.resume(run.flow_id), None),
        (run.engine.revert(run.flow_id, "end"), "end"),
    ):
        assert (answer["status"], answer.get("reverted_to")) == (status, label)
        assert "error_type" not in answer
        assert answer["trace"]
        if status == "complete":
            assert answer["output"] == {"text": "end"}
        else:
            assert answer["message"] == answer["failure"]["reason"]
        if status == "budget_exhausted":
            assert (answer["scope"], answer["budget"]) == ("flow", {"tokens": 1})


def test_only_a_run_that_can_be_reverted_is_told_to_be() -> None:
    run = ended("complete")
    assert "stratum_revert" in run.done("last")["next"]
    other = Played(*CHECKED)
    other.engine.commit(other.flow_id, "start")
    other.engine.cancel(other.flow_id, "enough")
    for answer in (
        other.done("last"),
        other.decide("check", "approve"),
        other.engine.revert(other.flow_id, "start"),
        other.engine.commit(other.flow_id, "x"),
        other.engine.cancel(other.flow_id),
        other.engine.resume(other.flow_id),
    ):
        assert (answer["error_type"], answer["run_status"]) == ("flow_ended", "cancelled")
        assert answer["next"] == "read what happened with stratum_audit"


def test_an_empty_word_of_failure_is_none() -> None:
    run = Played(note("last"))
    assert (run.report("last", failure="")["error_type"], run.answer["argument"]) == (
        "invalid_argument",
        "failure",
    )


def test_the_last_item_and_its_fanout_fail_at_once() -> None:
    run = Played(fanout("fan", STAGE), note("last", after=["fan"]), inputs={"xs": ["a"]})
    answer = run.report("fan/0", result={"text": 1})
    assert (answer["error_type"], answer["failure"]["kind"]) == ("flow_failed", "require")
    assert [one["path"] for one in answer["violations"]] == ["text"]


def test_the_last_item_fails_and_its_fanout_leads_elsewhere() -> None:
    run = Played(
        fanout("fan", STAGE, on_fail="rescue"),
        note("rescue"),
        note("last", after=["rescue"]),
        inputs={"xs": ["a"]},
    )
    answer = run.report("fan/0", result={"text": 1})
    assert (answer["step_id"], answer["routed_from"], answer["failure"]["kind"]) == (
        "rescue",
        "fan",
        "require",
    )
    assert [one["path"] for one in answer["violations"]] == ["text"]


def test_a_failure_that_leads_to_the_end_by_itself_is_told_with_it() -> None:
    run = Played(
        note("a", attempts=1, on_fail="last"), {"id": "last", "set": {"text": '"spare"'}, "out": "Note"}
    )
    answer = run.report("a", result={"text": 1})
    assert (answer["status"], answer["output"]) == ("complete", {"text": "spare"})
    assert (answer["routed_from"], answer["failure"]["kind"]) == ("a", "contract")
    assert [one["path"] for one in answer["violations"]] == ["text"]


@pytest.mark.parametrize("outcomes", [("kill",), ("revise", "revise")], ids=["killed", "rounds"])
def test_the_failure_of_a_subflow_names_the_gate_that_ended_it(outcomes: tuple[str, ...]) -> None:
    kid = {
        "input": {"w": "string"},
        "output": {"from": "${k.output}", "contract": "Note"},
        "max_rounds": 1,
        "steps": [note("k"), gate("kg", after=["k"], revise="k")],
    }
    call = {"id": "call", "run": "kid", "with": {"w": "a"}}
    run = Played(call, note("last", after=["call"]), flows={"kid": kid})
    for outcome in outcomes:
        run.done("call/k")
        answer = run.decide("call/kg", outcome)
    assert answer["failure"]["step_id"] == "call/kg"
    assert "`call/kg`" in answer["message"]
