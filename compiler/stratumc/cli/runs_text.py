"""Answers about runs as lines for a person at a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from stratum_runtime.jsontext import number_text

Answer = dict[str, Any]

_LONGEST = 100


def flows_text(answer: Answer) -> str:
    """A line for each run."""
    if not answer["flows"]:
        return "no runs"
    return "\n".join(_flow_line(run) for run in answer["flows"])


def _flow_line(run: Answer) -> str:
    gates = f"  waits at {', '.join(run['waiting_gates'])}" if run["waiting_gates"] else ""
    progress = f"{run['steps_completed']}/{run['total_steps']}"
    return (
        f"{run['flow_id']}  {run['flow']}  {run['status']}  {progress}  {moment(run['last_change'])}{gates}"
    )


def gates_text(answer: Answer) -> str:
    """A line for each gate that waits, with where its outcomes lead."""
    if not answer["gates"]:
        return "no gate waits"
    return "\n".join(_gate_line(gate) for gate in answer["gates"])


def _gate_line(gate: Answer) -> str:
    routes = ", ".join(f"{outcome} -> {target or '-'}" for outcome, target in gate["routes"].items())
    allowed = (
        "" if gate["rounds_allowed"] is None else f"  rounds {gate['rounds_used']}/{gate['rounds_allowed']}"
    )
    return f"{gate['flow_id']}  {gate['step_id']}  {routes}{allowed}"


def run_text(audit: Answer) -> str:
    """A run: how it stands, each step with its attempts, rounds, carry values, what it cost."""
    return "\n".join(_run_lines(audit))


def _run_lines(audit: Answer) -> Iterator[str]:
    progress = f"{audit['steps_completed']} of {audit['total_steps']} steps"
    yield f"{audit['flow_name']}  {audit['status']}  {progress}  run {audit['flow_id']}"
    if "failure" in audit:
        yield f"  {audit['failure']['reason']}"
    for entry in [*audit["trace"], *(one for child in audit["child_audits"] for one in child["trace"])]:
        yield from _step_lines(entry)
    for old in audit["archived_iterations"]:
        yield f"  before ({old['because']}): {old['step_id']}"
        yield from (f"    {attempt_text(attempt)}" for attempt in old["attempts"])
    for one in audit["rounds"]:
        why = f": {one['rationale']}" if one.get("rationale") else ""
        proposal = _proposal(one)
        yield f"round {one['round']}: {one['gate']} sent back {', '.join(one['steps_reset'])}{why}{proposal}"
    for name, kept in audit["carry"].items():
        yield f"carry {name} = {cut(kept['value'])}  (from {kept['source']}, round {kept['round']})"
    yield f"spent: {spent_text(audit) or 'nothing'}"
    if "output" in audit:
        yield f"output: {cut(audit['output'])}"


def spent_text(audit: Answer) -> str:
    """What a run has cost, each amount exactly."""
    return ", ".join(f"{key} {number_text(amount)}" for key, amount in audit["ledger"]["spent"].items())


def _step_lines(entry: Answer) -> Iterator[str]:
    yield f"  {entry['step_id']}  {entry['status']}"
    for attempt in [
        *entry["attempts"],
        *(one for item in entry.get("items", ()) for one in item["attempts"]),
    ]:
        yield f"    {attempt_text(attempt)}"


def attempt_text(attempt: Answer) -> str:
    """One attempt, or one decision at a gate."""
    if "outcome" in attempt:
        why = f": {attempt['rationale']}" if attempt.get("rationale") else ""
        who = f"{attempt['resolved_by']} ({attempt['channel']})"
        return f"{attempt['outcome']} by {who}{why}{_proposal(attempt)}"
    if "failure" in attempt:
        return f"attempt {attempt['attempt']} failed: {cut(attempt['failure']['reason'])}"
    return f"attempt {attempt['attempt']}: {cut(attempt.get('result'))}"


def _proposal(decision: Answer) -> str:
    """What an agent had proposed to the person who decided."""
    made = decision.get("proposed")
    if not made:
        return ""
    why = f": {cut(made['rationale'])}" if made.get("rationale") else ""
    return f"  (an agent proposed {made.get('outcome', 'nothing')}{why})"


def decided(answer: Answer) -> str:
    """What a decision led to."""
    made = answer["resolved"]
    lines = [f"{made['step_id']}: {made['outcome']}"]
    if answer.get("steps_reset"):
        lines.append(f"done again: {', '.join(answer['steps_reset'])}")
    ready = [one["step_id"] for one in answer.get("ready", ())]
    if ready:
        lines.append(f"ready: {', '.join(ready)}")
    elif answer["status"] == "await_gate":
        lines.append(f"waits at: {', '.join(gate['step_id'] for gate in answer['gates'])}")
    else:
        lines.append(f"run: {answer.get('message') or answer['status']}")
    return "\n".join(lines)


def cut(value: object) -> str:
    """A value for people: long ones are cut; the data keeps them whole."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def moment(seconds: float) -> str:
    """A time in UTC, to the second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
