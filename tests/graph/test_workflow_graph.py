"""The ways from state to state of a workflow."""

from __future__ import annotations

import json

from stratumc.driver.load import load
from stratumc.graph.workflow_graph import EdgeKind, WorkflowGraph, workflow_graph

CONTENT = {
    "name": "w",
    "initial_state": "a",
    "states": {
        "a": {"transitions": [{"event": "go", "target": "b"}, {"event": "back", "target": None}]},
        "b": {
            "triggers": [{"condition": "x.n > 1", "target": "c", "action": None}],
            "transitions": [{"event": "stop", "target": "a"}],
        },
        "c": {},
    },
    "global_transitions": [
        {"event": "stop", "target": "c", "action": None},
        {"event": "reset", "target": "a", "action": None, "except": ["a"]},
    ],
    "resumption_targets": {"b": "b", "c": "a"},
}


def graph() -> WorkflowGraph:
    workflow = load(json.dumps(CONTENT), name="workflow.json", kind="workflow").workflow
    assert workflow is not None
    return workflow_graph(workflow)


def test_edges_come_in_the_order_of_the_table() -> None:
    told = [
        (e.source, e.kind, getattr(e.transition, "event", "auto"), e.target, e.previous)
        for e in graph().edges
    ]
    assert told == [
        ("a", EdgeKind.EVENT, "go", "b", None),
        ("a", EdgeKind.EVENT, "back", "b", "b"),
        ("a", EdgeKind.EVENT, "back", "a", "c"),
        ("a", EdgeKind.GLOBAL, "stop", "c", None),
        ("b", EdgeKind.EVENT, "stop", "a", None),
        ("b", EdgeKind.GLOBAL, "reset", "a", None),
        ("b", EdgeKind.TRIGGER, "auto", "c", None),
        ("c", EdgeKind.GLOBAL, "stop", "c", None),
        ("c", EdgeKind.GLOBAL, "reset", "a", None),
    ]


def test_distances_count_hops() -> None:
    assert graph().distances("b") == {"b": 0, "a": 1, "c": 1}
