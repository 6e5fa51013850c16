"""Each documented answer of tools.md, over MCP: how it comes about, and what it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.flow_runs import fanout, gate, note, spec_of
from support.serving import Answer, Host, hosted, make_server

DISPATCH = [
    *("flow_id", "step_id", "step_number", "total_steps", "function", "intent", "inputs", "output_contract"),
    *("output_fields", "ensure", "retries_remaining", "attempt", "agent", "step_mode", "dispatch_token"),
    *("ledger", "ready"),
]
ITEM = ["item", "item_index", "stage", "is_final_stage", "isolation", "merge", "pre_merge"]
GATE = ["flow_id", "step_id", "gate_token", "routes", "rounds_used", "rounds_allowed", "gates"]
VERDICT = [*DISPATCH, "violations", "reason", "kind"]
STATE = ["flow_id", "run_status", "ready", "gates", "message"]


class Run:
    """A run that is driven over MCP, and the last answer about it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.answer: Answer = {}
        self.flow_id = ""

    def plan(self, *steps: dict[str, Any], inputs: Any = None, **flow: Any) -> Answer:
        spec = json.dumps(spec_of(*steps, **flow))
        self.answer = self.host.call("stratum_plan", spec=spec, inputs=inputs or {})
        self.flow_id = self.answer.get("flow_id", "")
        return self.answer

    def call(self, tool: str, **arguments: Any) -> Answer:
        self.answer = self.host.call(f"stratum_{tool}", flow_id=self.flow_id, **arguments)
        return self.answer

    def done(self, step: str, text: str = "x", **more: Any) -> Answer:
        return self.report(step, result={"text": text}, **more)

    def report(self, step: str, **more: Any) -> Answer:
        return self.call("step_done", step_id=step, **more)

    def decide(self, step: str, outcome: str, **more: Any) -> Answer:
        return self.call("gate_resolve", step_id=step, outcome=outcome, **more)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(make_server(tmp_path_factory.mktemp("root"))) as connected:
        yield connected


@pytest.fixture
def run(host: Host) -> Run:
    return Run(host)


def a_task(run: Run) -> Answer:
    return run.plan(note("last", do="of ${input.xs}"), inputs={"xs": ["é" * 700]})


def a_retry(run: Run) -> Answer:
    run.plan(note("last"))
    return run.report("last", failure="the tool is missing")


def items(run: Run) -> Answer:
    stages = ({"do": "first ${item}", "out": "Note"}, {"do": "then ${prev}", "out": "Note"})
    return run.plan(fanout("fan", *stages), note("last", after=["fan"]), inputs={"xs": ["a", "b"]})


def a_gate(run: Run) -> Answer:
    run.plan(note("last"), gate("check", revise="last", after=["last"]), max_rounds=1)
    return run.done("last")


def schema_failed(run: Run) -> Answer:
    run.plan(note("last"))
    return run.report("last", result={"text": 5, "more": 1})


def ensure_failed(run: Run) -> Answer:
    run.plan(note("last", ensure=[{"expr": 'result.text == "yes"'}]))
    return run.done("last", "no")


def judged(run: Run) -> Answer:
    run.plan(note("last", ensure=[{"judged": {"statement": "It is good.", "stakes": "cheap"}}]))
    return run.done("last", "no")


def attempt_failed(**usage: Any) -> Callable[[Run], Answer]:
    def produce(run: Run) -> Answer:
        run.plan(note("last", attempts=3, budget={"usd": 1}))
        return run.done("last", usage=usage)

    return produce


def iterate(run: Run) -> Answer:
    run.plan(note("last", iterate={"max": 3, "until": 'result.text == "yes"'}))
    return run.done("last", "no")


def routed(run: Run) -> Answer:
    run.plan(
        note("first", attempts=1, on_fail="mend", ensure=[{"expr": 'result.text == "yes"'}]),
        note("mend"),
        note("last", after=["first", "mend"]),
    )
    return run.done("first", "no")


def complete(run: Run) -> Answer:
    run.plan(note("last"))
    return run.done("last", "é" * 3000)


def retries_exhausted(run: Run) -> Answer:
    run.plan(note("last", attempts=1))
    return run.report("last", result={})


def wrong_sum(after: str) -> dict[str, Any]:
    """A set step that fails whatever comes before it."""
    made = {"text": f"result.{after}.text"}
    return {"id": "sum", "set": made, "out": "Note", "ensure": [{"expr": "len(result.text) > 9"}]}


def set_failed(run: Run) -> Answer:
    run.plan(note("first"), wrong_sum("first") | {"after": ["first"]}, note("last", after=["sum"]))
    return run.done("first")


def require_failed(run: Run) -> Answer:
    stage = {"do": "${item}", "out": "Note", "attempts": 1}
    run.plan(fanout("fan", stage), note("last", after=["fan"]), inputs={"xs": ["a"]})
    return run.report("fan/0", failure="no")


def child_failed(run: Run) -> Answer:
    child = {
        "input": {},
        "output": {"from": "${only.output}", "contract": "Note"},
        "steps": [note("only"), wrong_sum("only") | {"after": ["only"]}],
    }
    run.plan({"id": "last", "run": "child", "with": {}}, flows={"child": child})
    return run.done("last/only")


def budget_exhausted(run: Run) -> Answer:
    run.plan(note("first"), note("last", after=["first"]), budget={"usd": 1})
    return run.done("first", usage={"usd": 2, "tokens": 10, "ms": 5})


def a_revise(run: Run) -> Answer:
    steps = (
        note("draft"),
        note("work", do="go on from ${wording}", after=["draft"]),
        gate("check", revise="work", after=["work"]),
        note("last", after=["check"]),
    )
    carry = {"wording": {"initial": "${draft.output.text}", "on_revise": {"check": "${work.output.text}"}}}
    run.plan(*steps, max_rounds=2, carry=carry)
    run.done("draft")
    run.done("work", "better")
    return run.decide("check", "revise", rationale="too short")


def approved(run: Run) -> Answer:
    run.plan(note("a"), gate("check", after=["a"]), note("last", after=["check"]))
    run.done("a")
    return run.decide("check", "approve", resolved_by="agent", gate_token=run.answer["gate_token"])


def killed(run: Run) -> Answer:
    a_gate(run)
    return run.decide("check", "kill", rationale="no")


def rounds_exhausted(run: Run) -> Answer:
    a_gate(run)
    for _ in range(2):
        if run.decide("check", "revise")["status"] == "execute_step":
            run.done("last", "again")
    return run.answer


def stale_gate(run: Run) -> Answer:
    a_gate(run)
    return run.decide("check", "approve", gate_token="old")


def no_such_way(run: Run) -> Answer:
    run.plan(note("last"), gate("check", after=["last"]))
    run.done("last")
    return run.decide("check", "revise")


def stale_dispatch(run: Run) -> Answer:
    run.plan(note("last"))
    return run.done("last", dispatch_token="old")


def unknown_step(run: Run) -> Answer:
    run.plan(note("last"))
    return run.done("ghost")


def not_ready(run: Run) -> Answer:
    run.plan(note("first"), note("last", after=["first"]))
    return run.done("last")


def twice(run: Run) -> Answer:
    run.plan(note("first"), note("last", after=["first"]))
    token = run.answer["dispatch_token"]
    run.done("first", dispatch_token=token)
    return run.done("first", dispatch_token=token)


def flow_ended(run: Run) -> Answer:
    complete(run)
    return run.done("last")


def both_told(run: Run) -> Answer:
    run.plan(note("last"))
    return run.done("last", failure="no")


def too_deep(run: Run) -> Answer:
    run.plan(note("last"))
    deep: Any = "x"
    for _ in range(190):
        deep = [deep]
    return run.report("last", result={"text": deep, "more": [[[[[[[[[[[[[deep]]]]]]]]]]]]]})


def too_large(run: Run) -> Answer:
    run.plan(note("last"))
    return run.done("last", "é" * 10_000_000)


def not_a_number(run: Run) -> Answer:
    run.plan(note("last"))
    return run.report("last", result='{"text": NaN}')


def invalid_spec(run: Run) -> Answer:
    return run.plan({"id": "last", "do": "of ${input.ghost}", "out": "Note"})


def invalid_input(run: Run) -> Answer:
    return run.plan(note("last"), inputs={"xs": "a"})


def no_such_flow(run: Run) -> Answer:
    return run.host.call("stratum_plan", spec=json.dumps(spec_of(note("last"))), flow="ghost")


def committed(run: Run) -> Answer:
    run.plan(note("first"), note("last", after=["first"]))
    return run.call("commit", label="start")


def reverted(run: Run) -> Answer:
    committed(run)
    run.done("first")
    run.done("last")
    return run.call("revert", label="start")


def no_checkpoint(run: Run) -> Answer:
    committed(run)
    return run.call("revert", label="ghost")


def no_label(run: Run) -> Answer:
    run.plan(note("last"))
    return run.call("commit", label="")


def in_flight(run: Run) -> Answer:
    items(run)
    return run.call("commit", label="x")


def resumed(run: Run) -> Answer:
    run.plan(note("last"))
    token = run.answer["dispatch_token"]
    assert run.call("resume")["dispatch_token"] == token
    return run.answer


def cancelled(run: Run) -> Answer:
    run.plan(note("last"))
    return run.call("flow_cancel", reason="enough")


def cancelled_twice(run: Run) -> Answer:
    cancelled(run)
    return run.call("flow_cancel")


def no_result(run: Run) -> Answer:
    run.plan(note("last"))
    return run.report("last")


def same_again(run: Run) -> Answer:
    run.plan(note("last", attempts=5, ensure=[{"expr": 'result.text == "yes"'}]))
    run.done("last", "no")
    return run.done("last", "no")


def rescued(run: Run) -> Answer:
    routed(run)
    return run.call("resume")


def last_round(run: Run) -> Answer:
    a_gate(run)
    run.decide("check", "revise")
    return run.done("last", "again")


def beside(run: Run) -> Answer:
    steps = (note("a"), gate("check", revise="a", after=["a"]), note("b"), note("last", after=["check", "b"]))
    run.plan(*steps, max_rounds=1)
    return run.done("a", "judge me")


def inner_gate(run: Run) -> Answer:
    child = {
        "input": {},
        "output": {"from": "${w.output}", "contract": "Note"},
        "max_rounds": 1,
        "steps": [note("w"), gate("check", revise="w", after=["w"])],
    }
    run.plan({"id": "last", "run": "child", "with": {}}, flows={"child": child})
    return run.done("last/w")


def a_path(run: Run) -> Answer:
    return run.host.call("stratum_plan", spec="flows/poem.stratum.yaml")


ANSWERS: list[tuple[Callable[[Run], Answer], str, list[str], str]] = [
    (a_task, "execute_step", DISPATCH, "Do this: of"),
    (a_retry, "attempt_failed", [*VERDICT, "previous_failure"], "the tool is missing"),
    (items, "execute_step", [*DISPATCH, *ITEM], "Also ready: `fan/1`"),
    (a_gate, "await_gate", GATE, "revise leads to `last`"),
    (schema_failed, "schema_failed", VERDICT, "`text`: expected string, found"),
    (ensure_failed, "ensure_failed", VERDICT, "it saw result"),
    (judged, "ensure_failed", VERDICT, "no judge"),
    (attempt_failed(usd=2), "retries_exhausted", ["failure", "trace"], "the step budget is used up"),
    (attempt_failed(dispatches=1), "attempt_failed", VERDICT, "counted by the engine"),
    (attempt_failed(usd=-1), "attempt_failed", VERDICT, "zero or more"),
    (iterate, "iterate", [*VERDICT, "iteration", "max"], "The loop goes on (1 of 3)"),
    (routed, "execute_step", [*DISPATCH, "routed_from", "violations"], "`first` failed for good"),
    (complete, "complete", ["output", "trace", "total_duration_ms"], "… (3012 characters in all)"),
    (retries_exhausted, "retries_exhausted", ["violations", "trace"], "`text`: expected string"),
    (set_failed, "flow_failed", ["failure", "trace"], "flow_failed: "),
    (require_failed, "flow_failed", ["failure", "trace"], "0 of 1 items succeeded"),
    (child_failed, "flow_failed", ["failure", "trace"], "flow_failed: "),
    (budget_exhausted, "budget_exhausted", ["scope", "spent", "budget"], "usd 2 of 1"),
    (a_revise, "execute_step", [*DISPATCH, "steps_reset", "carry_written"], "To be done again: `work`"),
    (approved, "execute_step", [*DISPATCH, "resolved"], "Gate `check`: approve."),
    (killed, "killed", ["message", "failure", "trace"], "is killed: "),
    (rounds_exhausted, "rounds_exhausted", ["failure", "trace"], "one round more"),
    (stale_gate, "stale_gate", STATE, "Waiting: gate `check`, gate_token 0"),
    (no_such_way, "invalid_argument", STATE, "Waiting: gate `check`"),
    (stale_dispatch, "stale_dispatch", STATE, "Ready: `last`, dispatch_token 0"),
    (unknown_step, "unknown_step", STATE, "Ready: `last`"),
    (not_ready, "not_ready", STATE, "Ready: `first`"),
    (twice, "stale_dispatch", [*STATE, "already"], "Ready: `last`"),
    (flow_ended, "flow_ended", STATE, "You can: "),
    (both_told, "invalid_argument", [*STATE, "argument"], "Ready: `last`"),
    (too_deep, "invalid_argument", ["argument", "message"], "nested deeper"),
    (too_large, "invalid_argument", ["argument", "message"], "larger than"),
    (not_a_number, "invalid_argument", ["argument", "message"], "a number that JSON has not"),
    (invalid_spec, "invalid_spec", ["diagnostics", "message", "next"], "error REF_"),
    (invalid_input, "invalid_input", ["violations", "message"], "`xs`: expected string[]"),
    (no_such_flow, "invalid_argument", ["message"], "names no flow"),
    (committed, "committed", ["label", "step_number", "checkpoints"], "Checkpoint `start`"),
    (reverted, "execute_step", [*DISPATCH, "reverted_to"], "Back at checkpoint `start`."),
    (no_checkpoint, "checkpoint_not_found", [*STATE, "checkpoints"], "Checkpoints: `start`."),
    (no_label, "invalid_label", STATE, "empty"),
    (in_flight, "fanout_in_flight", STATE, "items out"),
    (resumed, "execute_step", DISPATCH, "Do this: "),
    (cancelled, "cancelled", ["flow_id", "trace"], "is cancelled"),
    (cancelled_twice, "flow_ended", STATE, "cancelled"),
    (no_result, "schema_failed", VERDICT, "found nothing (give `result`)"),
    (
        same_again,
        "retries_exhausted",
        ["run_status", "next"],
        "the same result as before, so it is not tried again",
    ),
    (rescued, "execute_step", [*DISPATCH, "previous_failure"], "Before: `first` failed: "),
    (last_round, "await_gate", GATE, "- revise would fail the run: the rounds are used up"),
    (beside, "execute_step", [*DISPATCH, "gates"], 'To be judged: `a` gave {"text": "judge me"}'),
    (inner_gate, "await_gate", GATE, "- revise leads to `last/w`"),
    (a_path, "invalid_spec", ["diagnostics", "next"], "You can: give the document's text as `spec`"),
    (retries_exhausted, "retries_exhausted", ["run_status", "next"], "has ended: failed."),
]


@pytest.mark.parametrize(
    ("produce", "kind", "fields", "words"),
    ANSWERS,
    ids=[f"{number}-{kind}" for number, (_, kind, _, _) in enumerate(ANSWERS)],
)
def test_an_answer(
    run: Run, produce: Callable[[Run], Answer], kind: str, fields: list[str], words: str
) -> None:
    answer = produce(run)
    expected = (answer["status"], answer.get("error_type"))
    assert expected in ((kind, None), ("error", kind)), answer
    assert [name for name in fields if name not in answer] == []
    assert words in run.host.text
    assert len(run.host.text) < 6000


def test_every_documented_status_is_in_the_table() -> None:
    kinds = {kind for _, kind, _, _ in ANSWERS}
    statuses = "execute_step await_gate schema_failed ensure_failed attempt_failed iterate complete killed"
    errors = (
        "retries_exhausted flow_failed budget_exhausted stale_dispatch unknown_step not_ready flow_ended"
        " invalid_argument invalid_spec invalid_input stale_gate rounds_exhausted checkpoint_not_found"
    )
    assert {*statuses.split(), *errors.split()} <= kinds


def test_long_texts_are_whole_in_the_data(run: Run) -> None:
    answer = a_task(run)
    assert "é" * 700 in answer["intent"]
    assert "é" * 601 not in run.host.text


@pytest.mark.parametrize("tool", ["audit", "resume", "flow_cancel", "commit", "revert", "step_done"])
def test_a_run_that_is_not_there(run: Run, tool: str) -> None:
    more = {"commit": {"label": "x"}, "revert": {"label": "x"}, "step_done": {"step_id": "a"}}.get(tool, {})
    answer = run.call(tool, **more)
    assert (answer["status"], answer["error_type"]) == ("error", "unknown_flow")
    assert "You can: call stratum_flows" in run.host.text


def test_the_audit_leaves_nothing_out(run: Run) -> None:
    a_revise(run)
    run.report("work", failure="not today")
    answer = run.call("audit")
    fields = (
        "flow_id flow_name status steps_completed total_steps trace round rounds iterations"
        " archived_iterations child_audits carry ledger total_duration_ms table_digest"
    )
    assert [name for name in fields.split() if name not in answer] == []
    assert answer["rounds"][0]["rationale"] == "too short"
    assert answer["carry"]["wording"]["gate"] == "check"
    assert "the last failed: not today" in run.host.text


def test_the_list_of_runs(tmp_path: Path) -> None:
    with hosted(make_server(tmp_path)) as host:
        assert host.call("stratum_flows") == {"status": "ok", "flows": []}
        run = Run(host)
        a_gate(run)
        (line,) = host.call("stratum_flows", status="in_progress", limit=5)["flows"]
        assert (line["flow_id"], line["waiting_gates"]) == (run.flow_id, ["check"])
        assert f"{run.flow_id} of `main`: in_progress, 1 of 2 steps, waiting at `check`" in host.text
        assert "`limit` must be 1 or more" in host.malformed("stratum_flows", {"limit": 0})


def test_a_spec_is_checked_and_nothing_is_started(host: Host) -> None:
    before = host.call("stratum_flows")
    answer = host.call("stratum_validate", spec=json.dumps(spec_of(note("last"))))
    assert (answer["valid"], answer["errors"]) == (True, [])
    assert answer["bounds"]["main"]["dispatches"] == {"least": 1, "most": 2}
    assert "A run of `main` takes 1 to 2 dispatches" in host.text
    answer = host.call("stratum_validate", spec="version: 1\ncontracts: {}\nflows: {entry: a, a: 5}\n")
    places = {(one["code"], one["span"]["line"]) for one in answer["errors"]}
    assert (answer["valid"], ("SCHEMA_INVALID", 3) in places) == (False, True)
    assert "spec:3:" in host.text
    assert host.call("stratum_flows") == before


def test_nothing_for_the_caller_now() -> None:
    """No step of this version is worked on by the engine alone, but the answer is documented."""
    from stratum_server.flow_results import RunResult
    from stratum_server.flow_summaries import run_summary

    answer = {"status": "in_progress", "flow_id": "f", "ready": [], "ledger": {"spent": {}, "budget": None}}
    assert RunResult.model_validate(answer).ready == []
    assert "nothing is left to do for you now" in run_summary(answer)


def test_what_is_left_out_may_be_null(run: Run) -> None:
    spec = json.dumps(spec_of(note("a"), gate("check", after=["a"]), note("last", after=["check"])))
    run.flow_id = run.host.call("stratum_plan", spec=spec, inputs=None)["flow_id"]
    run.done("a")
    answer = run.decide("check", "approve", rationale=None, resolved_by=None)
    assert (answer["resolved"]["rationale"], answer["resolved"]["resolved_by"]) == ("", "agent")


def test_the_audits_words_say_who_decided_and_why(run: Run) -> None:
    a_revise(run)
    run.done("work", "best")
    run.decide("check", "approve", rationale="well done")
    run.call("commit", label="decided")
    run.call("audit")
    assert "- `check` (gate): succeeded, approve by agent (mcp): well done" in run.host.text
    assert (
        "Round 1: gate `check` sent back `work`, `check`, `last`, by agent (mcp): too short" in run.host.text
    )
    assert "Checkpoints: `decided`" in run.host.text
