"""Decides a claim on either kind of document."""

from __future__ import annotations

from stratumc.proof.results import Result
from stratumc.review.paths.flow_questions import decide_flow
from stratumc.review.paths.questions import Claim
from stratumc.review.paths.workflow_questions import decide_workflow
from stratumc.spec.syntax import Spec
from stratumc.workflow.syntax import Workflow


def decide(claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Result:
    """Whether a claim holds of a document that keeps the rules. Raises UnknownPlaceError."""
    if workflow is not None:
        return decide_workflow(claim, workflow)
    assert spec is not None
    return decide_flow(claim, spec)
