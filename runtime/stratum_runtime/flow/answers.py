"""What callers are told: dispatches, gates, verdicts, ends and refusals (tools.md)."""

from __future__ import annotations

from typing import Any

from stratum_runtime.configuration import EPOCH, ITERATIONS, TRIES
from stratum_runtime.contract import type_text
from stratum_runtime.flow.history import trace_of
from stratum_runtime.flow.judgment import ensure_text, shown
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import OUTPUT
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell
from stratum_runtime.template import resolve

Answer = dict[str, Any]

VERDICTS = {"contract": "schema_failed", "ensure": "ensure_failed", "iterate": "iterate"}
_NEXT = {
    "unknown_flow": "call stratum_flows for the runs there are",
    "unknown_step": "call stratum_resume for the steps that can be worked on",
    "not_ready": "call stratum_resume for the steps that can be worked on",
    "stale_dispatch": "use the dispatch_token of the newest dispatch; stratum_resume gives it",
    "stale_gate": "use the gate_token of the newest answer; stratum_resume gives it",
    "flow_ended": "read what happened with stratum_audit",
    "invalid_argument": "mend the argument and call again",
    "checkpoint_not_found": "use one of the labels in `checkpoints`",
    "fanout_in_flight": "report the items that are out, then call again",
    "carry_unresolved": "approve or kill the gate, or let the step that the value comes from run first",
    "gate_needs_human": "ask a person to run `stratumc gate`",
    "invalid_label": "give a label that is not empty",
    "invalid_input": "mend the inputs and plan again",
}


class RefusedCallError(Exception):
    """A call that is refused: its answer; nothing that it did is kept."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer["message"])
        self.answer = answer


def refusal(error_type: str, message: str, **more: Any) -> Answer:
    """A call that changed nothing, and what the caller can do."""
    answer = {"status": "error", "error_type": error_type, "message": message, **more}
    if error_type in _NEXT:
        answer["next"] = _NEXT[error_type]
    return answer


def flow_ended(run: Run) -> Answer:
    """The refusal of a call on a run that has ended; one that was cancelled can't be reverted."""
    found = refusal("flow_ended", f"the run has ended: {run.status}", **run_state(run))
    return found | {"next": _after_end(run)}


def _after_end(run: Run) -> str:
    """What can still be done with a run that has ended."""
    if run.status == "cancelled" or not run.source.checkpoints():
        return _NEXT["flow_ended"]
    return "read what happened with stratum_audit, or go back to a checkpoint with stratum_revert"


def run_state(run: Run) -> Answer:
    """The run's current state, for refusals: how it stands, what is ready, what waits."""
    return {
        "flow_id": run.flow_id,
        "run_status": run.status,
        "ready": [{"step_id": p.id, "dispatch_token": run.row(p)["token"]} for p in run.ready()],
        "gates": [{"step_id": p.id, "gate_token": run.row(p)["token"]} for p in run.gates()],
    }


def dispatch(run: Run, place: Place) -> Answer:
    """One step or item to be worked on, without the list of all that are."""
    row, step = run.row(place), place.step
    cell = stored_cell(row)
    work = step["stages"][row["stage"]] if place.is_item else step
    number = place.address[0] + 1
    answer = {
        "status": "execute_step",
        "flow_id": run.flow_id,
        "step_id": place.id,
        "step_number": number,
        "total_steps": run.machine.control,
        "function": place.function,
        "intent": row["text"],
        "inputs": _inputs(run, place, work["task"]),
        "output_contract": None if work["out"] is None else run.table.contracts[work["out"]]["name"],
        "output_fields": _fields(run, work["out"]),
        "ensure": [ensure_text(run, ensure) for ensure in work["ensure"] or ()],
        "retries_remaining": max(0, work["attempts"] - cell[TRIES] - 1),
        "attempt": cell[1] + 1,
        "agent": work["agent"],
        "step_mode": step["construct"],
        "dispatch_token": row["token"],
        "ledger": {**ledger(run), **_step_ledger(run, place)},
    }
    previous = previous_failure(row)
    if previous is not None:
        answer["previous_failure"] = {**previous, **_router(run, place)}
    return {**answer, **_item(row, place)} if place.is_item else answer


def _item(row: dict[str, Any], place: Place) -> Answer:
    step = place.step
    return {
        "item": row["item"],
        "item_index": place.address[1],
        "stage": row["stage"],
        "is_final_stage": row["stage"] == len(step["stages"]) - 1,
        "isolation": step["isolation"],
        "merge": step["merge"],
        "pre_merge": step["pre_merge"],
    }


def previous_failure(row: dict[str, Any]) -> Answer | None:
    """The failure to be shown with a step: its own latest, else what routed there."""
    found: Answer | None = row.get("failure")
    if found is None and row.get("routed"):
        found = row["routed"][-1]["failure"]
    return found


def _router(run: Run, place: Place) -> Answer:
    """The step whose failure led to a place that has no failure of its own."""
    row = run.row(place)
    if row.get("failure") is not None or not row.get("routed"):
        return {}
    router = run.place(place.scope, row["routed"][-1]["router"])
    return {} if router.step["construct"] == "gate" else {"failed_step": router.id}


def ledger(run: Run) -> Answer:
    """What the run has spent and may spend."""
    return {"spent": dict(run.header["spent"]), "budget": _limits(run.machine.data["budget"])}


def _step_ledger(run: Run, place: Place) -> Answer:
    """The same of the step (of an item, its fanout), when that has a budget of its own."""
    budget = _limits(place.step["budget"])
    if budget is None:
        return {}
    return {"step": {"spent": dict(run.rows.row(place.step_key).get("spent", {})), "budget": budget}}


def _limits(budget: dict[str, float] | None) -> dict[str, float] | None:
    return None if budget is None else {key: limit for key, limit in budget.items() if limit is not None}


def _inputs(run: Run, place: Place, task: int) -> Answer:
    """The references of a task as the spec writes them, with their values."""
    template, lookup = run.table.templates[task], run.lookup(place)
    found = {}
    for part in template["parts"]:
        if not isinstance(part, str):
            found[_reference_text(place, part)] = shown(resolve(part, lookup))
    return found


def _reference_text(place: Place, part: list[Any]) -> str:
    kind = part[0]
    if kind in ("item", "prev"):
        return str(kind)
    path = "".join(f"[{name}]" if isinstance(name, int) else f".{name}" for name in part[-1])
    if kind == "input":
        return f"input{path}"
    if kind == "carry":
        return f"{place.machine.data['carry'][part[1]]['name']}{path}"
    return f"{place.machine.regions[part[1]].name}.output{path}"


def _fields(run: Run, contract: int | None) -> Answer:
    if contract is None:
        return {}
    contracts = run.table.contracts
    return {
        name: type_text(contracts, kind) + ("?" if optional else "")
        for name, kind, optional in contracts[contract]["fields"]
    }


def gate(run: Run, place: Place) -> Answer:
    """One gate that waits."""
    row, step = run.row(place), place.step
    targets = {outcome: step[f"on_{outcome}"] for outcome in ("approve", "revise", "kill")}
    judged = [run.place(place.scope, region) for region in step["deps"]]
    return {
        "step_id": place.id,
        "gate_token": row["token"],
        "routes": {
            outcome: None if target is None else run.place(place.scope, target).id
            for outcome, target in targets.items()
        },
        "inputs": {one.id: run.row(one)["output"] for one in judged if "output" in run.row(one)},
        "rounds_used": run.rounds(place.scope),
        "rounds_allowed": place.machine.data["max_rounds"],
        "gate_rounds_used": stored_cell(row)[ITERATIONS],
        "gate_rounds_allowed": step["max_rounds"],
        "epoch": stored_cell(row)[EPOCH],
        **({"previous_failure": previous_failure(row)} if previous_failure(row) else {}),
    }


def ready_list(run: Run, first: Place | None = None) -> list[Answer]:
    """Every step that can be worked on, in the order of runs.md section 2; `first` comes first."""
    places = run.ready()
    if first is not None:
        places = [first, *(place for place in places if place.address != first.address)]
    return [dispatch(run, place) for place in places]


def next_answer(run: Run, first: Place | None = None) -> Answer:
    """What is next for the caller: a dispatch (`first`, if that is ready), a gate, or how the run ended."""
    if run.status != "in_progress":
        return end_answer(run)
    ready = ready_list(run, first)
    gates = [gate(run, place) for place in run.gates()]
    if ready:
        return {**ready[0], "ready": ready, **({"gates": gates} if gates else {})}
    common = {"flow_id": run.flow_id, "ready": [], "ledger": ledger(run)}
    if gates:
        return {"status": "await_gate", **common, **gates[0], "gates": gates}
    return {"status": "in_progress", **common}


def standing_answer(run: Run) -> Answer:
    """What is next, for a call that did not end the run: one that has ended is not its error then."""
    answer = next_answer(run)
    if answer["status"] == "error":
        answer |= {"status": run.status, "message": run.header["failure"]["reason"]}
        del answer["error_type"]
    return answer


def end_answer(run: Run) -> Answer:
    """How a run ended, with all that was done in it."""
    took = max(0.0, run.header["changed"] - run.header["created"]) * 1000
    common: Answer = {
        "flow_id": run.flow_id,
        "total_duration_ms": round(took, 3),
        "ledger": ledger(run),
        "trace": trace_of(run),
    }
    failed = run.header["failure"]
    if run.status == "complete":
        return {"status": "complete", "output": run.rows.row(OUTPUT)["value"], **common}
    if run.status == "killed":
        return {"status": "killed", "message": failed["reason"], "failure": failed, **common}
    if run.status == "cancelled":
        return {"status": "cancelled", **common}
    if failed["kind"] == "budget":
        common |= {key: failed.get(key) for key in ("scope", "spent", "budget")}
    common |= {"run_status": run.status, "next": _after_end(run)}
    if run.status == "budget_exhausted":
        return refusal("budget_exhausted", failed["reason"], failure=failed, **common)
    error = "rounds_exhausted" if failed["kind"] == "rounds" else "flow_failed"
    return refusal(
        error,
        f"the run has failed: {failed['reason']}",
        failure=failed,
        violations=failed.get("violations", []),
        **common,
    )


def verdict_answer(run: Run, place: Place, failed: Answer) -> Answer:
    """A result that was not accepted, with the new dispatch."""
    again = next_answer(run, place)
    answer = {
        **again,
        "status": VERDICTS.get(failed["kind"], "attempt_failed"),
        "kind": failed["kind"],
        "reason": failed["reason"],
        "violations": failed.get("violations", []),
    }
    if failed["kind"] == "iterate":
        answer["iteration"] = stored_cell(run.row(place))[ITERATIONS]
        answer["max"] = place.step["iterate"]["max"]
    return answer
