"""Runs over MCP in every situation that tools.md documents an answer for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from support.flow_runs import fanout, gate, note, spec_of
from support.serving import Answer, Host


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
