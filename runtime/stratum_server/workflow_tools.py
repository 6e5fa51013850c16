"""The five tools of a workflow server (workflow.md section 4)."""

from __future__ import annotations

from typing import Any, Protocol

from stratum_server import arguments as given
from stratum_server import results
from stratum_server.tool import Answer, Hints, ToolSpec


class WorkflowEngine(Protocol):
    """The engine that the tools call; its answers are JSON objects, refusals included."""

    def check(self, **arguments: Any) -> Answer:
        """What can happen next."""
        ...

    def transition(self, **arguments: Any) -> Answer:
        """Applies an event."""
        ...

    def explain(self, **arguments: Any) -> Answer:
        """Paths and what is reachable."""
        ...

    def history(self, **arguments: Any) -> Answer:
        """What happened."""
        ...

    def modify(self, **arguments: Any) -> Answer:
        """Guided edits of the workflow file."""
        ...


def workflow_tools(engine: WorkflowEngine) -> tuple[ToolSpec, ...]:
    """The tools in their fixed order."""
    return (
        ToolSpec(
            "flow_check",
            "What can happen next",
            "Call this first, and again after every step of work: gives the project's state and either "
            "`auto_action` (a trigger "
            "fires: apply the event `auto` next) or `options` (the events you may apply). Changes nothing.",
            given.FlowCheck,
            results.CheckResult,
            Hints(read_only=True, idempotent=True),
            engine.check,
            check_summary,
        ),
        ToolSpec(
            "flow_transition",
            "Apply an event",
            "The only way the state changes. Give an `event` that `flow_check` offered, or `auto`. A "
            "refusal names the valid "
            "events and changes nothing. Run the answer's `action` next.",
            given.FlowTransition,
            results.TransitionResult,
            Hints(),
            engine.transition,
            transition_summary,
        ),
        ToolSpec(
            "flow_explain",
            "Find a path between states",
            "The shortest path from one state to another, hop by hop, or with no `to` everything reachable. "
            "Hops by trigger say "
            "which context values fire them. `avoid` excludes states. Changes nothing.",
            given.FlowExplain,
            results.ExplainResult,
            Hints(read_only=True, idempotent=True),
            engine.explain,
            explain_summary,
        ),
        ToolSpec(
            "flow_history",
            "Read the log of transitions",
            "Recent or filtered transitions, newest first; with `summary` also counts, time per state, and "
            "judgments that have "
            "always gone the same way. Changes nothing.",
            given.FlowHistory,
            results.HistoryResult,
            Hints(read_only=True, idempotent=True),
            engine.history,
            history_summary,
        ),
        ToolSpec(
            "flow_modify",
            "Change the workflow file",
            "Guided edits of the base workflow file. Without `confirm` it only previews: diffs of the file "
            "and the graph, and a "
            "`token`. Call again with the same arguments, `confirm` and the token to write.",
            given.FlowModify,
            results.ModifyResult,
            Hints(destructive=True),
            engine.modify,
            modify_summary,
        ),
    )


def _refusal(result: Answer) -> str | None:
    error = result.get("error")
    return f"Refused ({error['code']}): {error['message']}" if isinstance(error, dict) else None


def _next(result: Answer) -> str:
    """What the caller may do now, in a sentence."""
    trigger = result.get("auto_action")
    if trigger:
        condition, target = trigger.get("condition"), trigger.get("target")
        return f"Trigger `{condition}` fires: apply the event `auto` to enter `{target}`."
    options = result.get("options") or []
    if not options:
        return "No event is available here."
    return "Events: " + ", ".join(f"`{o.get('event')}` → `{o.get('target')}`" for o in options) + "."


def check_summary(result: Answer) -> str:
    """The state and what can happen next."""
    return _refusal(result) or f"State `{result.get('state')}`. {_next(result)}"


def transition_summary(result: Answer) -> str:
    """What changed, what to run, and what can happen next."""
    refusal = _refusal(result)
    if refusal:
        return refusal
    action = f" Run `{result['action']}` now." if result.get("action") else ""
    source, target, event = result.get("from"), result.get("to"), result.get("event")
    return f"Moved from `{source}` to `{target}` by `{event}`.{action} {_next(result)}"


def explain_summary(result: Answer) -> str:
    """The path, or what is reachable."""
    refusal = _refusal(result)
    if refusal:
        return refusal
    path = result.get("path")
    if path:
        hops = " → ".join(str(hop.get("to")) for hop in path)
        return f"{len(path)} hops: {path[0].get('from')} → {hops}."
    return str(result.get("message") or f"Reachable: {len(result.get('reachable') or ())} states.")


def history_summary(result: Answer) -> str:
    """The newest entries, a line each."""
    refusal = _refusal(result)
    if refusal:
        return refusal
    entries = result.get("entries") or []
    lines = [f"{e.get('time')} {e.get('from')} → {e.get('to')} by {e.get('event')}" for e in entries[:10]]
    return "\n".join([f"{len(entries)} transitions.", *lines])


def modify_summary(result: Answer) -> str:
    """The preview's diff, or that it was written."""
    refusal = _refusal(result)
    if refusal:
        return refusal
    if result.get("token"):
        return (
            f"Preview, nothing written yet. Confirm with token {result['token']}.\n{result.get('diff', '')}"
        )
    return "Written; the new graph is loaded."
