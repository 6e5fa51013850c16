"""Random runs on the flow engine keep to what the proofs say: bounds of good runs, and what never happens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratumc import CheckResult
from support.engine_player import EngineSubject
from support.flow_scripts import random_output
from support.flow_specs import random_input, random_spec

_MOST_CALLS = 120
RUNNING = ("ready", "running", "waiting_gate", "succeeded", "failed")


@dataclass
class Seen:
    """What one run has shown."""

    complete: bool
    dispatches: int
    decisions: int
    rounds: int
    ran: set[str]
    succeeded: set[str]


def play(spec: dict[str, Any], random: Random) -> Seen | None:
    """A run to its end, or to many calls; None when it can't be planned with the input."""
    subject = EngineSubject()
    if not subject.start(spec, random_input(random), None):
        return None
    seen = Seen(False, 0, 0, 0, set(), set())
    mood = random.choice((0.0, 0.1, 0.4))
    for _ in range(_MOST_CALLS):
        state = subject.engine.snapshot(subject.flow_id)
        _look(state, seen)
        ready, gates = state["ready"], state["gates"]
        if state["status"] != "in_progress" or not (ready or gates):
            break
        if gates and (not ready or random.random() < 0.4):
            op = {"op": "gate", "step": random.choice(gates), "decision": _decision(random)}
            seen.decisions += subject.call(op, subject.tokens()[op["step"]])
        else:
            report, token = _report(subject, random, random.choice(ready)["id"], mood)
            subject.call(report, token)
    return seen


def _look(state: dict[str, Any], seen: Seen) -> None:
    for name, step in state["steps"].items():
        if step["status"] in RUNNING:
            seen.ran.add(name)
        if step["status"] == "succeeded":
            seen.succeeded.add(name)
    seen.complete = state["status"] == "complete"
    seen.dispatches = state["ledger"]["spent"].get("dispatches", 0)
    seen.rounds = state["rounds"]


def _decision(random: Random) -> str:
    return random.choice(("approve", "approve", "revise", "revise", "kill"))


def _report(subject: EngineSubject, random: Random, at: str, mood: float) -> tuple[dict[str, Any], str]:
    """A result that fits, or a failure with its own reason each time; with the token of the dispatch."""
    issued = subject.engine.resume(subject.flow_id)["ready"]
    one = next(one for one in issued if one["step_id"] == at)
    if random.random() < mood:
        return {"op": "fail", "step": at, "reason": f"no {random.random()}"}, one["dispatch_token"]
    output = random_output(random, str(one["output_contract"]))
    return {"op": "done", "step": at, "output": output}, one["dispatch_token"]


def judge(spec: dict[str, Any], found: CheckResult, seen: Seen) -> None:
    """Nothing happened that a finding says never does; a good run keeps to the bounds."""
    main = spec["flows"]["main"]["steps"]
    for one in found.diagnostics:
        if not one.path.startswith("flows.main"):
            continue
        place = one.path.removeprefix("flows.main.steps[").partition("]")
        step = main[int(place[0])]["id"] if place[1] else ""
        if one.code == "STEP_NEVER_RUNS" and "fanout" not in place[2]:
            assert step not in seen.ran, one
        elif one.code == "FLOW_CANNOT_COMPLETE":
            assert not seen.complete, one
        elif one.code in ("ENSURE_CONTRADICTION", "UNTIL_NEVER_HOLDS") or (
            one.code == "REF_MAY_BE_MISSING" and one.severity == "error"
        ):
            assert step not in seen.succeeded, one
    if seen.complete:
        assert found.bounds is not None
        for name, limits in found.bounds["main"].items():
            amount = getattr(seen, name)
            assert limits["least"] <= amount, (name, limits, amount)
            assert limits["most"] is None or amount <= limits["most"], (name, limits, amount)


@settings(max_examples=12)
@given(st.integers(0, 10**7))
def test_runs_keep_to_the_proofs(seed: int) -> None:
    random = Random(seed)
    spec = random_spec(random)
    found = stratumc.check(json.dumps(spec), name="random.stratum.json", kind="spec")
    if any(one.family == "rule" and one.severity == "error" for one in found.diagnostics):
        return
    for _ in range(4):
        seen = play(spec, random)
        if seen is not None:
            judge(spec, found, seen)


def test_a_run_that_breaks_a_promise_is_noticed() -> None:
    """Runs of random flows do complete, and a judge that accepts everything would show here."""
    complete = 0
    for seed in range(6):
        random = Random(seed)
        spec = random_spec(random)
        found = stratumc.check(json.dumps(spec), name="random.stratum.json", kind="spec")
        seen = play(spec, random)
        if found.bounds is not None and seen is not None and seen.complete:
            complete += 1
            seen.dispatches = found.bounds["main"]["dispatches"]["least"] - 1
            with pytest.raises(AssertionError):
                judge(spec, found, seen)
    assert complete
