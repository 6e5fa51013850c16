"""Checkpoints: the state of a run kept under a label, and put back (runs.md section 7)."""

from __future__ import annotations

from collections.abc import Callable

from stratum_runtime.configuration import PENDING, STATE, SUCCEEDED
from stratum_runtime.flow.answers import Answer, RefusedCallError, refusal, run_state, standing_answer
from stratum_runtime.flow.moment import Moment
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell


def commit_run(moment: Moment, label: str) -> Callable[[], Answer]:
    """Keeps the state under the label; the first use of a label decides its place."""
    run, writer = moment.run, moment.writer
    _refuse_fanout(run, "commit")
    if not label:
        raise RefusedCallError(refusal("invalid_label", "the label is empty", **run_state(run)))
    writer.save_checkpoint(label, run.header)
    moment.call = {"call": "commit", "label": label}
    current = _current(run)
    answer = {
        "status": "committed",
        "flow_id": run.flow_id,
        "run_status": run.status,
        "label": label,
        "step_number": run.machine.control if current is None else current.region + 1,
        "current_step": None if current is None else current.id,
    }
    return lambda: {**answer, "checkpoints": list(writer.checkpoints())}


def revert_run(moment: Moment, label: str) -> Callable[[], Answer]:
    """Puts the label's state back; what was spent, and the audit trail, stay. Tokens are fresh."""
    run, writer = moment.run, moment.writer
    _refuse_fanout(run, "revert")
    kept = writer.load_checkpoint(label)
    if kept is None:
        labels = list(writer.checkpoints())
        message = f"the run has no checkpoint `{label}`"
        raise RefusedCallError(refusal("checkpoint_not_found", message, checkpoints=labels, **run_state(run)))
    lasting = {name: run.header[name] for name in ("spent", "created", "workspace")}
    moment.run = back = Run(run.prepared, {**kept, **lasting}, writer)
    moment.call = {"call": "revert", "label": label}
    moment.events.append({"event": "reverted", "label": label, "at": moment.now})
    for place in [*back.ready(), *back.gates()]:
        back.rows.change(place.key)["token"] = token = moment.new_token()
        moment.tell("token", place, token=token)
    return lambda: {**standing_answer(back), "reverted_to": label}


def _refuse_fanout(run: Run, what: str) -> None:
    if run.status != "in_progress":
        return
    for region in run.header["working"]:
        place = run.place((), region)
        if place.step["construct"] == "fanout":
            message = f"`{place.id}` has items out; {what} when they have ended"
            raise RefusedCallError(refusal("fanout_in_flight", message, **run_state(run)))


def _current(run: Run) -> Place | None:
    """The first step of the entry flow that is under way."""
    for region in range(run.machine.control):
        place = run.place((), region)
        if PENDING < stored_cell(run.row(place))[STATE] < SUCCEEDED:
            return place
    return None
