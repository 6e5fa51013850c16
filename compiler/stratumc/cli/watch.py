"""Follows a run: a live view in a terminal, a line for each thing that happens elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from stratumc.cli.runs_text import attempt_text, cut, moment, spent_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from stratum_runtime.flow import FlowEngine

Answer = dict[str, Any]

_COLOURS = {
    "succeeded": "green",
    "failed": "red",
    "skipped": "dim",
    "ready": "yellow",
    "waiting_gate": "magenta",
}

_ENDED = ("succeeded", "failed", "skipped")


def follow(engine: FlowEngine, flow_id: str, interval: float) -> int:
    """Follows until the run has ended; 0 when it is complete, 1 otherwise or when there is no such run."""
    audit = engine.audit(flow_id)
    if "error_type" in audit:
        click.echo(f"refused ({audit['error_type']}): {audit['message']}")
        return 1
    live = sys.stdout.isatty()
    return _follow_live(engine, audit, interval) if live else _follow_lines(engine, audit, interval)


def _follow_lines(engine: FlowEngine, audit: Answer, interval: float) -> int:
    shown = 0
    while True:
        for call in audit["calls"][shown:]:
            for line in call_lines(call):
                click.echo(line)
        shown = len(audit["calls"])
        if audit["status"] != "in_progress":
            click.echo(f"{audit['flow_name']}: {audit['status']}")
            return _status(audit)
        sys.stdout.flush()
        time.sleep(interval)
        audit = engine.audit(audit["flow_id"])


def _follow_live(engine: FlowEngine, audit: Answer, interval: float) -> int:
    from rich.live import Live

    with Live(view(audit, engine.snapshot(audit["flow_id"])), auto_refresh=False) as live:
        while audit["status"] == "in_progress":
            time.sleep(interval)
            audit = engine.audit(audit["flow_id"])
            live.update(view(audit, engine.snapshot(audit["flow_id"])), refresh=True)
    return _status(audit)


def _status(audit: Answer) -> int:
    return 0 if audit["status"] == "complete" else 1


def call_lines(call: Answer) -> Iterator[str]:
    """What happened in a call, a line each, with the time of the call."""
    at = moment(call["at"])
    if call["call"] in ("commit", "cancel"):
        yield f"{at} {call['call']} {call.get('label') or call.get('reason') or ''}".rstrip()
    for event in call["events"]:
        what = _event_text(event)
        if what is not None:
            yield f"{at} {event.get('step_id', 'run')} {what}"


def _event_text(event: Answer) -> str | None:
    match event["event"]:
        case "attempt" | "gate_resolved":
            return attempt_text(event)
        case "issued":
            return f"is out, attempt {event['attempt']}"
        case "gate_waiting":
            return "waits for a decision"
        case "routed":
            return f"routes to {event['to']}"
        case "skipped":
            return "is skipped"
        case "reset":
            return f"sends back {', '.join(event['steps'])}"
        case "reverted":
            return f"is back at {event['label']}"
        case "ended":
            failure = event["failure"]
            return f"{event['status']}: {cut(failure['reason'])}" if failure else str(event["status"])
        case _:
            return None


def view(audit: Answer, state: Answer) -> RenderableType:
    """The run as a table: a row for each step, and what it cost so far."""
    from rich.table import Table
    from rich.text import Text

    spent, progress = spent_text(audit), f"{audit['steps_completed']}/{audit['total_steps']}"
    table = Table(title=f"{audit['flow_name']}  {audit['status']}  {progress}", caption=spent, box=None)
    for column in ("step", "state", "attempts", "last"):
        table.add_column(column)
    for name, step in state["steps"].items():
        last = step.get("failure", {}).get("reason") if step["status"] != "succeeded" else step.get("output")
        told = "" if last is None else cut(last)
        items = step.get("items")
        if items is not None:
            told = f"{sum(item['status'] in _ENDED for item in items)}/{len(items)} items"
        colour = _COLOURS.get(step["status"], "")
        table.add_row(Text(name), Text(step["status"], colour), str(step["attempts"]), Text(told))
    return table
