"""The proof checks of JSON workflows, in the order of the table in checks.md."""

from __future__ import annotations

from stratumc.checks.check import Check
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.checks.workflow_states import (
    global_shadowed,
    judgment_alone,
    resumption_missing,
    state_no_exit,
    state_unreachable,
    threshold_unused,
)
from stratumc.checks.workflow_triggers import (
    trigger_blocks_events,
    trigger_loop,
    trigger_never_fires,
    trigger_overlap,
    trigger_shadowed,
)

WORKFLOW_CHECKS: tuple[Check[WorkflowFacts], ...] = (
    state_unreachable,
    state_no_exit,
    trigger_never_fires,
    trigger_shadowed,
    trigger_overlap,
    trigger_blocks_events,
    trigger_loop,
    threshold_unused,
    global_shadowed,
    resumption_missing,
    judgment_alone,
)
