"""Two versions of a document compared: what changed, and what that means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stratumc.review.changes import Change, find_changes
from stratumc.review.finding_changes import FindingChanges, NamedFindings, compare_findings
from stratumc.review.flow_meaning import flow_meanings
from stratumc.review.going_on import GoingOn
from stratumc.review.meaning import Meaning, MeaningKind, bounds_meanings
from stratumc.review.outline import spec_outline, workflow_outline
from stratumc.review.projects_under_way import projects_under_way
from stratumc.review.runs_under_way import runs_under_way, unchanged
from stratumc.review.workflow_meaning import workflow_meanings

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic
    from stratumc.spec.syntax import Spec
    from stratumc.workflow.syntax import Workflow


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference between two versions, `old` and `new` naming them."""

    old: str
    new: str
    is_workflow: bool
    changes: tuple[Change, ...]
    meanings: tuple[Meaning, ...]
    findings: FindingChanges
    going_on: tuple[GoingOn, ...]
    """A verdict on each state in which a project, or step at which a run, can be under the old version."""

    @property
    def is_empty(self) -> bool:
        """Whether the two mean the same, comments and layout aside."""
        return not self.changes

    def to_dict(self) -> dict[str, Any]:
        """The difference as a JSON object."""
        return {
            "version": 1,
            "old": self.old,
            "new": self.new,
            "changes": [change.to_dict() for change in self.changes],
            "meanings": [meaning.to_dict() for meaning in self.meanings],
            "findings": self.findings.to_dict(),
            "going_on": [verdict.to_dict() for verdict in self.going_on],
        }


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a document; exactly one of `spec` and `workflow` is there."""

    name: str
    spec: Spec | None
    workflow: Workflow | None
    data: Any
    """The document as plain data."""
    bounds: Any
    """As `CheckResult.bounds`."""
    findings: tuple[Diagnostic, ...]
    """What was found in it, whether it counts or is suppressed."""


def compare(old: Version, new: Version) -> Diff:
    """The difference between two versions of one kind that keep the rules.

    Raises ValueError when one is a spec and the other a workflow.
    """
    findings = compare_findings(NamedFindings(old.findings, old.data), NamedFindings(new.findings, new.data))
    if old.spec is not None and new.spec is not None:
        changes = find_changes(spec_outline(old.data), spec_outline(new.data))
        meanings, going_on = _spec_meanings(old, new) if changes else ((), tuple(unchanged(old.spec)))
        return Diff(old.name, new.name, False, changes, meanings, findings, going_on)
    if old.workflow is not None and new.workflow is not None:
        from stratumc.checks.workflow_facts import WorkflowFacts

        before, after = WorkflowFacts(old.workflow), WorkflowFacts(new.workflow)
        changes = find_changes(workflow_outline(old.workflow), workflow_outline(new.workflow))
        meanings = tuple(workflow_meanings(before, after)) if changes else ()
        going_on = tuple(projects_under_way(before, after))
        return Diff(old.name, new.name, True, changes, meanings, findings, going_on)
    raise ValueError("a spec and a workflow can't be compared")


def _spec_meanings(old: Version, new: Version) -> tuple[tuple[Meaning, ...], tuple[GoingOn, ...]]:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts

    assert old.spec is not None
    assert new.spec is not None
    before, after = ProofFacts(SpecFacts(old.spec)), ProofFacts(SpecFacts(new.spec))
    meanings = [
        _of_flow(meaning, name, new.spec.entry)
        for name, flow in after.flows.items()
        if name in before.flows
        for meaning in flow_meanings(before.flows[name], flow)
    ]
    meanings += bounds_meanings(old.bounds or {}, new.bounds or {})
    return tuple(meanings), tuple(runs_under_way(before, after))


_NAMING = (MeaningKind.CANNOT_COMPLETE, MeaningKind.CAN_COMPLETE)
"""Kinds whose messages name the flow themselves."""


def _of_flow(meaning: Meaning, flow: str, entry: str) -> Meaning:
    """A meaning with its flow, which the message names unless it is the entry."""
    named = flow == entry or meaning.kind in _NAMING
    message = meaning.message if named else f"in flow `{flow}`: {meaning.message}"
    return replace(meaning, message=message, flow=flow)
