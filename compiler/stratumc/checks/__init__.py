"""The registry: every type and proof check by family, imported only when that family is asked for.

The rule family has no entry here: its errors come from `read`, `spec` and `workflow` themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.diagnostics import Family

if TYPE_CHECKING:
    from stratumc.checks.check import Check
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.workflow_facts import WorkflowFacts

__all__ = ["spec_checks", "workflow_checks"]


def spec_checks(family: Family) -> tuple[Check[SpecFacts], ...]:
    """The checks of one family over a v1 document; they run over one `SpecFacts(spec)`."""
    match family:
        case Family.TYPE:
            from stratumc.checks.types import TYPE_CHECKS

            return TYPE_CHECKS
        case Family.PROOF:
            from stratumc.checks.flow import FLOW_CHECKS

            return FLOW_CHECKS
        case Family.RULE:
            return ()


def workflow_checks(family: Family) -> tuple[Check[WorkflowFacts], ...]:
    """The checks of one family over a JSON workflow; they run over one `WorkflowFacts(workflow)`."""
    if family is not Family.PROOF:
        return ()
    from stratumc.checks.workflow import WORKFLOW_CHECKS

    return WORKFLOW_CHECKS
