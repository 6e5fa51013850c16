"""Everything that happened in a run (tools.md, "stratum_audit")."""

from __future__ import annotations

from typing import Any

from stratum_runtime.configuration import ITERATIONS
from stratum_runtime.flow.answers import ledger
from stratum_runtime.flow.history import History, history_of, trace
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import CARRY, OUTPUT
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell

Answer = dict[str, Any]


def audit_answer(run: Run) -> Answer:
    """The whole history: nothing is left out, whatever was reset or reverted."""
    header, history = run.header, history_of(run)
    calls = [run.place((), number) for number in range(run.machine.control)]
    answer = {
        "flow_id": run.flow_id,
        "flow_name": run.machine.name,
        "status": run.status,
        "steps_completed": run.completed(),
        "total_steps": run.machine.control,
        "trace": trace(run, history, ()),
        "round": header["rounds"],
        "rounds": history.rounds,
        "iterations": _iterations(run),
        "archived_iterations": history.archived,
        "child_audits": [_child(run, history, place) for place in calls if _has_child(run, place)],
        "carry": carry_of(run),
        "ledger": ledger(run),
        "checkpoints": list(run.source.checkpoints()),
        "total_duration_ms": round(max(0.0, header["changed"] - header["created"]) * 1000, 3),
        "table_digest": header["digest"],
        "calls": list(run.source.trail()),
    }
    if run.status == "complete":
        answer["output"] = run.rows.row(OUTPUT)["value"]
    elif header["failure"] is not None:
        answer["failure"] = header["failure"]
    return answer


def carry_of(run: Run) -> Answer:
    """Carry values with where they came from."""
    found = {}
    for number, variable in enumerate(run.machine.data["carry"]):
        row = run.rows.row(f"{CARRY}{number}")
        if row:
            found[variable["name"]] = dict(row)
    return found


def _iterations(run: Run) -> Answer:
    """By step id, how often its `until` did not hold or, of a gate, how often it was revised."""
    found = {}
    for place in run.places():
        count = stored_cell(run.row(place))[ITERATIONS]
        if count:
            found[place.id] = count
    return found


def _has_child(run: Run, place: Place) -> bool:
    return place.step["construct"] == "run" and bool(run.rows.row(f"{place.key}/0"))


def _child(run: Run, history: History, place: Place) -> Answer:
    kept = run.rows.row(f"{place.key}/0")
    return {
        "step_id": place.id,
        "flow_name": run.table.machines[place.step["machine"]].name,
        "inputs": kept["input"],
        "rounds": kept.get("rounds", 0),
        "trace": trace(run, history, (place.region, 0)),
    }
