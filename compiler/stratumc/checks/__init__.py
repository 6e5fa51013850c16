"""The registry: every type and proof check by family, imported only when that family is asked for.

The rule family has no entry here: its errors come from `read`, `spec` and `workflow` themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stratumc.checks.check import Check
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.checks.workflow_facts import WorkflowFacts

__all__ = ["flow_checks", "type_checks", "workflow_checks"]


def type_checks() -> tuple[Check[SpecFacts], ...]:
    """The family `type` over a v1 document; they run over one `SpecFacts(spec)`."""
    from stratumc.checks.types import TYPE_CHECKS

    return TYPE_CHECKS


def flow_checks() -> tuple[Check[ProofFacts], ...]:
    """The family `proof` over a v1 document; they run over one `ProofFacts(facts)`."""
    from stratumc.checks.flow import FLOW_CHECKS

    return FLOW_CHECKS


def workflow_checks() -> tuple[Check[WorkflowFacts], ...]:
    """The family `proof` over a JSON workflow; they run over one `WorkflowFacts(workflow)`."""
    from stratumc.checks.workflow import WORKFLOW_CHECKS

    return WORKFLOW_CHECKS
