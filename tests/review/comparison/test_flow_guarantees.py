"""A diff of flows compares what the old version guaranteed with what the new one does."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import MeaningKind
from support.diffs import diff, said
from support.documents import document, gate, task

FACTS = {"risk": "low|mid|high", "n": "integer"}


def flow(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    made = document(*steps, **{"input": {"hot": "boolean"}, **fields})
    made["contracts"] = {**made["contracts"], "Facts": FACTS}
    return made


def test_a_gate_that_no_run_came_to_guaranteed_nothing() -> None:
    def reviewed(when: str) -> dict[str, Any]:
        return flow(
            task("draft", out="Facts"),
            gate("legal", after=["draft"], when=when),
            task("images", after=["draft"], out="Facts"),
            task("last", after=["images", "legal"]),
        )

    found = diff(reviewed("result.images.n > 3"), reviewed("!input.hot"))
    assert said(found, MeaningKind.GATE_PASSED_BY) == []


def test_a_step_that_never_ran_guaranteed_nothing() -> None:
    def posted(**when: str) -> dict[str, Any]:
        return flow(
            task("draft", on_fail="ghost"),
            task("ghost"),
            task("extra", when="input.hot"),
            task("last", after=["draft", "ghost", "extra"], **when),
        )

    assert said(diff(posted(when="false"), posted()), MeaningKind.CHECK_PASSED_BY) == []


def test_a_guarantee_by_the_conditions_of_two_steps() -> None:
    def shipped(**when: str) -> dict[str, Any]:
        return flow(
            gate("board", when="input.hot"),
            task("ship", after=["board"], **when),
            task("last", after=["ship"]),
        )

    (message,) = said(diff(shipped(when="input.hot"), shipped()), MeaningKind.GATE_PASSED_BY)
    assert (
        message == "step `ship` can now run without gate `board`: `input.hot` is false and `board` is skipped"
    )


def test_another_router_beside_a_gate_with_a_condition() -> None:
    board = gate("board", after=["last"], when="!input.hot", on_approve="ship")
    express = gate("express", after=["last"], when="input.hot", on_approve="ship")
    ship = task("ship", after=["last"])
    found = diff(flow(task("last"), board, ship), flow(task("last"), board, express, ship))
    assert said(found, MeaningKind.GATE_PASSED_BY) == [
        "step `ship` can now run without gate `board`: "
        "`input.hot` is true, `board` is skipped and gate `express` is approved"
    ]
    assert said(found, MeaningKind.NOT_COMPARED) == []
    assert all(one.fate is Fate.GOES_ON for one in found.going_on)


@pytest.mark.parametrize(
    "changed",
    [
        {"risk": "low|mid|high|none", "n": "integer"},
        {"risk": "high|mid|low", "n": "integer"},
        {"risk": "low|mid|high", "n": "number", "note": "string?"},
    ],
)
def test_a_condition_is_compared_when_what_it_reads_is_there(changed: dict[str, str]) -> None:
    def reviewed(when: str) -> dict[str, Any]:
        plan = task("plan", out="Facts")
        return flow(plan, gate("review", after=["plan"], when=when), task("last", after=["review"]))

    old, same, weaker = (
        reviewed(f"result.plan.risk {test}") for test in ("!= 'low'", "!= 'low'", "== 'high'")
    )
    for one in (same, weaker):
        one["contracts"]["Facts"] = changed
    assert said(diff(old, same), MeaningKind.NOT_COMPARED) == []
    assert said(diff(old, same), MeaningKind.GATE_PASSED_BY) == []
    (message,) = said(diff(old, weaker), MeaningKind.GATE_PASSED_BY)
    assert "though its former condition `result.plan.risk != 'low'` holds: `plan` returns risk " in message


def calling(step: dict[str, Any], *, last: tuple[str, ...] = ("check",), **when: str) -> dict[str, Any]:
    made = flow(
        task("plan", out="Facts"), {"after": ["plan"], **step, **when}, task("last", after=list(last))
    )
    inner = {"input": {}, "output": {"from": "${look.output}", "contract": "Note"}}
    officer = gate("officer", after=["look"])
    made["flows"]["scan"] = {**inner, "steps": [task("look"), officer]}
    made["flows"]["quick"] = {**inner, "steps": [task("look")]}
    made["flows"]["strict"] = {**inner, "steps": [task("look"), officer]}
    return made


def test_gates_of_called_flows_that_are_gone() -> None:
    old = calling({"id": "check", "run": "scan", "with": {}})
    start = "step `last` no longer waits for gate `check.officer`: "
    assert said(
        diff(old, calling({"id": "check", "run": "quick", "with": {}})), MeaningKind.GATE_PASSED_BY
    ) == [f"{start}`check` now runs `quick`"]
    assert said(diff(old, calling(task("check"))), MeaningKind.GATE_PASSED_BY) == [
        f"{start}`check` is now a `do`"
    ]
    strict = calling({"id": "check", "run": "strict", "with": {}})
    assert said(diff(old, strict), MeaningKind.GATE_PASSED_BY) == []


def test_a_called_flow_with_a_gate_that_may_be_skipped_or_is_not_waited_for() -> None:
    run = {"id": "check", "run": "scan", "with": {}}
    old, tightened = (calling(run, when=f"result.plan.n > {limit}") for limit in (10, 1000))
    (message,) = said(diff(old, tightened), MeaningKind.GATE_PASSED_BY)
    assert message == (
        "step `last` can now run without gate `check.officer` though `check`'s former condition "
        "`result.plan.n > 10` holds: `plan` returns n 11 and `check` is skipped"
    )
    loose = calling(run, last=("plan",), when="result.plan.n > 10")
    (message,) = said(diff(old, loose), MeaningKind.GATE_PASSED_BY)
    assert "without gate `check.officer` though `check`'s condition" in message


def test_a_gate_in_a_called_flow_that_other_arguments_pass_by() -> None:
    def called(level: int) -> dict[str, Any]:
        made = document(
            {"id": "check", "run": "scan", "with": {"level": level}}, task("last", after=["check"])
        )
        steps = [task("look"), gate("officer", after=["look"], when="input.level > 3")]
        output = {"from": "${look.output}", "contract": "Note"}
        made["flows"]["scan"] = {"input": {"level": "integer"}, "output": output, "steps": steps}
        return made

    assert len(said(diff(called(5), called(1)), MeaningKind.GATE_PASSED_BY)) == 1
    assert said(diff(called(5), called(7)), MeaningKind.GATE_PASSED_BY) == []


def test_a_decision_that_is_not_waited_for() -> None:
    def laid_out(after: str) -> dict[str, Any]:
        editor = gate("editor", after=["facts"], on_kill="sorry")
        return flow(task("facts"), editor, task("sorry"), task("last", after=[after]))

    assert said(diff(laid_out("editor"), laid_out("facts")), MeaningKind.GATE_PASSED_BY) == [
        "step `last` can now run before gate `editor` is decided"
    ]
    gone = flow(task("facts"), task("last", after=["facts"]))
    assert said(diff(laid_out("editor"), gone), MeaningKind.GATE_PASSED_BY) == [
        "step `last` no longer waits for the decision at gate `editor`, which is gone"
    ]


def test_runs_that_can_not_end_well_any_more_under_a_condition() -> None:
    def live(when: str) -> dict[str, Any]:
        return flow(
            task("plan", out="Facts"),
            gate("live", after=["plan"], when=when, on_approve="last"),
            task("last"),
        )

    found = diff(live("!input.hot"), live("!input.hot && result.plan.risk != 'low'"))
    (message,) = said(found, MeaningKind.MAY_NOT_COMPLETE)
    assert message == (
        "a run in which all work succeeds and every gate is approved may not end well now though "
        '`!input.hot` holds: `input.hot` is false, `plan` returns risk "low", `live` is skipped '
        "and `last` is skipped"
    )
    assert said(diff(live("!input.hot"), live("true")), MeaningKind.MAY_NOT_COMPLETE) == []


def test_a_step_that_is_always_skipped_now() -> None:
    found = diff(flow(task("more"), task("last")), flow(task("more", when="1 > 2"), task("last")))
    assert said(found, MeaningKind.MAY_BE_SKIPPED) == ["step `more` is now always skipped"]


def test_a_run_that_is_shown_has_all_that_contracts_require() -> None:
    old = flow(task("plan", out="Facts"), gate("review", after=["plan"]), task("last", after=["review"]))
    new = copy.deepcopy(old)
    new["flows"]["main"]["steps"][1]["when"] = "result.plan.n > 3"
    (one,) = (one for one in diff(old, new).meanings if one.kind is MeaningKind.GATE_PASSED_BY)
    assert one.shows["outputs"]["plan"].keys() == FACTS.keys()
    assert one.shows["input"].keys() == {"hot"}


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"a": "string"}, {"a": "integer"}, "its input `a` doesn't fit any more"),
        ({"a": "number"}, {"a": "integer"}, "its input `a` may not fit any more"),
        ({"a": "string?"}, {"a": "string"}, "if it wasn't given one, it has no input `a`"),
        ({"a": "string"}, {}, "its input `a` is none any more"),
        ({"a": "string?"}, {}, "if it was given one, its input `a` is none any more"),
        ({"a": "string"}, {"a": "string", "b": "string?"}, None),
        ({"a": "integer"}, {"a": "number?"}, None),
    ],
)
def test_inputs_of_runs_under_way(before: Any, after: Any, reason: str | None) -> None:
    found = diff(flow(task("last"), input=before), flow(task("last"), input=after))
    assert [one.reason for one in found.going_on] == [reason]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (task("more", when="input.hot"), None),
        (task("more", when="!input.hot"), "step `more`, which is new, comes first now, if it isn't skipped"),
        (task("more"), "step `more`, which is new, comes first now"),
    ],
)
def test_a_new_step_that_comes_first_unless_it_is_skipped(step: Any, reason: str | None) -> None:
    goal = task("cold", when="!input.hot && input.hot != true")
    condition = "result.first.n > 3" if reason is not None and "isn't skipped" in reason else step.get("when")
    added = {**step, "after": ["first"]}
    if condition is not None:
        added["when"] = condition
    first = task("first", out="Facts")
    old = flow(first, {**goal, "after": ["first"]}, task("last", after=["first"]))
    new = flow(first, added, {**goal, "after": ["more", "first"]}, task("last", after=["first"]))
    reasons = {one.name: one.reason for one in diff(old, new).going_on}
    assert reasons["cold"] == reason


def test_a_recovery_step_is_no_news_to_a_run_behind_it() -> None:
    old = flow(task("test"), task("waive"), task("last", after=["test"]))
    new = flow(task("test", on_fail="waive"), task("waive"), task("last", after=["test", "waive"]))
    reasons = {one.name: one.reason for one in diff(old, new).going_on}
    assert reasons["last"] is None


def test_what_could_not_end_well_before_is_no_news() -> None:
    def killed(text: str) -> dict[str, Any]:
        review = gate("review", on_approve="last", on_kill="abandon")
        return flow(review, task("abandon"), task("last", do=text))

    assert all(one.fate is Fate.GOES_ON for one in diff(killed("a"), killed("b")).going_on)


def test_an_undecided_question_is_told() -> None:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.proof.results import Undecided
    from stratumc.review.comparison.flow_pair import FlowPair
    from support.documents import spec_of

    facts = ProofFacts(SpecFacts(spec_of(flow(task("last"))))).flows["main"]
    pair = FlowPair(facts, facts)
    pair.note(Undecided("hard"), "step `a` can now run without gate `g`", step="a", gate="g")
    (told,) = pair.left_open()
    assert told.message == "it was too hard to decide whether step `a` can now run without gate `g`"
    assert json.loads(json.dumps(told.to_dict()))["shows"] == {"step": "a", "gate": "g"}


def test_bounds_of_flows_that_are_often_revised_are_not_compared() -> None:
    def long(text: str, count: int) -> dict[str, Any]:
        steps = [task("step0", do=text)]
        for number in range(1, count):
            before = [f"step{number - 1}"]
            steps.append(gate(f"step{number}", after=before, on_revise="step0"))
        return flow(*steps, task("last", after=[f"step{count - 1}"]), max_rounds=1)

    (message,) = said(diff(long("a", 40), long("b", 40)), MeaningKind.NOT_COMPARED)
    assert message == "bounds aren't compared: a flow has many steps and many ways back"
    assert said(diff(long("a", 5), long("b", 5)), MeaningKind.NOT_COMPARED) == []
