"""`stratumc query`, `gate`, `watch` and `flow`: the runs of the store, for a shell (tools.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stratumc.cli.guard import complain
from stratumc.cli.runs_text import decided, flows_text, gates_text, run_text

if TYPE_CHECKING:
    from stratum_runtime.flow import FlowEngine

Answer = dict[str, Any]

REFUSED = 1
UNREADABLE = 2
CHANNEL = "command line"

_JSON = click.option("--json", "as_json", is_flag=True, help="Answer with the tool's JSON object.")
_STATUSES = ("in_progress", "complete", "failed", "killed", "budget_exhausted", "cancelled")


def store_path() -> Path:
    """The file that runs are kept in: below STRATUM_STATE_ROOT, or ~/.stratum."""
    root = os.environ.get("STRATUM_STATE_ROOT")
    return (Path(root) if root else Path.home() / ".stratum") / "runs.sqlite"


def open_engine(*, gates: str = "any") -> FlowEngine:
    """The engine over the store, which is made if it isn't there."""
    from stratum_runtime.flow import FlowEngine
    from stratum_runtime.store import SqliteStore

    return FlowEngine(SqliteStore(store_path()), gates=gates)


def existing_engine(*, looking: bool = False) -> FlowEngine:
    """The engine over the store there is: where there is none, none is made. Raises StoreError.

    For `looking`, a store is enough that can't be written.
    """
    from stratum_runtime.flow import FlowEngine
    from stratum_runtime.store import MemoryStore, SqliteStore, StoreError

    path = store_path()
    try:
        path.stat()
    except FileNotFoundError:
        return FlowEngine(MemoryStore())
    except OSError as error:
        raise StoreError(f"the run store {path} can't be opened: {error.strerror}") from error
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return FlowEngine(SqliteStore(path, read_only=looking and not writable))


class AmbiguousRunError(click.ClickException):
    """More than one run has an id that begins so."""

    def __init__(self, beginning: str, runs: int) -> None:
        super().__init__(f"`{beginning}` begins {runs} runs")


def with_engine(use: Callable[[FlowEngine], int], *, looking: bool = False, as_json: bool = False) -> int:
    """Does something with the runs there are; a store that can't be used is exit status 2."""
    from stratum_runtime.store import StoreError

    try:
        return use(existing_engine(looking=looking))
    except AmbiguousRunError as error:
        refused = {"status": "error", "error_type": "unknown_flow", "message": error.message}
        return answer_with(refused, str, as_json=as_json)
    except StoreError as error:
        complain(str(error))
        return UNREADABLE


def full_id(engine: FlowEngine, flow_id: str) -> str:
    """The id of the one run that begins so; what begins none stays as it is. Raises AmbiguousRunError."""
    if not flow_id:
        return flow_id
    found = [run["flow_id"] for run in engine.flows()["flows"] if run["flow_id"].startswith(flow_id)]
    if len(found) > 1 and flow_id not in found:
        raise AmbiguousRunError(flow_id, len(found))
    return found[0] if len(found) == 1 else flow_id


def answer_with(
    answer: Answer, show: Callable[[Answer], str], *, as_json: bool, refused: bool | None = None
) -> int:
    """Prints an answer; a refusal is exit status 1."""
    if refused is None:
        refused = "error_type" in answer
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif refused:
        click.echo(f"refused ({answer['error_type']}): {answer['message']}")
    else:
        click.echo(show(answer))
    return REFUSED if refused else 0


@click.group(short_help="Look at runs and at gates that wait.")
def query() -> None:
    """Look at the runs in the store, at one of them, or at the gates that wait."""


@query.command("flows")
@click.option("--status", type=click.Choice(_STATUSES), help="Only runs with this status.")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many.")
@_JSON
def query_flows(status: str | None, limit: int | None, *, as_json: bool) -> int:
    """List the runs, the last changed first."""
    return with_engine(
        lambda engine: answer_with(engine.flows(status=status, limit=limit), flows_text, as_json=as_json),
        looking=True,
    )


@query.command("flow")
@click.argument("flow")
@_JSON
def query_flow(flow: str, *, as_json: bool) -> int:
    """Show everything that happened in run FLOW (its id, or the beginning of it)."""
    return with_engine(
        lambda engine: answer_with(engine.audit(full_id(engine, flow)), run_text, as_json=as_json),
        looking=True,
        as_json=as_json,
    )


@query.command("gates")
@_JSON
def query_gates(*, as_json: bool) -> int:
    """List the gates that wait for a decision."""

    def use(engine: FlowEngine) -> int:
        waiting = [run for run in engine.flows(status="in_progress")["flows"] if run["waiting_gates"]]
        gates = [
            {"flow_id": run["flow_id"], "flow": run["flow"], **gate}
            for run in waiting
            for gate in engine.resume(run["flow_id"]).get("gates", ())
        ]
        return answer_with({"status": "ok", "gates": gates}, gates_text, as_json=as_json)

    return with_engine(use, looking=True)


@click.group(short_help="Decide at a gate.")
def gate() -> None:
    """Decide at a gate that waits. This is a person's way: it works with `serve --gates human` too."""


def _decide(outcome: str, flow: str, step: str, note: str, *, as_json: bool) -> int:
    def use(engine: FlowEngine) -> int:
        answer = engine.resolve_gate(
            full_id(engine, flow), step, outcome, rationale=note, resolved_by="human", channel=CHANNEL
        )
        return answer_with(answer, decided, as_json=as_json, refused="resolved" not in answer)

    return with_engine(use, as_json=as_json)


def _decision(name: str, outcome: str, summary: str) -> click.Command:
    """The command `gate NAME FLOW STEP`."""

    @gate.command(name, short_help=summary, help=summary)
    @click.argument("flow")
    @click.argument("step")
    @click.option("--note", default="", metavar="TEXT", help="Why, for the record.")
    @_JSON
    def decide(flow: str, step: str, note: str, *, as_json: bool) -> int:
        return _decide(outcome, flow, step, note, as_json=as_json)

    return decide


_decision("approve", "approve", "Approve: the run goes on.")
_decision("revise", "revise", "Send it back: the steps since the gate's revise target are done again.")
_decision("reject", "kill", "Reject: the gate's `on_kill` route, or the end of the run.")


@click.command(short_help="Follow a run as it goes.")
@click.argument("flow")
@click.option(
    "--interval",
    type=click.FloatRange(min=0.05),
    default=0.5,
    show_default=True,
    help="Seconds between looks.",
)
def watch(flow: str, interval: float) -> int:
    """Follow run FLOW until it has ended: live in a terminal, a line for each thing elsewhere.

    The exit status is 0 when the run is complete, 1 when it ended otherwise.
    """
    from stratumc.cli.watch import follow

    return with_engine(lambda engine: follow(engine, full_id(engine, flow), interval), looking=True)


@click.group("flow", short_help="Cancel a run.")
def flow_group() -> None:
    """What can be done to a run as a whole."""


@flow_group.command("cancel")
@click.argument("flow")
@click.option("--reason", metavar="TEXT", help="Why, for the record.")
@_JSON
def cancel(flow: str, reason: str | None, *, as_json: bool) -> int:
    """End run FLOW; whatever is out can't be reported any more."""
    return with_engine(
        lambda engine: answer_with(
            engine.cancel(full_id(engine, flow), reason),
            lambda answer: f"run {answer['flow_id']} is cancelled",
            as_json=as_json,
        ),
        as_json=as_json,
    )
