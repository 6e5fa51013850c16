"""How an edit changes a workflow's graph, as `flow_modify` previews it."""

from __future__ import annotations

from typing import Any

from stratum_runtime.workflow import Answer
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.checks.workflow_states import leads_elsewhere
from stratumc.graph.workflow_graph import WorkflowGraph, workflow_graph
from stratumc.workflow.syntax import Trigger


def graph_diff(old: WorkflowFacts, new: WorkflowFacts) -> Answer:
    """States and transitions added and removed, states newly unreachable, states newly without exit."""
    before, after = workflow_graph(old.workflow), workflow_graph(new.workflow)
    ways_before, ways_after = _ways(before), _ways(after)
    stuck_before, lost_before = _stuck(old), _lost(old)
    return {
        "states_added": [state for state in after.states if state not in old.workflow.states],
        "states_removed": [state for state in before.states if state not in new.workflow.states],
        "transitions_added": [way for key, way in ways_after.items() if key not in ways_before],
        "transitions_removed": [way for key, way in ways_before.items() if key not in ways_after],
        "newly_unreachable": [state for state in _lost(new) if state not in lost_before],
        "newly_without_exit": [state for state in _stuck(new) if state not in stuck_before],
    }


def _ways(graph: WorkflowGraph) -> dict[tuple[Any, ...], Answer]:
    """Every edge as the preview shows it, by what makes it the same edge."""
    shown = {}
    for edge in graph.edges:
        how: dict[str, Any]
        if isinstance(edge.transition, Trigger):
            how = {"condition": edge.transition.condition_text}
        else:
            how = {"event": edge.transition.event, "judgment": edge.transition.judgment}
        if edge.previous is not None:
            how["previous_state"] = edge.previous
        way = {"state": edge.source, **how, "target": edge.target, "action": edge.transition.action}
        shown[tuple(way.items())] = way
    return shown


def _stuck(facts: WorkflowFacts) -> list[str]:
    """States that nothing leads out of, as STATE_NO_EXIT has it."""
    return [state.name for state in facts.workflow.states.values() if not leads_elsewhere(facts, state)]


def _lost(facts: WorkflowFacts) -> list[str]:
    """States that a project never comes to, as STATE_UNREACHABLE has it."""
    return [state for state in facts.workflow.states if state not in facts.situations]
