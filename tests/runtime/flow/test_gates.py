"""Decisions at gates: who makes them, where they lead, what a revise puts back."""

from __future__ import annotations

import pytest

from support.flow_runs import Played, gate, note

ENTRY = (note("a"), gate("check", revise="a", after=["a"], approve="yes", kill="no"), note("yes"), note("no"))
LAST = note("last", after=["yes", "no"])


def waiting(**more: object) -> Played:
    run = Played(*ENTRY, LAST, max_rounds=2, **more)  # type: ignore[arg-type]
    run.done("a", "one")
    return run


def test_a_waiting_gate_says_where_its_outcomes_lead() -> None:
    answer = waiting().answer
    assert (answer["status"], answer["step_id"]) == ("await_gate", "check")
    assert answer["routes"] == {"approve": "yes", "revise": "a", "kill": "no"}
    assert (answer["rounds_used"], answer["rounds_allowed"]) == (0, 2)


@pytest.mark.parametrize(("outcome", "target", "other"), [("approve", "yes", "no"), ("kill", "no", "yes")])
def test_a_named_target_is_routed_and_shows_the_decision(outcome: str, target: str, other: str) -> None:
    run = waiting()
    answer = run.decide("check", outcome, rationale="because")
    assert (answer["step_id"], "because" in answer["previous_failure"]["reason"]) == (target, True)
    assert answer["previous_failure"]["kind"] == "gate"
    run.done(target)
    assert run.statuses() == {
        "a": "succeeded",
        "check": "succeeded",
        target: "succeeded",
        other: "skipped",
        "last": "ready",
    }
    assert run.done("last")["status"] == "complete"


def test_a_revise_says_what_it_put_back() -> None:
    run = waiting()
    old = run.answer["gate_token"]
    answer = run.decide("check", "revise", rationale="again", resolved_by="agent", channel="mcp")
    assert (answer["step_id"], answer["steps_reset"], answer["carry_written"]) == (
        "a",
        ["a", "check", "yes", "no", "last"],
        [],
    )
    run.done("a", "two")
    assert run.answer["rounds_used"] == 1
    assert run.decide("check", "approve", gate_token=old)["error_type"] == "stale_gate"
    (made,) = run.engine.audit(run.flow_id)["rounds"]
    assert {key: made[key] for key in ("round", "gate", "rationale", "resolved_by", "channel")} == {
        "round": 1,
        "gate": "check",
        "rationale": "again",
        "resolved_by": "agent",
        "channel": "mcp",
    }


def test_rounds_used_up_fail_the_run() -> None:
    run = waiting()
    for text in ("two", "three"):
        run.decide("check", "revise")
        run.done("a", text)
    answer = run.decide("check", "revise")
    assert (answer["status"], answer["error_type"]) == ("error", "rounds_exhausted")
    assert run.state["status"] == "failed"
    assert run.state["rounds"] == 2


def test_the_gates_own_limit_counts_too() -> None:
    check = gate("check", revise="a", after=["a"])
    check["gate"]["max_rounds"] = 1
    run = Played(note("a"), check, note("last", after=["check"]), max_rounds=9)
    run.done("a")
    run.decide("check", "revise")
    run.done("a", "y")
    assert run.decide("check", "revise")["error_type"] == "rounds_exhausted"


def test_a_revise_without_a_route_is_refused() -> None:
    run = Played(gate("check"), note("last", after=["check"]))
    before = run.state
    assert run.decide("check", "revise")["error_type"] == "invalid_argument"
    assert run.state == before
    assert run.decide("check", "approve")["step_id"] == "last"


def test_kill_without_a_route_ends_the_run() -> None:
    run = Played(gate("check"), note("last", after=["check"]))
    answer = run.decide("check", "kill", rationale="no use")
    assert (answer["status"], "no use" in answer["message"]) == ("killed", True)
    assert run.state["status"] == "killed"
    assert run.state["failure"]["kind"] == "killed"


def test_a_killed_subflow_fails_its_step() -> None:
    kid = {
        "input": {},
        "output": {"from": "${k.output}", "contract": "Note"},
        "steps": [note("k"), gate("ask", after=["k"])],
    }
    call = {"id": "call", "run": "kid", "with": {}, "on_fail": "rescue"}
    run = Played(call, note("rescue"), note("last", after=["rescue"]), flows={"kid": kid})
    run.done("call/k")
    answer = run.decide("call/ask", "kill")
    assert (answer["step_id"], answer["routed_from"]) == ("rescue", "call")
    assert answer["previous_failure"]["kind"] == "killed"


@pytest.mark.parametrize(
    ("more", "taken"),
    [
        ({"resolved_by": "agent", "channel": "mcp"}, False),
        ({"resolved_by": "human", "channel": "mcp"}, False),
        ({"resolved_by": "human"}, False),
        ({"resolved_by": "system", "channel": "command line"}, False),
        ({"resolved_by": "human", "channel": "command line"}, True),
        ({"resolved_by": "human", "channel": "elicitation"}, True),
    ],
)
def test_gates_for_people_only(more: dict[str, str], taken: bool) -> None:
    run = Played(gate("check"), note("last", after=["check"]), gates="human")
    before = run.state
    answer = run.decide("check", "approve", **more)
    assert (answer["status"] == "execute_step") is taken
    if not taken:
        assert answer["error_type"] == "gate_needs_human"
        assert run.state == before


def test_carry_is_written_by_its_gate_with_where_it_came_from() -> None:
    steps = (
        {"id": "plan", "do": "plan", "out": "List"},
        {"id": "judge", "do": "of ${wave}", "out": "List", "after": ["plan"]},
        gate("again", revise="judge", after=["judge"]),
        note("last", after=["again"]),
    )
    carry = {"wave": {"initial": "${plan.output.xs}", "on_revise": {"again": "${judge.output.xs}"}}}
    run = Played(*steps, max_rounds=3, carry=carry)
    run.report("plan", result={"xs": ["a"]})
    assert run.engine.audit(run.flow_id)["carry"]["wave"] | {"at": 0} == {
        "value": ["a"],
        "source": "${plan.output.xs}",
        "round": 0,
        "at": 0,
    }
    run.report("judge", result={"xs": ["b"]})
    token = run.answer["gate_token"]
    answer = run.decide("again", "revise")
    assert (answer["carry_written"], answer["intent"]) == (["wave"], 'of ["b"]')
    assert run.engine.audit(run.flow_id)["carry"]["wave"] | {"at": 0} == {
        "value": ["b"],
        "source": "${judge.output.xs}",
        "round": 1,
        "gate": "again",
        "gate_token": token,
        "at": 0,
    }


def test_a_revise_whose_carry_has_no_value_changes_nothing() -> None:
    steps = (
        {"id": "plan", "do": "plan", "out": "List"},
        {"id": "side", "do": "side", "out": "List", "when": "false"},
        {"id": "judge", "do": "of ${wave}", "out": "List", "after": ["plan", "side"]},
        gate("again", revise="judge", after=["judge"]),
        note("last", after=["again"]),
    )
    carry = {"wave": {"initial": "${plan.output.xs}", "on_revise": {"again": "${side.output.xs}"}}}
    run = Played(*steps, max_rounds=3, carry=carry)
    run.report("plan", result={"xs": ["a"]})
    run.report("judge", result={"xs": ["b"]})
    before = run.state
    assert run.decide("again", "revise")["error_type"] == "carry_unresolved"
    assert run.state == before
