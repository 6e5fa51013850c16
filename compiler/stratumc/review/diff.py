"""Two versions of a document compared: what changed, and what that means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stratumc.review.changes import Change, ChangeKind, find_changes
from stratumc.review.meaning import Meaning, MeaningKind, bounds_meanings
from stratumc.review.outline import spec_outline, workflow_outline

if TYPE_CHECKING:
    from stratumc.spec.syntax import Spec
    from stratumc.workflow.syntax import Workflow


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference between two versions, `old` and `new` naming them."""

    old: str
    new: str
    changes: tuple[Change, ...]
    meanings: tuple[Meaning, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the two mean the same, comments and layout aside."""
        return not self.changes and not self.meanings

    def to_dict(self) -> dict[str, Any]:
        """The difference as a JSON object."""
        return {
            "version": 1,
            "old": self.old,
            "new": self.new,
            "changes": [change.to_dict() for change in self.changes],
            "meanings": [meaning.to_dict() for meaning in self.meanings],
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


def compare(old: Version, new: Version) -> Diff:
    """The difference between two versions of one kind that keep the rules.

    Raises ValueError when one is a spec and the other a workflow.
    """
    if old.spec is not None and new.spec is not None:
        changes = find_changes(spec_outline(old.data), spec_outline(new.data))
        meanings = (*_spec_meanings(old.spec, new.spec), *bounds_meanings(old.bounds or {}, new.bounds or {}))
        return Diff(old.name, new.name, changes, (*meanings, *_stranded_runs(changes)))
    if old.workflow is not None and new.workflow is not None:
        from stratumc.checks.workflow_facts import WorkflowFacts
        from stratumc.review.workflow_meaning import workflow_meanings

        changes = find_changes(workflow_outline(old.workflow), workflow_outline(new.workflow))
        found = workflow_meanings(WorkflowFacts(old.workflow), WorkflowFacts(new.workflow))
        return Diff(old.name, new.name, changes, tuple(found))
    raise ValueError("a spec and a workflow can't be compared")


def _spec_meanings(old: Spec, new: Spec) -> Iterator[Meaning]:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.review.flow_meaning import flow_meanings

    before, after = ProofFacts(SpecFacts(old)).flows, ProofFacts(SpecFacts(new)).flows
    for name, flow in after.items():
        if name in before:
            yield from flow_meanings(before[name], flow)


def _stranded_runs(changes: tuple[Change, ...]) -> Iterator[Meaning]:
    """What could not go on under the new table; runs under way keep the table they were planned with."""
    for change in changes:
        if change.kind is ChangeKind.REMOVED and change.part.kind == "step":
            message = f"a run at step `{change.part.name}` keeps its old table: the new one lacks the step"
            yield Meaning(MeaningKind.CANNOT_GO_ON, message, {"step": change.part.name})
