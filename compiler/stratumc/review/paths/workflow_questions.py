"""What `stratumc path` and assertions ask of a workflow: states that every path between two enters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.proof.results import Proved, Result
from stratumc.review.paths.questions import Claim, require
from stratumc.review.paths.workflow_must_pass import workflow_must_pass
from stratumc.workflow.syntax import Workflow


def decide_workflow(claim: Claim, workflow: Workflow) -> Result:
    """Whether a claim holds of a workflow. Raises UnknownPlaceError."""
    require_states(workflow, (claim.start, claim.goal, claim.gate))
    return workflow_must_pass(WorkflowFacts(workflow), claim.start, claim.goal, claim.gate)


def workflow_passes(workflow: Workflow, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """The states on a path that every path between its ends passes; all that every one passes are on it."""
    facts, goal = WorkflowFacts(workflow), path[-1]
    inner = (state for state in path[1:-1] if state not in (path[0], goal))
    return tuple(s for s in inner if isinstance(workflow_must_pass(facts, start, goal, s), Proved))


def require_states(workflow: Workflow, names: Iterable[str | None]) -> None:
    """Raises UnknownPlaceError for the first name that is no state."""
    for name in names:
        require("state", name, tuple(workflow.states))
