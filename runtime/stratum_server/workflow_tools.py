"""The five tools over a project's workflow (workflow.md section 4)."""

from __future__ import annotations

from collections.abc import Callable

from stratum_runtime.workflow import WorkflowEngine
from stratum_server import arguments as given
from stratum_server import workflow_results as results
from stratum_server.tool import READS, Answer, Hints, ToolSpec
from stratum_server.workflow_summaries import (
    check_summary,
    explain_summary,
    history_summary,
    modify_summary,
    transition_summary,
)

CHECK = ToolSpec(
    name="flow_check",
    title="What can happen next",
    description=(
        "Call this first, and again after every piece of work: gives the project's state and either "
        "`auto_action` (a trigger fires: apply the event `auto` next) or `options` (the events that you may "
        "apply). Give the values that conditions read as `context`. Changes nothing."
    ),
    arguments=given.FlowCheck,
    result=results.CheckResult,
    hints=READS,
    summary=check_summary,
)
TRANSITION = ToolSpec(
    name="flow_transition",
    title="Apply an event",
    description=(
        "The only way in which the state changes. Give an `event` that `flow_check` offered, or `auto` for "
        "the trigger that fires. A refusal names the valid events and changes nothing. Run the answer's "
        "`action` next. Give `expected_state` where another session may be at work."
    ),
    arguments=given.FlowTransition,
    result=results.TransitionResult,
    hints=Hints(),
    summary=transition_summary,
)
EXPLAIN = ToolSpec(
    name="flow_explain",
    title="Find a path between states",
    description=(
        "The shortest path from one state to another, hop by hop, or with no `to` everything reachable. "
        "Hops by trigger say which context values fire them; `when_previous_state` names the state that must "
        "have been before `from`, if one must. `avoid` excludes states. Changes nothing."
    ),
    arguments=given.FlowExplain,
    result=results.ExplainResult,
    hints=READS,
    summary=explain_summary,
)
HISTORY = ToolSpec(
    name="flow_history",
    title="Read the log of transitions",
    description=(
        "Recent or filtered transitions, newest first; with `summary` also counts, time per state, and "
        "judgments that have always gone the same way. Changes nothing."
    ),
    arguments=given.FlowHistory,
    result=results.HistoryResult,
    hints=READS,
    summary=history_summary,
)
MODIFY = ToolSpec(
    name="flow_modify",
    title="Change the workflow file",
    description=(
        "Guided edits of the base workflow file. Without `confirm` it only previews: the differences of the "
        "file and of the graph, and a `token`. Call again with the same arguments, `confirm` and the token "
        "to write."
    ),
    arguments=given.FlowModify,
    result=results.ModifyResult,
    hints=Hints(destructive=True),
    summary=modify_summary,
)


def workflow_tools(engine: WorkflowEngine) -> tuple[tuple[ToolSpec, Callable[..., Answer]], ...]:
    """The tools in their fixed order, each with the engine's method that answers it."""
    return (
        (CHECK, engine.check),
        (TRANSITION, engine.transition),
        (EXPLAIN, engine.explain),
        (HISTORY, engine.history),
        (MODIFY, engine.modify),
    )
