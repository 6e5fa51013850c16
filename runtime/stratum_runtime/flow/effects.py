"""The effects of rows on what a run keeps: attempts, outputs, carry, tokens, ledgers, audit trail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stratum_runtime.configuration import EPOCH
from stratum_runtime.contract import ABSENT
from stratum_runtime.flow.failures import Reason, failure
from stratum_runtime.flow.moment import Moment
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import CARRY, key_of
from stratum_runtime.flow.stored import stored_cell
from stratum_runtime.template import render

_STUCK = failure("stuck", "nothing can go on")


def _record_attempt(moment: Moment, place: Place, outcome: str) -> None:
    _record(moment, place, 1, outcome)


def _exhaust_attempts(moment: Moment, place: Place, missing: int, outcome: str) -> None:
    _record(moment, place, missing, outcome)


def _record(moment: Moment, place: Place, more: int, outcome: str) -> None:
    """Attempts with their result or failure; the last one's output is kept as evidence."""
    number = moment.count_attempts(place, more)
    row = moment.run.rows.change(place.key)
    event: dict[str, Any] = {"attempt": number, "at": moment.now, "epoch": _epoch(moment, place)}
    event["round"] = moment.run.rounds(place.scope)
    if more > 1:
        event["first_attempt"] = number - more + 1
    row.pop("evidence", None)
    began = moment.began.get(place.key, row.get("entered"))
    if began is not None:
        event["issued"] = began
    judged = outcome in ("accepted", "rejected")
    if judged and moment.reported is not None and place.key == moment.reported.key:
        event.update({"issued": row["issued"], "token": row["token"]})
        if moment.usage is not None:
            event["usage"] = moment.usage
    if judged:
        output = moment.new_output(place)
        if output is not ABSENT:
            event["result"] = output
    if outcome == "accepted":
        if place.is_item:
            row.pop("failure", None)
    else:
        reason = _reason(moment, place, outcome)
        reason["attempt"] = number
        if outcome == "rejected" and not moment.fresh:
            reason["identical"] = True
        row["failure"] = moment.reason = event["failure"] = reason
        if outcome == "rejected" and moment.output is not ABSENT:
            row["evidence"] = moment.output
    moment.tell("attempt", place, **event)


def _reason(moment: Moment, place: Place, outcome: str) -> Reason:
    if outcome == "rejected" and moment.fault is not None:
        return dict(moment.fault)
    if outcome == "child":
        return dict(moment.ends.get((*place.address, 0), _STUCK))
    if outcome == "require":
        row = moment.run.row(place)
        won = sum(bool(one.get("won")) for one in _items(moment, place, row["count"]))
        needed = place.step["require"]
        return failure("require", f"{won} of {row['count']} items succeeded, required: {needed}")
    return dict(moment.reason or failure(outcome, "the attempt failed"))


def _items(moment: Moment, place: Place, count: int) -> list[dict[str, Any]]:
    return [moment.run.rows.row(key_of((*place.address, number, 0))) for number in range(count)]


def _epoch(moment: Moment, place: Place) -> int:
    return stored_cell(moment.run.row(place))[EPOCH]


def _issue(moment: Moment, place: Place, _task: int) -> None:
    moment.run.book(place, {"dispatches": 1})
    row = moment.run.rows.change(place.key)
    row["text"], row["token"], row["issued"] = moment.found[place.key], moment.new_token(), moment.now
    moment.run.put_in("ready", place)
    moment.tell("issued", place, attempt=moment.attempts(place) + 1, token=row["token"])


def _await(moment: Moment, place: Place) -> None:
    row = moment.run.rows.change(place.key)
    row["token"], row["issued"] = moment.new_token(), moment.now
    moment.run.put_in("gates", place)
    moment.tell("gate_waiting", place, token=row["token"])


def _store_output(moment: Moment, place: Place) -> None:
    row, output = moment.run.rows.change(place.key), moment.new_output(place)
    if output is ABSENT:
        row.pop("output", None)
    else:
        row["output"] = output
    if place.is_item and row["stage"] == len(place.step["stages"]) - 1:
        row["won"] = True


def _write_carry(moment: Moment, place: Place, writes: list[list[int]]) -> None:
    lookup = moment.run.lookup(place, moment.new_output(place))
    templates = moment.run.table.templates
    values = [
        (carry, templates[template]["text"], render(templates[template], lookup))
        for carry, template in writes
    ]
    for carry, source, value in values:
        name = place.machine.data["carry"][carry]["name"]
        row: dict[str, Any] = {"value": value, "source": source, "at": moment.now}
        row["round"] = moment.run.header["rounds"]
        if place.step["construct"] == "gate":
            row["gate"], row["gate_token"] = place.id, moment.run.row(place).get("token")
        moment.run.rows.replace(f"{CARRY}{carry}", row)
        moment.written.append(name)
        moment.tell("carry_written", place, name=name, **row)


def _route(moment: Moment, place: Place, target: int) -> None:
    to = moment.run.place(place.scope, target)
    failed = place.step["construct"] != "gate"
    shown_there = moment.run.row(place)["failure"] if failed else _decision(moment, place)
    routed = moment.run.rows.change(to.key).setdefault("routed", [])
    routed[:] = [one for one in routed if one["router"] != place.region]
    routed.append({"router": place.region, "failure": shown_there})
    if failed:
        moment.routed.append((place, to))
    moment.tell("routed", place, to=to.id)


def _decision(moment: Moment, place: Place) -> Reason:
    made = moment.decision
    reason = f"gate `{place.id}`: {made['outcome']}" + (
        f": {made['rationale']}" if made.get("rationale") else ""
    )
    return {**failure("gate", reason), "attempt": 0, **made}


def _skip_region(moment: Moment, place: Place, skipped: tuple[int, ...]) -> None:
    for region in skipped:
        moment.tell("skipped", moment.run.place(place.scope, region), because=place.id)


def _reset(moment: Moment, place: Place, members: tuple[int, ...]) -> None:
    """Only cells, and routes from outside, outlive a reset; everything else is in the audit trail."""
    rows, inside = moment.run.rows, set(members)
    for region in members:
        one = moment.run.place(place.scope, region)
        old = rows.row(one.key)
        kept = {"cell": old["cell"]} if "cell" in old else {}
        routed = [route for route in old.get("routed", ()) if route["router"] not in inside]
        if routed:
            kept["routed"] = routed
        if old:
            rows.replace(one.key, kept)
        if one.step["construct"] in ("run", "fanout"):
            rows.drop(f"{one.key}/")
            moment.run.take_out_below(region)
        moment.run.take_out("ready", one)
        moment.run.take_out("gates", one)
        moment.forget_attempts(one)
        moment.was_reset.append(one.id)
    moment.tell("reset", place, steps=moment.was_reset, round=moment.run.rounds(place.scope))


def _count_round(moment: Moment, place: Place) -> None:
    """At once, so that what is done again in the same macrostep tells the new round."""
    run = moment.run
    kept = run.rows.change(key_of(place.scope)) if place.scope else run.header
    kept["rounds"] = kept.get("rounds", 0) + 1


def _enter(moment: Moment, place: Place, _machine: int) -> int:
    found, rows = moment.found[place.key], moment.run.rows
    rows.change(place.key)["entered"] = moment.now
    if place.step["construct"] == "run":
        rows.replace(f"{place.key}/0", {"input": found})
        return 1
    rows.change(place.key)["count"] = len(found)
    for number, item in enumerate(found):
        rows.replace(f"{place.key}/{number}/0", {"item": item, "stage": 0})
    return len(found)


def _next_stage(moment: Moment, place: Place) -> None:
    row = moment.run.rows.change(place.key)
    row["stage"] += 1
    row.pop("evidence", None)


def _log(moment: Moment, place: Place, word: str) -> None:
    if word == "skipped":
        moment.tell("skipped", place)


def _signal(moment: Moment, place: Place, event: str) -> None:
    moment.ends[place.scope] = _end_reason(moment, place, event)


def _signal_root(moment: Moment, place: Place, event: str) -> None:
    moment.ends[()] = _end_reason(moment, place, event)


def _end_reason(moment: Moment, place: Place, event: str) -> Reason:
    if event == "kill":
        by = moment.decision.get("rationale")
        reason = f"gate `{place.id}` killed the flow" + (f": {by}" if by else "")
        return failure("killed", reason, step_id=place.id)
    if event == "rounds":
        reason = f"gate `{place.id}` asked for one round more than there may be"
        return failure("rounds", reason, step_id=place.id)
    return {"step_id": place.id, **(moment.reason or _STUCK)}


EFFECTS: dict[str, Callable[..., int | None]] = {
    "record_attempt": _record_attempt,
    "exhaust_attempts": _exhaust_attempts,
    "issue": _issue,
    "await": _await,
    "store_output": _store_output,
    "write_carry": _write_carry,
    "route": _route,
    "skip_region": _skip_region,
    "count_round": _count_round,
    "reset": _reset,
    "enter": _enter,
    "next_stage": _next_stage,
    "log": _log,
    "signal": _signal,
    "signal_root": _signal_root,
}
"""The others (`count_iteration`, `start`) change nothing but the configuration."""
