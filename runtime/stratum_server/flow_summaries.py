"""What the tools over runs say in words, for hosts that show only the text of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from stratum_server.gate_words import outcome_lines, rounds_text
from stratum_server.words import counted, cut, diagnostic_lines, listed

Answer = dict[str, Any]
_LINES = 20
_VERDICTS = {
    "schema_failed": "The result breaks its contract",
    "ensure_failed": "A postcondition does not hold",
    "attempt_failed": "The attempt failed",
    "iterate": "The loop goes on",
}


def run_summary(result: Answer) -> str:
    """What came of the call, where the run stands, and what the caller does next."""
    return "\n".join([*_happened(result), *_BY_STATUS[result["status"]](result)])


def _happened(result: Answer) -> Iterator[str]:
    """What the call did, apart from what is next."""
    if "resolved" in result:
        yield f"Gate `{result['resolved']['step_id']}`: {result['resolved']['outcome']}."
    if "steps_reset" in result:
        written = f" Carried over: {listed(result['carry_written'])}." if result["carry_written"] else ""
        yield f"To be done again: {listed(result['steps_reset'])}.{written}"
    if "reverted_to" in result:
        yield f"Back at checkpoint `{result['reverted_to']}`."
    if "failure" in result and "routed_from" in result:
        yield f"`{result['routed_from']}` failed for good: {cut(result['failure']['reason'])}"
    elif "routed_from" in result:
        yield f"Routed by `{result['routed_from']}`."
    if "failed" in result:
        yield f"`{result['failed']['step_id']}` failed for good: {cut(result['failed']['reason'])}"


def _dispatch(result: Answer) -> Iterator[str]:
    yield (
        f"Step `{result['step_id']}` ({result['step_number']} of {result['total_steps']}, attempt "
        f"{result['attempt']}) of run {result['flow_id']}. Do this: {cut(result['intent'])}"
    )
    if "previous_failure" in result:
        before = result["previous_failure"]
        failed = f"`{before['failed_step']}` failed: " if "failed_step" in before else ""
        yield f"Before: {failed}{cut(before['reason'])}"
    yield from _report(result)
    yield from _also_ready(result)
    yield from _gates(result.get("gates") or ())


def _report(result: Answer) -> Iterator[str]:
    """What the report must look like."""
    yield from _demands(result)
    left = counted(result["retries_remaining"], "more attempt")
    yield (
        f"Report it with stratum_step_done, dispatch_token {result['dispatch_token']} "
        f"({left} if this one fails)."
    )


def _demands(result: Answer) -> Iterator[str]:
    """The contract, and what else must hold of a result."""
    if result["output_contract"]:
        fields = ", ".join(f"{name}: {kind}" for name, kind in result["output_fields"].items())
        yield f"The result must be a {result['output_contract']} {{{cut(fields)}}}."
    if result["ensure"]:
        yield f"It must hold that: {cut('; '.join(result['ensure']))}"


def _also_ready(result: Answer) -> Iterator[str]:
    others = [one for one in result["ready"] if one["step_id"] != result["step_id"]]
    for one in others[:_LINES]:
        yield f"Also ready: `{one['step_id']}`, dispatch_token {one['dispatch_token']}: {cut(one['intent'])}"
        yield from (f"  {demand}" for demand in _demands(one))
    if len(others) > _LINES:
        yield f"and {len(others) - _LINES} more steps are ready"


def _gate(result: Answer) -> Iterator[str]:
    yield f"Run {result['flow_id']} waits for a decision."
    yield from _gates(result["gates"])


def _gates(gates: Sequence[Answer]) -> Iterator[str]:
    """Each gate that waits, with how it is resolved."""
    for gate in gates[:_LINES]:
        yield (
            f"Gate `{gate['step_id']}` waits, {rounds_text(gate)} rounds used: resolve it with "
            f"stratum_gate_resolve, gate_token {gate['gate_token']}"
        )
        yield from outcome_lines(gate)
    if len(gates) > _LINES:
        yield f"and {len(gates) - _LINES} more gates wait"


def _verdict(result: Answer) -> Iterator[str]:
    which = f" ({result['iteration']} of {result['max']})" if "iteration" in result else ""
    if result["violations"]:
        yield f"{_VERDICTS[result['status']]}{which}:"
    else:
        yield f"{_VERDICTS[result['status']]}{which}: {cut(result['reason'])}"
    yield from (f"- {_violation(one)}" for one in result["violations"][:_LINES])
    yield "Now again:"
    yield from _dispatch({name: value for name, value in result.items() if name != "previous_failure"})


def _violation(one: Answer) -> str:
    if "predicate" in one:
        seen = ", ".join(f"{name} = {cut(value)}" for name, value in one["values"].items())
        return f"`{cut(one['predicate'])}`: {cut(one['reason'])}" + (f"; it saw {cut(seen)}" if seen else "")
    if not one["path"]:
        mend = " (give `result`)" if one["found"] == "nothing" else ""
        return f"the whole: expected {one['expected']}, found {one['found']}{mend}"
    return f"`{one['path']}`: expected {one['expected']}, found {one['found']}"


def _waiting(result: Answer) -> Iterator[str]:
    yield f"Run {result['flow_id']} goes on; nothing is left to do for you now, something else is at work."


def _complete(result: Answer) -> Iterator[str]:
    yield f"Run {result['flow_id']} is complete. Output: {cut(result['output'])}"


def _ended(result: Answer) -> Iterator[str]:
    why = f": {cut(result['message'])}" if "message" in result else "."
    yield f"Run {result['flow_id']} is {result['status']}{why}"


def _committed(result: Answer) -> Iterator[str]:
    at = f"at step `{result['current_step']}`" if result["current_step"] else "with nothing under way"
    kept = listed(result["checkpoints"])
    yield f"Checkpoint `{result['label']}` of run {result['flow_id']} is kept, {at}. Checkpoints: {kept}."


def _error(result: Answer) -> Iterator[str]:
    yield f"{result['error_type']}: {cut(result['message'])}"
    yield from diagnostic_lines(result.get("diagnostics", ()))
    yield from (f"- {_violation(one)}" for one in result.get("violations", ())[:_LINES])
    if "trace" in result:
        yield f"Run {result['flow_id']} has ended: {result['run_status']}."
    if "checkpoints" in result:
        yield f"Checkpoints: {listed(result['checkpoints'])}."
    for one in result.get("ready", ())[:_LINES]:
        yield f"Ready: `{one['step_id']}`, dispatch_token {one['dispatch_token']}"
    for one in result.get("gates", ())[:_LINES]:
        yield f"Waiting: gate `{one['step_id']}`, gate_token {one['gate_token']}"
    if "next" in result:
        yield f"You can: {result['next']}."


_BY_STATUS: dict[str, Callable[[Answer], Iterator[str]]] = {
    "execute_step": _dispatch,
    "await_gate": _gate,
    "in_progress": _waiting,
    **dict.fromkeys(_VERDICTS, _verdict),
    "complete": _complete,
    **dict.fromkeys(("failed", "killed", "budget_exhausted"), _ended),
    "cancelled": _ended,
    "committed": _committed,
    "error": _error,
}


def validate_summary(result: Answer) -> str:
    """The verdict, the findings, and what every run must do."""
    found = [*result["errors"], *result["warnings"]]
    if result["valid"]:
        verdict = "The spec is valid."
    else:
        verdict = f"The spec has {counted(len(result['errors']), 'error')}."
    bounds = [_bounds(flow, limits) for flow, limits in result["bounds"].items()]
    mend = [f"You can: {result['next']}."] if "next" in result else []
    return "\n".join([verdict, *diagnostic_lines(found), *mend, *bounds])


def _bounds(flow: str, limits: dict[str, Answer]) -> str:
    spans = (f"{_span(span)} {what}" for what, span in limits.items())
    return f"A run of `{flow}` takes {', '.join(spans)}."


def _span(span: Answer) -> str:
    least, most = span["least"], span["most"]
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"


def audit_summary(result: Answer) -> str:
    """How the run stands, and each step in a line."""
    if result["status"] == "error":
        return "\n".join(_error(result))
    return "\n".join(_audit(result))


def _audit(result: Answer) -> Iterator[str]:
    yield (
        f"Run {result['flow_id']} of `{result['flow_name']}`: {result['status']}, "
        f"{result['steps_completed']} of {result['total_steps']} steps, "
        f"{counted(result['round'], 'round')} used."
    )
    if "failure" in result:
        yield f"Failed: {cut(result['failure']['reason'])}"
    if "output" in result:
        yield f"Output: {cut(result['output'])}"
    for step in result["trace"][:_LINES]:
        told = _decision if step["type"] == "gate" and step["attempts"] else _attempts
        yield f"- `{step['step_id']}` ({step['type']}): {step['status']}, {told(step['attempts'])}"
    if len(result["trace"]) > _LINES:
        yield f"and {len(result['trace']) - _LINES} more steps"
    for one in result["rounds"][:_LINES]:
        again = listed(one["steps_reset"])
        yield f"Round {one['round']}: gate `{one['gate']}` sent back {again}, {_by(one)}"
    yield f"Spent: {cut(result['ledger']['spent'])}"
    if result["checkpoints"]:
        yield f"Checkpoints: {listed(result['checkpoints'])}"


def _decision(attempts: list[Answer]) -> str:
    return f"{attempts[-1]['outcome']} {_by(attempts[-1])}"


def _by(made: Answer) -> str:
    """Who decided, which way the word came, and why."""
    why = f": {cut(made['rationale'])}" if made["rationale"] else ""
    return f"by {made['resolved_by']} ({made['channel']}){why}"


def _attempts(attempts: list[Answer]) -> str:
    last = attempts[-1] if attempts else {}
    why = f", the last failed: {cut(last['failure']['reason'])}" if "failure" in last else ""
    return counted(len(attempts), "attempt") + why


def flows_summary(result: Answer) -> str:
    """The runs, a line each."""
    if result["status"] == "error":
        return "\n".join(_error(result))
    runs = result["flows"]
    more = [f"and {len(runs) - _LINES} more"] if len(runs) > _LINES else []
    return "\n".join([f"{counted(len(runs), 'run')}.", *map(_run_line, runs[:_LINES]), *more])


def _run_line(run: Answer) -> str:
    gates = f", waiting at {listed(run['waiting_gates'])}" if run["waiting_gates"] else ""
    progress = f"{run['steps_completed']} of {run['total_steps']} steps"
    return f"- {run['flow_id']} of `{run['flow']}`: {run['status']}, {progress}{gates}"
