"""Recovery, revises, reverts and budgets together: cases that random scripts once found."""

from __future__ import annotations

from typing import Any

import pytest

from support.engine_player import EngineSubject
from support.flow_runs import gate, note, spec_of
from support.flow_scripts import Duel

GOOD = {"text": "x"}


def duel(*steps: dict[str, Any], **more: Any) -> Duel:
    return Duel(spec_of(*steps, **more), {}, EngineSubject())


def play(fight: Duel, *ops: str) -> dict[str, str]:
    """Plays `done a`, `fail a`, `approve g`, …; the status of each step afterwards."""
    for op in ops:
        kind, _, step = op.partition(" ")
        if kind == "done":
            fight.play({"op": "done", "step": step, "output": GOOD})
        elif kind == "fail":
            fight.play({"op": "fail", "step": step, "reason": "no"})
        elif kind in ("commit", "revert"):
            fight.play({"op": kind, "label": step})
        else:
            fight.play({"op": "gate", "step": step, "decision": kind})
    return {name: step["status"] for name, step in fight.state["steps"].items()}


@pytest.mark.parametrize("further", [[], [note("after-it", after=["lost"])]])
def test_a_step_that_lost_its_input_is_skipped_again_after_a_revise(further: list[dict[str, Any]]) -> None:
    fight = duel(
        note("bad", attempts=1, on_fail="last"),
        note("side"),
        note("lost", after=["bad", "side"]),
        *further,
        note("last"),
        gate("check", revise="side", after=["last", "side"]),
        max_rounds=2,
    )
    found = play(fight, "done side", "fail bad", "done last")
    assert (found["lost"], found["check"]) == ("skipped", "waiting_gate")
    found = play(fight, "revise check", "done side")
    assert {found[step["id"]] for step in [note("lost"), *further]} == {"skipped"}
    play(fight, "approve check")
    assert fight.state["status"] == "complete"


def test_a_step_that_joins_both_branches_goes_on_without_the_failed_one() -> None:
    fight = duel(
        note("bad", attempts=1, on_fail="rescue"),
        note("use", after=["bad"]),
        note("rescue"),
        note("join", after=["use", "rescue"], when="result.bad.text == 'x'"),
        note("last", after=["join"]),
    )
    found = play(fight, "fail bad", "done rescue")
    assert found == {
        "bad": "failed",
        "use": "skipped",
        "rescue": "succeeded",
        "join": "skipped",
        "last": "ready",
    }


def test_a_route_from_outside_of_a_reset_outlives_one_from_inside() -> None:
    fight = duel(
        gate("outside", approve="target"),
        gate("inside", approve="target"),
        gate("target", revise="inside", after=["inside"]),
        note("last", after=["target"]),
        max_rounds=2,
    )
    play(fight, "approve outside", "approve inside", "revise target")
    found = play(fight, "approve inside")
    assert found["target"] == "waiting_gate"


def test_a_target_routed_from_outside_only_is_not_skipped_after_a_reset() -> None:
    fight = duel(
        gate("outside", approve="target"),
        gate("inside", approve="target", kill="other"),
        gate("target", revise="inside", after=["inside"]),
        note("other"),
        note("last", after=["target", "other"]),
        max_rounds=2,
    )
    found = play(fight, "approve outside", "approve inside", "revise target", "kill inside")
    assert found["target"] == "waiting_gate"


def test_a_usage_of_the_wrong_shape_is_looked_at_before_budgets() -> None:
    fight = duel(note("first"), note("last", after=["first"]), budget={"tokens": 5})
    play(fight, "commit start")
    fight.play({"op": "done", "step": "first", "output": GOOD, "usage": {"tokens": 9}})
    assert fight.state["status"] == "budget_exhausted"
    play(fight, "revert start")
    fight.play({"op": "done", "step": "first", "output": GOOD, "usage": {"cents": 1}})
    assert fight.state["steps"]["first"]["failure"]["kind"] == "usage"
    assert fight.state["status"] == "budget_exhausted"


@pytest.mark.parametrize("own", [True, False])
def test_the_budget_of_a_called_flow_bounds_the_call(own: bool) -> None:
    kid = {
        "input": {},
        "output": {"from": "${k1.output}", "contract": "Note"},
        "steps": [note("k0"), note("k1", after=["k0"])],
    }
    call = {"id": "call", "run": "kid", "with": {}, "on_fail": "last"}
    budget = {"budget": {"dispatches": 1}}
    flows = {"kid": kid | (budget if own else {})}
    fight = duel(call | ({} if own else budget), note("last"), flows=flows)
    found = play(fight, "done call/k0")
    assert (found["call"], found["call/k1"], found["last"]) == ("failed", "pending", "ready")
    assert fight.state["steps"]["call"]["failure"]["kind"] == "budget"
