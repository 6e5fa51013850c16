"""Ledgers: amounts of any size are booked, told exactly, and held against the budget of each scope."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from support.flow_runs import Played, fanout, gate, note

KID = {
    "input": {"w": "string"},
    "output": {"from": "${k.output}", "contract": "Note"},
    "steps": [note("k", attempts=3)],
}
CALL = {"id": "call", "run": "kid", "with": {"w": "a"}}


@pytest.mark.parametrize(
    ("first", "second"), [(1e308, 1e308), (10**308, 1.5e308), (10**308, 10**308), (1.5e308, 10**308)]
)
def test_what_no_double_holds_is_booked_as_the_largest(first: float, second: float) -> None:
    run = Played(note("a"), note("last", after=["a"]))
    run.done("a", usage={"tokens": first})
    answer = run.done("last", usage={"tokens": second})
    assert answer["status"] == "complete"
    assert answer["ledger"]["spent"]["tokens"] == sys.float_info.max
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


def test_a_sum_that_no_double_holds_is_above_any_budget() -> None:
    run = Played(note("a"), note("last", after=["a"]), budget={"tokens": 1e308})
    run.done("a", usage={"tokens": 1e308})
    answer = run.done("last", usage={"tokens": 1e308})
    assert (answer["error_type"], answer["scope"]) == ("budget_exhausted", "flow")


def test_integers_are_summed_exactly() -> None:
    run = Played(note("a"), note("last", after=["a"]))
    run.done("a", usage={"tokens": 2**53})
    assert run.done("last", usage={"tokens": 1})["ledger"]["spent"]["tokens"] == 2**53 + 1


@pytest.mark.parametrize("usage", [{"tokens": 10**400}, {"tokens": -(10**400)}, {"x": [10**400]}, [10**400]])
def test_an_amount_that_no_double_holds_is_a_wrong_usage(usage: Any) -> None:
    run = Played(note("last"))
    answer = run.done("last", usage=usage)
    assert (answer["status"], answer["kind"]) == ("attempt_failed", "usage")
    assert answer["ledger"]["spent"] == {"dispatches": 2}
    (attempt,) = run.engine.audit(run.flow_id)["trace"][0]["attempts"]
    assert "1000" in json.dumps(attempt["usage"])
    assert run.done("last", usage={"tokens": 10**5000})["error_type"] == "invalid_argument"


def test_amounts_are_told_exactly() -> None:
    run = Played(note("a"), note("b"), note("last", after=["a", "b"]), budget={"usd": 0.3})
    run.done("a", usage={"usd": 0.1})
    run.done("b", usage={"usd": 0.1})
    answer = run.done("last", usage={"usd": 0.1})
    assert answer["error_type"] == "budget_exhausted"
    assert "usd 0.30000000000000004 of 0.3" in answer["message"]


def test_a_subflow_over_its_budget_says_which_and_how_much() -> None:
    run = Played({**CALL, "budget": {"tokens": 5}}, note("last", after=["call"]), flows={"kid": KID})
    answer = run.done("call/k", usage={"tokens": 6})
    assert (answer["status"], answer["error_type"]) == ("error", "flow_failed")
    spent = {"dispatches": 1, "tokens": 6}
    assert (answer["scope"], answer["spent"], answer["budget"]) == ("subflow", spent, {"tokens": 5})
    assert run.statuses() == {"call": "failed", "call/k": "failed", "last": "pending"}


def test_the_failure_names_the_step_that_the_message_names() -> None:
    run = Played(CALL, note("last", after=["call"]), flows={"kid": KID})
    for _ in range(3):
        answer = run.report("call/k", failure=f"no {_}")
    assert answer["error_type"] == "retries_exhausted"
    assert "`call/k`" in answer["message"]
    assert answer["failure"]["step_id"] == "call/k"


def test_a_dispatch_tells_the_ledger_of_its_step() -> None:
    stage = {"do": "do ${item}", "out": "Note"}
    run = Played(
        note("a", budget={"tokens": 10}, attempts=3),
        fanout("fan", stage, budget={"dispatches": 9}),
        note("last", after=["a", "fan"]),
        gate("check", after=["last"]),
        inputs={"xs": ["x"]},
    )
    answer = run.report("a", failure="no", usage={"tokens": 4})
    assert answer["ledger"]["step"] == {"spent": {"dispatches": 2, "tokens": 4}, "budget": {"tokens": 10}}
    assert answer["ready"][1]["ledger"]["step"] == {"spent": {"dispatches": 1}, "budget": {"dispatches": 9}}
    run.done("a")
    assert "step" not in run.done("fan/0")["ledger"]
