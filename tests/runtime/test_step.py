"""Steps of workflows, as the core decides them."""

from __future__ import annotations

from typing import Any

from stratum_runtime import Refused, initial, step
from stratum_runtime.configuration import WorkflowConfiguration
from support.documents import table_of
from support.play import fired

WORKFLOW = table_of(
    {
        "name": "w",
        "initial_state": "idle",
        "states": {
            "idle": {"transitions": [{"event": "go", "target": "busy", "action": "/go", "judgment": True}]},
            "busy": {
                "triggers": [
                    {"condition": "x.n >= thresholds.most", "target": "full", "action": "/stop"},
                    {"condition": "always", "target": "idle", "action": None},
                ],
                "transitions": [{"event": "done", "target": "idle"}],
            },
            "full": {
                "transitions": [{"event": "auto", "target": "busy"}, {"event": "again", "target": None}]
            },
        },
        "thresholds": {"most": 2},
        "global_transitions": [{"event": "pause", "target": "idle", "action": None, "except": ["idle"]}],
        "resumption_targets": {"busy": "busy"},
    },
    "workflow",
)


def workflow(*events: str, context: dict[str, Any] | None = None) -> WorkflowConfiguration:
    """Where these events lead, one after the other."""
    configuration = initial(WORKFLOW)
    for event in events:
        configuration = fired(step(WORKFLOW, configuration, event, context)).configuration
    assert isinstance(configuration, WorkflowConfiguration)
    return configuration


def test_an_event_moves_and_tells_its_effects() -> None:
    outcome = fired(step(WORKFLOW, initial(WORKFLOW), "go"))
    assert outcome.effects == (("action", "/go"), ("judgment",), ("log", "transition"))
    assert outcome.rows[0].origin == (0, "states.idle.transitions[0]", "state")
    assert workflow("go").state_name == "busy"


def test_triggers_are_tried_in_order() -> None:
    assert workflow("go", "auto", context={"x": {"n": 2}}).state_name == "full"
    assert workflow("go", "auto", context={"x": {"n": 1}}).state_name == "idle"
    assert workflow("go", "auto").state_name == "idle"


def test_an_event_named_auto_is_the_users_own() -> None:
    assert workflow("go", "auto", "auto", context={"x": {"n": 9}}).state_name == "busy"


def test_a_null_target_resumes_by_the_state_before() -> None:
    assert workflow("go", "auto", "again", context={"x": {"n": 9}}).state_name == "busy"


def test_a_refusal_says_what_is_accepted() -> None:
    outcome = step(WORKFLOW, workflow("go"), "resume")
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.accepted) == ("not_accepted", ("done", "pause", "auto"))
    assert outcome.message == "`resume` is not accepted in `busy`"


def test_a_resumption_from_elsewhere_is_guarded() -> None:
    full = WORKFLOW.entry.states["full"]
    outcome = step(
        WORKFLOW, WorkflowConfiguration(WORKFLOW.entry, full, WORKFLOW.entry.states["idle"]), "again"
    )
    assert isinstance(outcome, Refused)
    assert outcome.code == "guarded"


def test_globals_come_but_where_they_are_excepted() -> None:
    assert workflow("go", "pause").state_name == "idle"
    assert isinstance(step(WORKFLOW, initial(WORKFLOW), "pause"), Refused)


def test_configurations_are_values() -> None:
    before = initial(WORKFLOW)
    step(WORKFLOW, before, "go")
    assert before == initial(WORKFLOW)
    assert workflow("go") == workflow("go")
    assert hash(workflow("go")) == hash(workflow("go"))
