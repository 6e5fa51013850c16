"""How an edit changes a workflow's graph, as `flow_modify` previews it."""

from __future__ import annotations

from typing import Any

from stratum_runtime.workflow import Answer
from stratumc.engine.witness import Verdict, find_witness
from stratumc.graph.explain import PathFinder, Query
from stratumc.graph.workflow_graph import Edge, WorkflowGraph, workflow_graph
from stratumc.workflow.syntax import Trigger, Workflow


def graph_diff(old: Workflow, new: Workflow) -> Answer:
    """States and transitions added and removed, states newly unreachable, states newly without exit."""
    before, after = workflow_graph(old), workflow_graph(new)
    ways_before, ways_after = _ways(before), _ways(after)
    stuck_before, lost_before = _stuck(before), _lost(old, before)
    return {
        "states_added": [state for state in after.states if state not in old.states],
        "states_removed": [state for state in before.states if state not in new.states],
        "transitions_added": [way for key, way in ways_after.items() if key not in ways_before],
        "transitions_removed": [way for key, way in ways_before.items() if key not in ways_after],
        "newly_unreachable": [state for state in _lost(new, after) if state not in lost_before],
        "newly_without_exit": [state for state in _stuck(after) if state not in stuck_before],
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


def _stuck(graph: WorkflowGraph) -> list[str]:
    """States that nothing leads out of."""
    return [state for state in graph.states if all(edge.target == state for edge in graph.outgoing[state])]


def _lost(workflow: Workflow, graph: WorkflowGraph) -> list[str]:
    """States that no path from the initial one enters; a trigger of which it isn't known counts as a path."""
    thresholds = {name: threshold.value for name, threshold in workflow.thresholds.items()}

    def can_fire(edge: Edge) -> bool:
        triggers = workflow.states[edge.source].triggers
        return find_witness(triggers, edge.index, thresholds, {}) is not Verdict.NEVER

    query = Query(workflow.initial_state, None, frozenset(), can_fire)
    reached = PathFinder(graph).distances(query)
    return [state for state in graph.states if state not in reached and state != workflow.initial_state]
