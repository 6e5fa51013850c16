"""Every answer of tools.md about reports: what is told, and what the caller can do next."""

from __future__ import annotations

from stratum_runtime.store import MemoryStore
from support.flow_runs import Played, fanout, gate, note, spec_of, table_of


def test_a_dispatch_has_everything_needed_to_work_on_it() -> None:
    run = Played(
        note("first"),
        note("last", do="go on from ${first.output.text} of ${input.xs}", attempts=3),
        inputs={"xs": ["é"]},
    )
    answer = run.done("first", "one")
    assert answer["status"] == "execute_step"
    shown = {key: value for key, value in answer.items() if key not in ("flow_id", "ready")}
    assert shown == {
        "status": "execute_step",
        "step_id": "last",
        "step_number": 2,
        "total_steps": 2,
        "function": "main.last",
        "intent": 'go on from one of ["é"]',
        "inputs": {"first.output.text": "one", "input.xs": ["é"]},
        "output_contract": "Note",
        "output_fields": {"text": "string"},
        "ensure": [],
        "retries_remaining": 2,
        "attempt": 1,
        "agent": "claude",
        "step_mode": "do",
        "dispatch_token": answer["dispatch_token"],
        "ledger": {"spent": {"dispatches": 2}, "budget": None},
    }
    assert answer["ready"] == [{**shown, "flow_id": run.flow_id}]


def test_an_item_says_which_it_is() -> None:
    stages = ({"do": "first ${item}", "out": "Note"}, {"do": "then ${prev}", "out": "Note"})
    run = Played(
        fanout("fan", *stages, require="any"), note("last", after=["fan"]), inputs={"xs": ["a", "b"]}
    )
    assert [one["step_id"] for one in run.answer["ready"]] == ["fan/0", "fan/1"]
    answer = run.done("fan/1", "B")
    item = answer["ready"][1]
    names = ("item", "item_index", "stage", "is_final_stage", "isolation", "merge", "step_mode", "intent")
    assert [item[name] for name in names] == [
        "b",
        1,
        1,
        True,
        "none",
        "sequential",
        "fanout",
        'then {"text":"B"}',
    ]
    assert item["function"] == "main.fan"


def test_a_broken_contract() -> None:
    run = Played(note("last"))
    answer = run.report("last", result={"text": 1, "more": 2})
    assert (answer["status"], answer["retries_remaining"], answer["attempt"]) == ("schema_failed", 0, 2)
    assert answer["violations"] == [
        {"kind": "extra", "path": "more", "expected": "no such field", "found": "integer"},
        {"kind": "wrong", "path": "text", "expected": "string", "found": "integer"},
    ] or {one["path"] for one in answer["violations"]} == {"more", "text"}
    assert answer["previous_failure"]["kind"] == "contract"
    assert answer["dispatch_token"] == answer["ready"][0]["dispatch_token"]


def test_an_ensure_that_does_not_hold_shows_what_it_saw() -> None:
    run = Played(note("last", ensure=[{"expr": "len(result.text) > 1"}]))
    answer = run.done("last", "x")
    assert answer["status"] == "ensure_failed"
    (violation,) = answer["violations"]
    assert violation["predicate"] == "len(result.text) > 1"
    assert violation["values"] == {"result": {"text": "x"}}
    assert "false" in violation["reason"]


def test_a_judged_claim_fails_and_says_why() -> None:
    run = Played(note("last", ensure=[{"judged": {"statement": "it is good", "stakes": "cheap"}}]))
    answer = run.done("last")
    assert (answer["status"], "no judge" in answer["reason"]) == ("ensure_failed", True)


def test_the_reporters_own_failure_a_bad_usage_and_the_budget_of_the_step() -> None:
    run = Played(note("last", attempts=5, budget={"tokens": 10}))
    answer = run.report("last", failure="the tool broke")
    assert (answer["status"], answer["kind"], answer["reason"]) == (
        "attempt_failed",
        "reported",
        "the tool broke",
    )
    answer = run.done("last", usage={"cents": 1})
    assert (answer["status"], answer["kind"], "cents" in answer["reason"]) == (
        "attempt_failed",
        "usage",
        True,
    )
    answer = run.done("last", "y", usage={"dispatches": 1, "tokens": 4})
    assert (answer["kind"], run.state["ledger"]["spent"]["tokens"]) == ("usage", 4)
    answer = run.done("last", "z", usage={"tokens": 7})
    assert (answer["status"], answer["error_type"]) == ("error", "retries_exhausted")
    assert answer["failure"]["kind"] == "budget"


def test_until_that_does_not_hold_yet() -> None:
    run = Played(
        {"id": "n", "do": "count", "out": "Num", "iterate": {"max": 3, "until": "result.n > 1"}},
        note("last", after=["n"]),
    )
    answer = run.report("n", result={"n": 0})
    assert (answer["status"], answer["iteration"], answer["max"]) == ("iterate", 1, 3)
    assert run.report("n", result={"n": 2})["step_id"] == "last"


def test_recovery_names_who_failed_and_why() -> None:
    run = Played(note("first", attempts=1, on_fail="rescue"), note("rescue"), note("last", after=["rescue"]))
    answer = run.report("first", result={})
    assert (answer["status"], answer["step_id"], answer["routed_from"]) == ("execute_step", "rescue", "first")
    assert answer["violations"][0]["path"] == "text"
    assert answer["previous_failure"]["kind"] == "contract"


def test_complete_has_the_output_and_all_that_was_done() -> None:
    run = Played(note("last"))
    run.report("last", failure="no")
    answer = run.done("last", "end")
    assert (answer["status"], answer["output"]) == ("complete", {"text": "end"})
    (listed,) = run.engine.flows()["flows"]
    took = (listed["last_change"] - listed["created"]) * 1000
    assert answer["total_duration_ms"] == run.engine.audit(run.flow_id)["total_duration_ms"] == took > 0
    (entry,) = answer["trace"]
    assert (entry["step_id"], entry["function_name"], entry["type"]) == ("last", "main.last", "do")
    assert [("failure" in one, one["attempt"]) for one in entry["attempts"]] == [(True, 1), (False, 2)]
    assert entry["attempts"][1]["result"] == {"text": "end"}


def test_attempts_used_up() -> None:
    run = Played(note("last", attempts=1))
    answer = run.report("last", result=[])
    assert (answer["status"], answer["error_type"]) == ("error", "retries_exhausted")
    assert answer["violations"]
    assert answer["trace"][0]["attempts"]


def test_something_that_followed_ended_the_run() -> None:
    bad = {"id": "bad", "after": ["first"], "set": {"n": "1 / 0"}, "out": "Num"}
    run = Played(note("first"), bad, note("last", after=["bad"]))
    answer = run.done("first")
    assert (answer["error_type"], answer["failure"]["step_id"]) == ("flow_failed", "bad")
    assert "division by zero" in answer["message"]


def test_items_that_are_not_enough_end_the_run() -> None:
    stage = {"do": "do ${item}", "out": "Note", "attempts": 1}
    run = Played(fanout("fan", stage), note("last", after=["fan"]), inputs={"xs": ["a", "b"]})
    answer = run.report("fan/0", failure="no")
    assert (answer["status"], answer["failed"]["step_id"]) == ("execute_step", "fan/0")
    answer = run.done("fan/1")
    assert (answer["error_type"], answer["failure"]["kind"]) == ("flow_failed", "require")


def test_a_budget_of_the_run_that_is_used_up() -> None:
    run = Played(note("first"), note("last", after=["first"]), budget={"tokens": 10, "usd": 1})
    answer = run.done("first", usage={"tokens": 11})
    assert (answer["error_type"], answer["scope"]) == ("budget_exhausted", "flow")
    assert (answer["spent"], answer["budget"]) == ({"dispatches": 1, "tokens": 11}, {"tokens": 10, "usd": 1})


def test_nothing_for_the_caller_now() -> None:
    run = Played(note("first"), gate("check", after=["first"]), note("last", after=["check"]))
    answer = run.done("first")
    assert (answer["status"], answer["step_id"], answer["ready"]) == ("await_gate", "check", [])
    assert answer["routes"] == {"approve": None, "revise": None, "kill": None}
    assert [one["step_id"] for one in answer["gates"]] == ["check"]


def test_refusals_say_where_the_run_is() -> None:
    run = Played(note("first"), note("last", after=["first"]))
    token = run.answer["dispatch_token"]
    for answer, error in (
        (run.done("ghost"), "unknown_step"),
        (run.done("first/0"), "unknown_step"),
        (run.done("last"), "not_ready"),
        (run.done("first", dispatch_token="made-up"), "stale_dispatch"),
        (run.engine.step_done("nope", "first"), "unknown_flow"),
        (run.decide("first", "approve"), "not_ready"),
        (run.engine.revert(run.flow_id, "none"), "checkpoint_not_found"),
        (run.engine.commit(run.flow_id, ""), "invalid_label"),
    ):
        assert (answer["status"], answer["error_type"]) == ("error", error)
        assert answer["message"]
        assert answer["next"]
        if error != "unknown_flow":
            assert answer["ready"] == [{"step_id": "first", "dispatch_token": token}]
    run.engine.cancel(run.flow_id, "enough")
    answer = run.done("first", dispatch_token=token)
    assert (answer["error_type"], answer["run_status"], answer["ready"]) == ("flow_ended", "cancelled", [])


def test_inputs_that_break_the_contract_start_nothing() -> None:
    store = MemoryStore()
    run = Played(note("last"), inputs={"xs": "no list", "more": 1}, store=store)
    assert run.answer["error_type"] == "invalid_input"
    assert {one["path"] for one in run.answer["violations"]} == {"xs", "more"}
    assert list(store.runs()) == []


def test_the_list_of_runs() -> None:
    run = Played(note("first"), gate("check", after=["first"]), note("last", after=["check"]))
    run.done("first")
    (line,) = run.engine.flows()["flows"]
    assert {
        key: line[key]
        for key in ("flow_id", "flow", "status", "steps_completed", "total_steps", "waiting_gates")
    } == {
        "flow_id": run.flow_id,
        "flow": "main",
        "status": "in_progress",
        "steps_completed": 1,
        "total_steps": 3,
        "waiting_gates": ["check"],
    }
    assert run.engine.flows(status="complete")["flows"] == []
    assert run.engine.flows(limit=1)["flows"] == [line]


def test_another_flow_of_the_document_can_be_run() -> None:
    kid = {
        "input": {"w": "string"},
        "output": {"from": "${k.output}", "contract": "Note"},
        "steps": [note("k")],
    }
    call = {"id": "call", "run": "kid", "with": {"w": "a"}}
    run = Played(call, note("last", after=["call"]), flows={"kid": kid})
    table = table_of(spec_of(call, note("last", after=["call"]), flows={"kid": kid}))
    answer = run.engine.plan(table, flow="kid", inputs={"w": "b"})
    assert (answer["step_id"], answer["function"], answer["total_steps"]) == ("k", "kid.k", 1)
    assert run.engine.plan(table, flow="none", inputs={})["error_type"] == "invalid_argument"


def test_a_report_that_is_accepted_tells_of_no_failure_before_it() -> None:
    run = Played(note("first"), note("other"), note("last", after=["first", "other"]))
    assert run.report("first", failure="not yet")["status"] == "attempt_failed"
    assert "failed" not in run.done("first")
    assert run.state["steps"]["first"]["failure"]["reason"] == "not yet"
    assert run.answer["status"] == "execute_step"


def test_what_is_to_be_done_again_comes_first() -> None:
    run = Played(note("first"), note("other"), note("last", after=["first", "other"]))
    answer = run.report("other", failure="not yet")
    assert answer["step_id"] == "other"
    assert [one["step_id"] for one in answer["ready"]] == ["other", "first"]


def test_a_revise_that_is_one_too_many_resets_nothing() -> None:
    run = Played(
        note("first"),
        gate("check", revise="first", after=["first"]),
        note("last", after=["check"]),
        max_rounds=1,
    )
    run.done("first")
    assert run.decide("check", "revise")["steps_reset"] == ["first", "check", "last"]
    run.done("first", "two")
    answer = run.decide("check", "revise")
    assert answer["error_type"] == "rounds_exhausted"
    assert not {"steps_reset", "carry_written"} & set(answer)


def test_attempts_that_could_not_even_begin_are_told_as_one_entry() -> None:
    run = Played(note("first", when="false"), note("last", do="go on from ${first.output.text}", attempts=3))
    (entry,) = run.engine.audit(run.flow_id)["trace"][1]["attempts"]
    assert (entry["first_attempt"], entry["attempt"]) == (1, 3)
    again = Played(note("last", attempts=1))
    again.report("last", failure="no")
    (entry,) = again.engine.audit(again.flow_id)["trace"][0]["attempts"]
    assert (entry.get("first_attempt"), entry["attempt"]) == (None, 1)
