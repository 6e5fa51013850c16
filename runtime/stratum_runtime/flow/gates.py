"""A decision at a gate: who may make it, and what the caller is told (runs.md section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stratum_runtime.event import Event
from stratum_runtime.flow.answers import Answer, RefusedCallError, next_answer, refusal, run_state
from stratum_runtime.flow.awaited import Awaited, awaited_place
from stratum_runtime.flow.moment import Moment
from stratum_runtime.flow.move import take
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run

_TRUSTED = ("command line", "elicitation")
"""Channels that only a person can use."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided at which gate, by whom, and which way the word came."""

    step_id: str
    outcome: str
    rationale: str
    resolved_by: str
    channel: str
    token: str | None
    human_only: bool
    proposed: dict[str, Any] | None = None
    """What an agent proposed to the person who decided: outcome and rationale."""


def resolve(moment: Moment, decision: Decision) -> Callable[[], Answer]:
    """Takes a decision; refuses one at a gate that doesn't wait, or that this channel may not make."""
    run = moment.run
    place = _waiting_place(run, decision)
    made = {name: getattr(decision, name) for name in ("outcome", "rationale", "resolved_by", "channel")}
    if decision.proposed is not None:
        made["proposed"] = decision.proposed
    moment.decision = made
    moment.call = {"call": "gate_resolve", "step_id": place.id}
    standing = run_state(run)
    now = {"at": moment.now, "issued": run.row(place)["issued"], "round": run.rounds(place.scope)}
    moment.tell("gate_resolved", place, **now, token=run.row(place)["token"], **made)
    run.take_out("gates", place)
    refused = take(moment, Event(decision.outcome, place.address))
    if refused is not None and refused.guard == "carries":
        raise RefusedCallError(
            refusal("carry_unresolved", str((moment.reason or {}).get("reason")), **standing)
        )
    if refused is not None:
        message = f"gate `{place.id}` has no way to {decision.outcome}; it can be approved or killed"
        raise RefusedCallError(refusal("invalid_argument", message, argument="outcome", **standing))
    return lambda: _answer(moment, place)


def _waiting_place(run: Run, decision: Decision) -> Place:
    place = awaited_place(run, Awaited.DECISION, decision.step_id, decision.token)
    if decision.human_only and (decision.channel not in _TRUSTED or decision.resolved_by != "human"):
        message = f"gate `{place.id}` is for a person to resolve, and this call proves none"
        raise RefusedCallError(refusal("gate_needs_human", message, **run_state(run)))
    return place


def _answer(moment: Moment, place: Place) -> Answer:
    run = moment.run
    answer = {**next_answer(run), "resolved": {"step_id": place.id, **moment.decision}}
    if moment.decision["outcome"] == "revise" and moment.was_reset:
        answer["steps_reset"] = moment.was_reset
        answer["carry_written"] = moment.written
    if moment.routed and run.status == "in_progress":
        answer["routed_from"] = moment.routed[0][0].id
    return answer
