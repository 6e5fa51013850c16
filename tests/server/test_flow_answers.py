"""Each documented answer of tools.md, over MCP: how it comes about, and what it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import flow_situations as at
from support.flow_runs import gate, note, spec_of
from support.flow_situations import Run
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


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(make_server(tmp_path_factory.mktemp("root"))) as connected:
        yield connected


@pytest.fixture
def run(host: Host) -> Run:
    return Run(host)


ANSWERS: list[tuple[Callable[[Run], Answer], str, list[str], str]] = [
    (at.a_task, "execute_step", DISPATCH, "Do this: of"),
    (at.a_retry, "attempt_failed", [*VERDICT, "previous_failure"], "the tool is missing"),
    (at.items, "execute_step", [*DISPATCH, *ITEM], "Also ready: `fan/1`"),
    (at.a_gate, "await_gate", GATE, "revise leads to `last`"),
    (at.schema_failed, "schema_failed", VERDICT, "`text`: expected string, found"),
    (at.ensure_failed, "ensure_failed", VERDICT, "it saw result"),
    (at.judged, "ensure_failed", VERDICT, "no judge"),
    (at.attempt_failed(usd=2), "retries_exhausted", ["failure", "trace"], "the step budget is used up"),
    (at.attempt_failed(dispatches=1), "attempt_failed", VERDICT, "counted by the engine"),
    (at.attempt_failed(usd=-1), "attempt_failed", VERDICT, "zero or more"),
    (at.iterate, "iterate", [*VERDICT, "iteration", "max"], "The loop goes on (1 of 3)"),
    (at.routed, "execute_step", [*DISPATCH, "routed_from", "violations"], "`first` failed for good"),
    (at.complete, "complete", ["output", "trace", "total_duration_ms"], "… (3012 characters in all)"),
    (at.retries_exhausted, "retries_exhausted", ["violations", "trace"], "`text`: expected string"),
    (at.set_failed, "flow_failed", ["failure", "trace"], "flow_failed: "),
    (at.require_failed, "flow_failed", ["failure", "trace"], "0 of 1 items succeeded"),
    (at.child_failed, "flow_failed", ["failure", "trace"], "flow_failed: "),
    (at.budget_exhausted, "budget_exhausted", ["scope", "spent", "budget"], "usd 2 of 1"),
    (at.a_revise, "execute_step", [*DISPATCH, "steps_reset", "carry_written"], "To be done again: `work`"),
    (at.approved, "execute_step", [*DISPATCH, "resolved"], "Gate `check`: approve."),
    (at.killed, "killed", ["message", "failure", "trace"], "is killed: "),
    (at.rounds_exhausted, "rounds_exhausted", ["failure", "trace"], "one round more"),
    (at.stale_gate, "stale_gate", STATE, "Waiting: gate `check`, gate_token 0"),
    (at.no_such_way, "invalid_argument", STATE, "Waiting: gate `check`"),
    (at.stale_dispatch, "stale_dispatch", STATE, "Ready: `last`, dispatch_token 0"),
    (at.unknown_step, "unknown_step", STATE, "Ready: `last`"),
    (at.not_ready, "not_ready", STATE, "Ready: `first`"),
    (at.twice, "stale_dispatch", [*STATE, "already"], "Ready: `last`"),
    (at.flow_ended, "flow_ended", STATE, "You can: "),
    (at.both_told, "invalid_argument", [*STATE, "argument"], "Ready: `last`"),
    (at.too_deep, "invalid_argument", ["argument", "message"], "nested deeper"),
    (at.too_large, "invalid_argument", ["argument", "message"], "larger than"),
    (at.not_a_number, "invalid_argument", ["argument", "message"], "a number that JSON doesn't have"),
    (at.invalid_spec, "invalid_spec", ["diagnostics", "message", "next"], "error REF_"),
    (at.invalid_input, "invalid_input", ["violations", "message"], "`xs`: expected string[]"),
    (at.no_such_flow, "invalid_argument", ["message"], "names no flow"),
    (at.committed, "committed", ["label", "step_number", "checkpoints"], "Checkpoint `start`"),
    (at.reverted, "execute_step", [*DISPATCH, "reverted_to"], "Back at checkpoint `start`."),
    (at.no_checkpoint, "checkpoint_not_found", [*STATE, "checkpoints"], "Checkpoints: `start`."),
    (at.no_label, "invalid_label", STATE, "empty"),
    (at.in_flight, "fanout_in_flight", STATE, "items out"),
    (at.resumed, "execute_step", DISPATCH, "Do this: "),
    (at.cancelled, "cancelled", ["flow_id", "trace"], "is cancelled"),
    (at.cancelled_twice, "flow_ended", STATE, "cancelled"),
    (at.no_result, "schema_failed", VERDICT, "found nothing (give `result`)"),
    (
        at.same_again,
        "retries_exhausted",
        ["run_status", "next"],
        "the same result as before, so it is not tried again",
    ),
    (at.rescued, "execute_step", [*DISPATCH, "previous_failure"], "Before: `first` failed: "),
    (at.last_round, "await_gate", GATE, "- revise would fail the run: the rounds are used up"),
    (at.beside, "execute_step", [*DISPATCH, "gates"], 'To be judged: `a` gave {"text": "judge me"}'),
    (at.inner_gate, "await_gate", GATE, "- revise leads to `last/w`"),
    (at.a_path, "invalid_spec", ["diagnostics", "next"], "You can: give the document's text as `spec`"),
    (at.retries_exhausted, "retries_exhausted", ["run_status", "next"], "has ended: failed."),
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
    answer = at.a_task(run)
    assert "é" * 700 in answer["intent"]
    assert "é" * 601 not in run.host.text


@pytest.mark.parametrize("tool", ["audit", "resume", "flow_cancel", "commit", "revert", "step_done"])
def test_a_run_that_is_not_there(run: Run, tool: str) -> None:
    more = {"commit": {"label": "x"}, "revert": {"label": "x"}, "step_done": {"step_id": "a"}}.get(tool, {})
    answer = run.call(tool, **more)
    assert (answer["status"], answer["error_type"]) == ("error", "unknown_flow")
    assert "You can: call stratum_flows" in run.host.text


def test_the_audit_leaves_nothing_out(run: Run) -> None:
    at.a_revise(run)
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
        at.a_gate(run)
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
    at.a_revise(run)
    run.done("work", "best")
    run.decide("check", "approve", rationale="well done")
    run.call("commit", label="decided")
    run.call("audit")
    assert "- `check` (gate): succeeded, approve by agent (mcp): well done" in run.host.text
    assert (
        "Round 1: gate `check` sent back `work`, `check`, `last`, by agent (mcp): too short" in run.host.text
    )
    assert "Checkpoints: `decided`" in run.host.text
