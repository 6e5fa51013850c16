"""The state of a run, step by step, as a plain object (conformance: RUNS.md, "Snapshot")."""

from __future__ import annotations

from typing import Any

from stratum_runtime.configuration import ATTEMPTS, EPOCH, ITERATIONS, STATE
from stratum_runtime.flow.answers import dispatch, ledger, previous_failure
from stratum_runtime.flow.audit import carry_of
from stratum_runtime.flow.history import status_of
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import OUTPUT
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell

Answer = dict[str, Any]


def snapshot_of(run: Run) -> Answer:
    """Status, ready, gates, every step there is, rounds, carry values, ledger, tokens of what is out."""
    list(run.rows.below(""))
    ready, gates = run.ready(), run.gates()
    found = {
        "flow_id": run.flow_id,
        "status": run.status,
        "ready": [_ready(run, place) for place in ready],
        "gates": [place.id for place in gates],
        "steps": {place.id: _step(run, place) for place in run.places()},
        "rounds": run.header["rounds"],
        "carry": {name: kept["value"] for name, kept in carry_of(run).items()},
        "ledger": ledger(run),
        "tokens": {place.id: run.row(place)["token"] for place in [*ready, *gates]},
    }
    if run.status == "complete":
        found["output"] = run.rows.row(OUTPUT)["value"]
    elif run.header["failure"] is not None:
        found["failure"] = run.header["failure"]
    return found


def _ready(run: Run, place: Place) -> Answer:
    shown = dispatch(run, place)
    row = run.row(place)
    found = {
        "id": place.id,
        "attempt": shown["attempt"],
        "do": shown["intent"],
        "agent": shown["agent"],
        "epoch": stored_cell(row)[EPOCH],
    }
    if previous_failure(row) is not None:
        found["previousFailure"] = previous_failure(row)
    if place.is_item:
        found |= {"stage": row["stage"], "isFinalStage": shown["is_final_stage"], "item": row["item"]}
    return found


def _step(run: Run, place: Place) -> Answer:
    row, cell = run.row(place), stored_cell(run.row(place))
    found: Answer = {"status": status_of(run, place), "attempts": cell[ATTEMPTS]}
    if "output" in row:
        found["output"] = row["output"]
    if cell[ITERATIONS]:
        found["iterations"] = cell[ITERATIONS]
    if "failure" in row:
        found["failure"] = row["failure"]
    if row.get("routed"):
        found["routed"] = row["routed"][-1]["failure"]
    if cell[EPOCH]:
        found["epoch"] = cell[EPOCH]
    if row.get("spent"):
        found["spent"] = dict(row["spent"])
    if "count" in row:
        found["items"] = [_item(run, run.place((place.region, n), 0)) for n in range(row["count"])]
    if place.step["construct"] == "run":
        rounds = run.rounds((place.region, 0)) if run.rows.row(f"{place.key}/0") else 0
        found |= {"rounds": rounds} if rounds else {}
    return found


def _item(run: Run, place: Place) -> Answer:
    row, cell = run.row(place), stored_cell(run.row(place))
    machine = run.table.machines[place.step["machine"]]
    name = machine.regions[0].names[cell[STATE]]
    status = "ready" if name.startswith("ready_") else "pending" if name.startswith("stage_") else name
    found: Answer = {"status": status, "stage": row["stage"], "attempts": cell[ATTEMPTS]}
    for part in ("output", "failure"):
        if part in row:
            found[part] = row[part]
    return found
