"""A report on a dispatch: whose it is, what is wrong with it, what the caller is told (runs.md, 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stratum_runtime.configuration import STATE
from stratum_runtime.contract import ABSENT
from stratum_runtime.event import Event
from stratum_runtime.expression_values import equal
from stratum_runtime.flow.answers import (
    Answer,
    RefusedCallError,
    end_answer,
    next_answer,
    refusal,
    run_state,
    verdict_answer,
)
from stratum_runtime.flow.arguments import within_doubles
from stratum_runtime.flow.awaited import Awaited, awaited_place
from stratum_runtime.flow.failures import Reason, failure
from stratum_runtime.flow.judgment import claim_failure, judge_result, usage_failure
from stratum_runtime.flow.moment import Moment
from stratum_runtime.flow.move import take
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell


@dataclass(frozen=True, slots=True)
class Report:
    """What a caller reports; `result` may be ABSENT, `failure` is its own word of failure."""

    step_id: str
    result: Any
    failure: str | None
    token: str | None
    usage: Any


def report(moment: Moment, told: Report) -> Callable[[], Answer]:
    """Takes a report; refuses one on what isn't out, or on an issue that is over."""
    run = moment.run
    place = awaited_place(run, Awaited.REPORT, told.step_id, told.token)
    row = run.row(place)
    moment.reported, moment.output, moment.usage = place, told.result, within_doubles(told.usage)
    moment.call = {"call": "step_done", "step_id": place.id}
    moment.fault = _fault(moment, place, told)
    moment.fresh = "evidence" not in row or told.result is ABSENT or not equal(told.result, row["evidence"])
    verdict = "accepted" if moment.fault is None else "rejected"
    if moment.fault is not None and moment.fault["kind"] == "iterate":
        verdict = "unfinished"
    run.take_out("ready", place)
    refused = take(moment, Event("result", place.address, verdict, fresh=moment.fresh))
    if refused is not None:
        raise RefusedCallError(refusal("not_ready", refused.message, **run_state(run)))
    return lambda: _answer(moment, place)


def _fault(moment: Moment, place: Place, told: Report) -> Reason | None:
    """Books the usage; the first thing wrong with the report but for budgets, which are rows of the table."""
    run, usage = moment.run, told.usage
    wrong = None if usage is None else usage_failure(usage)
    moment.booked = wrong is None
    if usage is not None and wrong is None:
        run.book(place, {name: amount for name, amount in usage.items() if name != "dispatches"})
    wrong = wrong or claim_failure(usage)
    if wrong is None and told.failure is not None:
        wrong = failure("reported", told.failure)
    return wrong or judge_result(run, place, run.row(place).get("stage", 0), told.result)


def _answer(moment: Moment, place: Place) -> Answer:
    """What the caller is told after the report was taken."""
    run = moment.run
    failed: Reason | None = run.row(place).get("failure") if moment.fault is not None else None
    if run.status != "in_progress":
        return _end(moment, place, failed)
    if failed is not None and run.is_in("ready", place):
        return verdict_answer(run, place, failed)
    if failed is None or not moment.routed:
        more = {} if failed is None else {"failed": {"step_id": place.id, **failed}}
        return {**next_answer(run), **more}
    _, target = moment.routed[0]
    first = target if run.is_in("ready", target) else None
    return {**next_answer(run, first), **_recovery(moment, failed)}


def _recovery(moment: Moment, failed: Reason) -> Answer:
    """Who failed for good and led elsewhere, why, and what was wrong with the report that caused it."""
    router, _ = moment.routed[0]
    shown = moment.run.row(router)["failure"]
    violations = shown.get("violations") or failed.get("violations", [])
    return {"routed_from": router.id, "failure": shown, "violations": violations}


def _end(moment: Moment, place: Place, failed: Reason | None) -> Answer:
    answer = end_answer(moment.run)
    if failed is None:
        return answer
    if moment.routed:
        return {**_recovery(moment, failed), **answer}
    if answer.get("error_type") != "flow_failed":
        return answer
    if place.is_item:
        answer["violations"] = answer["violations"] or failed.get("violations", [])
    elif _has_failed(moment.run, place) and failed.get("scope") != "subflow":
        answer["error_type"] = "retries_exhausted"
        answer["message"] = f"{_exhausted(place, failed)}: {answer['failure']['reason']}"
    return answer


def _exhausted(place: Place, failed: Reason) -> str:
    """Why a step is not tried again."""
    if failed.get("identical"):
        return f"`{place.id}` gave the same result as before, so it is not tried again"
    if failed["kind"] == "budget":
        return f"`{place.id}` is not tried again"
    if failed["kind"] == "iterate":
        return f"the iterations of `{place.id}` are used up"
    return f"the attempts of `{place.id}` are used up"


def _has_failed(run: Run, place: Place) -> bool:
    cell = stored_cell(run.row(place))
    return place.machine.regions[place.region].names[cell[STATE]] == "failed"
