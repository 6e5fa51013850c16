"""Checkpoints, and an audit from which nothing that happened is ever missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore
from support.flow_runs import Played, fanout, gate, note


def looping() -> Played:
    return Played(
        note("a"), gate("check", revise="a", after=["a"]), note("last", after=["check"]), max_rounds=5
    )


def results(run: Played) -> list[str]:
    """Every result that the audit still has, archived or not, in some order."""
    audit = run.engine.audit(run.flow_id)
    attempts = [
        one for entry in [*audit["trace"], *audit["archived_iterations"]] for one in entry["attempts"]
    ]
    return sorted(one["result"]["text"] for one in attempts if "result" in one)


def test_what_was_reset_is_archived_with_its_round() -> None:
    run = looping()
    for text in ("one", "two", "three"):
        run.done("a", text)
        run.decide("check", "approve" if text == "three" else "revise")
    audit = run.engine.audit(run.flow_id)
    assert results(run) == ["one", "three", "two"]
    archived = [(old["step_id"], old["round"], old["because"]) for old in audit["archived_iterations"]]
    assert archived == [("a", 0, "reset"), ("check", 0, "reset"), ("a", 1, "reset"), ("check", 1, "reset")]
    assert (audit["round"], audit["iterations"]) == (2, {"check": 2})
    assert [entry["step_id"] for entry in audit["trace"]] == ["a", "check", "last"]
    assert audit["trace"][1]["attempts"][0]["outcome"] == "approve"


def test_what_was_reverted_is_archived_and_spending_stays() -> None:
    run = looping()
    run.engine.commit(run.flow_id, "start")
    run.done("a", "one", usage={"tokens": 3})
    answer = run.engine.revert(run.flow_id, "start")
    assert (answer["step_id"], answer["reverted_to"]) == ("a", "start")
    run.done("a", "two")
    assert results(run) == ["one", "two"]
    assert run.state["ledger"]["spent"] == {"dispatches": 1, "tokens": 3}
    assert [old["because"] for old in run.engine.audit(run.flow_id)["archived_iterations"]] == ["reverted"]


def test_a_revert_gives_fresh_tokens_and_old_ones_are_stale() -> None:
    run = looping()
    run.engine.commit(run.flow_id, "start")
    old = run.answer["dispatch_token"]
    run.engine.revert(run.flow_id, "start")
    assert run.done("a", dispatch_token=old)["error_type"] == "stale_dispatch"
    assert run.done("a")["status"] == "await_gate"


def test_a_label_used_again_keeps_its_place() -> None:
    run = looping()
    for label in ("b", "a", "b"):
        answer = run.engine.commit(run.flow_id, label)
    assert (answer["status"], answer["label"], answer["checkpoints"]) == ("committed", "b", ["b", "a"])
    assert (answer["step_number"], answer["current_step"]) == (1, "a")
    refused = run.engine.revert(run.flow_id, "c")
    assert (refused["error_type"], refused["checkpoints"]) == ("checkpoint_not_found", ["b", "a"])


def test_a_run_that_has_ended_can_be_reverted_but_not_one_that_was_cancelled() -> None:
    run = Played(note("last", attempts=1))
    run.engine.commit(run.flow_id, "start")
    run.report("last", failure="no")
    assert run.engine.revert(run.flow_id, "start")["status"] == "execute_step"
    assert run.done("last")["status"] == "complete"
    run.engine.revert(run.flow_id, "start")
    run.engine.cancel(run.flow_id, "enough")
    for answer in (
        run.engine.revert(run.flow_id, "start"),
        run.engine.commit(run.flow_id, "x"),
        run.engine.cancel(run.flow_id),
        run.engine.resume(run.flow_id),
    ):
        assert answer["error_type"] == "flow_ended"
    audit = run.engine.audit(run.flow_id)
    assert audit["status"] == "cancelled"
    assert {"call": "cancel", "reason": "enough"}.items() <= audit["calls"][-1].items()


def test_no_checkpoint_while_items_are_out() -> None:
    stage = {"do": "do ${item}", "out": "Note"}
    run = Played(fanout("fan", stage), note("last", after=["fan"]), inputs={"xs": ["a"]})
    assert run.engine.commit(run.flow_id, "x")["error_type"] == "fanout_in_flight"
    assert run.engine.revert(run.flow_id, "x")["error_type"] == "fanout_in_flight"
    run.done("fan/0")
    assert run.engine.commit(run.flow_id, "x")["status"] == "committed"


def test_subflows_and_items_have_their_own_part() -> None:
    kid = {
        "input": {"w": "string"},
        "output": {"from": "${k.output}", "contract": "Note"},
        "steps": [note("k")],
    }
    stage = {"do": "do ${item}", "out": "Note"}
    call = {"id": "call", "run": "kid", "with": {"w": "a"}}
    run = Played(
        call,
        fanout("fan", stage),
        note("last", after=["call", "fan"]),
        flows={"kid": kid},
        inputs={"xs": ["i"]},
    )
    run.done("call/k", "kid")
    run.done("fan/0", "item")
    audit = run.engine.audit(run.flow_id)
    (child,) = audit["child_audits"]
    assert (child["step_id"], child["flow_name"], child["inputs"]) == ("call", "kid", {"w": "a"})
    assert child["trace"][0]["attempts"][0]["result"] == {"text": "kid"}
    items = next(entry["items"] for entry in audit["trace"] if entry["step_id"] == "fan")
    assert (items[0]["step_id"], items[0]["attempts"][0]["result"]) == ("fan/0", {"text": "item"})


def test_another_process_takes_up_the_run_with_the_same_tokens(tmp_path: Path) -> None:
    run = Played(note("a"), note("last", after=["a"]), store=SqliteStore(tmp_path / "runs.sqlite"))
    other = FlowEngine(SqliteStore(tmp_path / "runs.sqlite"))
    assert other.resume(run.flow_id) == run.answer
    answer = other.step_done(
        run.flow_id, "a", result={"text": "x"}, dispatch_token=run.answer["dispatch_token"]
    )
    assert run.engine.resume(run.flow_id) == answer
    assert run.done("a", dispatch_token=run.answer["dispatch_token"])["error_type"] == "stale_dispatch"


def test_times_and_usage_are_kept() -> None:
    run = Played(note("last"))
    run.done("last", usage={"tokens": 2})
    (attempt,) = run.engine.audit(run.flow_id)["trace"][0]["attempts"]
    assert attempt["usage"] == {"tokens": 2}
    assert attempt["at"] > attempt["issued"]


def test_a_subflow_counts_its_own_rounds_and_iterations() -> None:
    kid = {
        "input": {"w": "string"},
        "output": {"from": "${k.output}", "contract": "Note"},
        "max_rounds": 3,
        "steps": [note("k"), gate("kg", after=["k"], revise="k")],
    }
    call = {"id": "call", "run": "kid", "with": {"w": "a"}, "after": ["a"]}
    run = Played(
        note("a"),
        call,
        gate("check", after=["call"], revise="a"),
        note("last", after=["check"]),
        flows={"kid": kid},
        max_rounds=3,
    )
    run.done("a")
    for _ in range(2):
        run.done("call/k")
        run.decide("call/kg", "revise")
    audit = run.engine.audit(run.flow_id)
    assert (audit["round"], audit["iterations"]) == (0, {"call/kg": 2})
    assert [(one["gate"], one["round"]) for one in audit["rounds"]] == [("call/kg", 1), ("call/kg", 2)]
    kept = [(old["step_id"], old["round"]) for old in audit["archived_iterations"]]
    assert kept == [("call/k", 0), ("call/kg", 0), ("call/k", 1), ("call/kg", 1)]
    run.done("call/k")
    (child,) = run.engine.audit(run.flow_id)["child_audits"]
    assert (child["rounds"], [entry["round"] for entry in child["trace"]]) == (2, [2, 2])
    run.decide("call/kg", "approve")
    run.decide("check", "revise")
    audit = run.engine.audit(run.flow_id)
    assert (audit["round"], audit["rounds"][-1]["round"]) == (1, 1)
    kept = [(old["step_id"], old["round"]) for old in audit["archived_iterations"][4:]]
    assert kept == [("a", 0), ("call/k", 2), ("call/kg", 2), ("call", 0), ("check", 0)]


def test_what_is_done_again_at_once_is_of_the_new_round() -> None:
    computed = {"id": "n", "set": {"n": "1"}, "out": "Num"}
    run = Played(
        computed, gate("check", revise="n", after=["n"]), note("last", after=["check"]), max_rounds=2
    )
    run.decide("check", "revise")
    audit = run.engine.audit(run.flow_id)
    assert [entry["round"] for entry in audit["trace"] if entry["step_id"] == "n"] == [1]


def test_each_step_is_told_with_its_own_time(tmp_path: Path) -> None:
    """The clock goes on by a second each time that it is asked."""
    verdict = json.dumps({"status": "closed", "children": [], "reason": "fine"})
    (tmp_path / "judge.py").write_text(f"print({verdict!r})", "utf-8")
    command = f"'{sys.executable}' -I judge.py"
    child = {
        "input": {},
        "output": {"from": "${w.output}", "contract": "Note"},
        "steps": [note("w")],
    }
    run = Played(
        note("a"),
        {"id": "e", "after": ["a"], "evaluate": {"command": command, "timeout_ms": 20_000}},
        gate("check", after=["e"]),
        {"id": "sub", "run": "child", "with": {}, "after": ["check"]},
        fanout("fan", {"do": "of ${item}", "out": "Note"}, after=["sub"]),
        note("last", after=["fan"]),
        inputs={"xs": ["x", "y"]},
        workspace=tmp_path,
        flows={"child": child},
    )
    assert run.done("a")["status"] == "await_gate"
    run.decide("check", "approve")
    run.done("sub/w")
    run.done("fan/0")
    run.done("fan/1")
    took = {step["step_id"]: step["duration_ms"] for step in run.engine.audit(run.flow_id)["trace"]}
    assert took == {"a": 1000, "e": 1000, "check": 1000, "sub": 1000, "fan": 2000, "last": 0}


def test_a_step_that_failed_is_not_completed() -> None:
    run = Played(note("a"), note("last", attempts=1, after=["a"]))
    run.done("a")
    run.report("last", failure="no")
    assert run.engine.audit(run.flow_id)["steps_completed"] == 1
    (line,) = run.engine.flows()["flows"]
    assert (line["steps_completed"], line["total_steps"]) == (1, 2)
