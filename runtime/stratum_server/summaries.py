"""What flow tools say in words, for hosts that show only the text of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Answer = dict[str, Any]
_LONGEST = 600


def cut(text: object) -> str:
    """A text for people: long ones are cut, and say so; the data keeps them whole."""
    words = str(text)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}… ({len(words)} characters in all)"


def run_summary(result: Answer) -> str:
    """Where a run stands and what the caller does next."""
    write = _BY_STATUS.get(str(result.get("status")), _other)
    return write(result)


def _dispatch(result: Answer) -> str:
    words = (
        f"Do step `{result.get('step_id')}` ({result.get('step_number')} of {result.get('total_steps')}, "
        f"attempt "
        f"{result.get('attempt')}) of run {result.get('flow_id')}: {cut(result.get('intent'))}"
    )
    contract = (
        f"\nGive a result of contract `{result['output_contract']}`." if result.get("output_contract") else ""
    )
    token = f"\nReport it with stratum_step_done, dispatch_token {result.get('dispatch_token')}."
    others = [
        str(step.get("step_id"))
        for step in result.get("ready") or ()
        if step.get("step_id") != result.get("step_id")
    ]
    also = f"\nAlso ready: {', '.join(others)}." if others else ""
    routed = (
        f"Step `{result['routed_from']}` failed for good; recovery goes on.\n"
        if result.get("routed_from")
        else ""
    )
    return routed + words + contract + token + also


def _gate(result: Answer) -> str:
    return (
        f"Gate `{result.get('step_id')}` of run {result.get('flow_id')} waits for a decision (approve, "
        f"revise or kill): "
        f"stratum_gate_resolve, gate_token {result.get('gate_token')}."
    )


def _verdict(what: str) -> Callable[[Answer], str]:
    def write(result: Answer) -> str:
        faults = "; ".join(cut(fault) for fault in result.get("violations") or ())
        reason = faults or cut(result.get("reason") or result.get("message") or "")
        again = result.get("dispatch") or result.get("next") or result
        token = again.get("dispatch_token") if isinstance(again, dict) else None
        more = (
            f"\nTry again with dispatch_token {token}; {result.get('retries_remaining')} retries remain."
            if token
            else ""
        )
        return f"{what}: {reason}{more}"

    return write


def _complete(result: Answer) -> str:
    return f"Run {result.get('flow_id')} is complete. Output: {cut(result.get('output'))}"


def _waiting(result: Answer) -> str:
    return f"Accepted. Nothing for you now in run {result.get('flow_id')}; something else is still at work."


def _error(result: Answer) -> str:
    return f"{result.get('error_type')}: {cut(result.get('message'))}"


def _other(result: Answer) -> str:
    message = f" {cut(result['message'])}" if result.get("message") else ""
    return f"Run {result.get('flow_id')}: {result.get('status')}.{message}"


_BY_STATUS: dict[str, Callable[[Answer], str]] = {
    "execute_step": _dispatch,
    "await_gate": _gate,
    "schema_failed": _verdict("The result does not have the contract's form"),
    "ensure_failed": _verdict("A postcondition does not hold"),
    "attempt_failed": _verdict("The attempt failed"),
    "iterate": _verdict("Accepted, but the loop goes on"),
    "complete": _complete,
    "in_progress": _waiting,
    "error": _error,
}


def validate_summary(result: Answer) -> str:
    """The verdict and the first findings, a line each."""
    found = [*(result.get("errors") or ()), *(result.get("warnings") or ())]
    verdict = (
        "The spec is valid."
        if result.get("valid")
        else f"The spec has {len(result.get('errors') or ())} errors."
    )
    lines = [
        f"{item['span']['line']}:{item['span']['column']} {item['severity']} {item['code']}: "
        f"{item['message']}" + (f" ({item['suggestion']})" if item.get("suggestion") else "")
        for item in found[:20]
    ]
    more = [f"and {len(found) - 20} more"] if len(found) > 20 else []
    return "\n".join([verdict, *lines, *more])


def audit_summary(result: Answer) -> str:
    """Status and progress of a run."""
    if result.get("status") == "error":
        return _error(result)
    return (
        f"Run {result.get('flow_id')} of `{result.get('flow_name')}`: {result.get('status')}, "
        f"{result.get('steps_completed')} of {result.get('total_steps')} steps, round {result.get('round')}."
    )


def flows_summary(result: Answer) -> str:
    """The runs, a line each."""
    if result.get("status") == "error":
        return _error(result)
    runs = result.get("flows") or []
    lines = [
        f"{run.get('flow_id')} {run.get('flow_name', run.get('flow'))}: {run.get('status')}"
        for run in runs[:20]
    ]
    return "\n".join([f"{len(runs)} runs.", *lines])
