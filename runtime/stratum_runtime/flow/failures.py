"""Failures as JSON objects: what kind, why, and what was wrong in particular (runs.md sections 3 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stratum_runtime.contract import Violation
from stratum_runtime.expression import Failure, Value
from stratum_runtime.jsontext import number_text

Reason = dict[str, Any]
"""`kind`, `reason`; `violations` and `issues` of contracts and ensures; `attempt` once it is recorded."""

BUDGETS = {"flow": "flow budget", "subflow": "subflow budget", "task": "step budget"}


def failure(kind: str, reason: str, **more: Any) -> Reason:
    """A failure of that kind."""
    return {"kind": kind, "reason": reason, **more}


def contract_failure(what: str, found: Sequence[Violation]) -> Reason:
    """A value that breaks its contract; `what` names the value."""
    first = found[0]
    place = f" at `{first.path}`" if first.path else ""
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    reason = f"{what} breaks its contract{place}: expected {first.expected}, found {first.found}{more}"
    return failure(
        "contract",
        reason,
        issues=sorted(f"{one.kind}:{one.path}" for one in found),
        violations=[one.to_dict() for one in found],
    )


def predicate_failure(kind: str, predicate: str, outcome: Value | Failure, seen: dict[str, Any]) -> Reason:
    """An ensure or `until` that doesn't hold, with what it saw."""
    why = outcome_text(outcome)
    found = {"predicate": predicate, "reason": why, "values": seen}
    return failure(kind, f"`{predicate}` does not hold: {why}", violations=[found])


def outcome_text(outcome: Value | Failure) -> str:
    """Why an outcome isn't `true`, in words."""
    if isinstance(outcome, Failure):
        return f"{outcome.code}: {outcome.message}"
    return "it is false" if outcome.value is False else "it gives no boolean"


def budget_failure(scope: str, ledger: dict[str, float], budget: dict[str, float] | None) -> Reason:
    """A ledger that is over its budget, or would be with one more dispatch."""
    limits = {key: limit for key, limit in (budget or {}).items() if limit is not None}
    past = [key for key, limit in limits.items() if ledger.get(key, 0) > limit]
    past = past or [
        key for key, limit in limits.items() if ledger.get(key, 0) >= limit and key == "dispatches"
    ]
    what = ", ".join(f"{key} {number_text(ledger.get(key, 0))} of {number_text(limits[key])}" for key in past)
    return failure(
        "budget", f"the {BUDGETS[scope]} is used up: {what}", scope=scope, spent=dict(ledger), budget=limits
    )
