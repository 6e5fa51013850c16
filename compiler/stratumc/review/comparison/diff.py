"""Two versions of a document compared: what changed, and what that means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stratumc.review.comparison.changes import Change, find_changes
from stratumc.review.comparison.finding_changes import FindingChanges, NamedFindings, compare_findings
from stratumc.review.comparison.flow_meaning import flow_meanings
from stratumc.review.comparison.going_on import Fate, GoingOn
from stratumc.review.comparison.halted_words import halted_words
from stratumc.review.comparison.meaning import Meaning, MeaningKind, bounds_meanings
from stratumc.review.comparison.outline import spec_outline, workflow_outline
from stratumc.review.comparison.projects_under_way import projects_under_way
from stratumc.review.comparison.runs_under_way import runs_under_way, unchanged
from stratumc.review.comparison.workflow_meaning import workflow_meanings

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
    refused: str | None = None
    """Why `compile` makes no table of the new version; None when it does."""

    @property
    def is_empty(self) -> bool:
        """Whether the two mean the same, comments and layout aside."""
        return not self.changes

    @property
    def halted(self) -> tuple[tuple[str, str], ...]:
        """What becomes of those that can't simply go on: a word and a line for each reason."""
        return halted_words(self.going_on, self.refused, is_workflow=self.is_workflow)

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
            "refused": self.refused,
            "halted": [{"verdict": verdict, "message": message} for verdict, message in self.halted],
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
    """As `CheckResult.bounds`; None where they would take too long to find."""
    findings: tuple[Diagnostic, ...]
    """What was found in it, whether it counts or is suppressed."""


def compare(old: Version, new: Version) -> Diff:
    """The difference between two versions of one kind that keep the rules.

    Raises ValueError when one is a spec and the other a workflow.
    """
    findings = compare_findings(NamedFindings(old.findings, old.data), NamedFindings(new.findings, new.data))
    if old.spec is not None and new.spec is not None:
        return _compare_specs(old, new, old.spec, new.spec, findings)
    if old.workflow is not None and new.workflow is not None:
        from stratumc.checks.workflow_facts import WorkflowFacts

        before, after = WorkflowFacts(old.workflow), WorkflowFacts(new.workflow)
        name = new.workflow.name
        outlines = (workflow_outline(one, known_as=name) for one in (old.workflow, new.workflow))
        changes = find_changes(*outlines)
        meanings = tuple(workflow_meanings(before, after)) if changes else ()
        going_on = tuple(projects_under_way(before, after))
        return Diff(old.name, new.name, True, changes, meanings, findings, going_on, _refused(new))
    raise ValueError("a spec and a workflow can't be compared")


def _refused(new: Version) -> str | None:
    """Why `compile` makes no table of a version that keeps the rules: the errors that the checks find."""
    errors = [one for one in new.findings if one.severity == "error" and one.suppressed is None]
    if not errors:
        return None
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"error[{errors[0].code}] {errors[0].message}{more}"


def _compare_specs(old: Version, new: Version, before: Spec, after: Spec, findings: FindingChanges) -> Diff:
    called = before.entry
    if called not in after.flows and after.entry not in before.flows:
        old, before = _renamed(old, before, after.entry)
    changes = find_changes(spec_outline(old.data), spec_outline(new.data))
    refused = _refused(new)
    if changes:
        meanings, going_on = _spec_meanings(old, new, before, after)
    else:
        meanings, going_on = (), tuple(unchanged(before))
    if refused is not None:
        reason = "nothing can be started with the new version"
        going_on = tuple(replace(one, fate=Fate.CANNOT, reason=reason) for one in going_on)
    if before.entry != called:
        going_on = tuple(replace(one, flow=called) if one.flow == before.entry else one for one in going_on)
    return Diff(old.name, new.name, False, changes, meanings, findings, going_on, refused)


def _renamed(old: Version, spec: Spec, entry: str) -> tuple[Version, Spec]:
    """A version whose entry flow has the name that it has in the new one; what `flows.entry` says stays."""

    def name(flow: str) -> str:
        return entry if flow == spec.entry else flow

    flows = {name(key): replace(flow, name=name(key)) for key, flow in spec.flows.items()}
    renamed = replace(spec, entry=entry, flows=flows)
    data = {**old.data, "flows": {name(key): value for key, value in old.data["flows"].items()}}
    bounds = None if old.bounds is None else {name(flow): value for flow, value in old.bounds.items()}
    return replace(old, spec=renamed, data=data, bounds=bounds), renamed


def _spec_meanings(
    old: Version, new: Version, before: Spec, after: Spec
) -> tuple[tuple[Meaning, ...], tuple[GoingOn, ...]]:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts

    was, now = ProofFacts(SpecFacts(before)), ProofFacts(SpecFacts(after))
    meanings = [
        _of_flow(meaning, name, after.entry)
        for name, flow in now.flows.items()
        if name in was.flows
        for meaning in flow_meanings(was.flows[name], flow)
    ]
    if old.bounds is None or new.bounds is None:
        message = "bounds aren't compared: a flow has many steps and many ways back"
        meanings.append(Meaning(MeaningKind.NOT_COMPARED, message))
    else:
        meanings += bounds_meanings(old.bounds, new.bounds)
    return tuple(meanings), tuple(runs_under_way(was, now))


_NAMING = (MeaningKind.CANNOT_COMPLETE, MeaningKind.CAN_COMPLETE)
"""Kinds whose messages name the flow themselves."""


def _of_flow(meaning: Meaning, flow: str, entry: str) -> Meaning:
    """A meaning with its flow, which the message names unless it is the entry."""
    named = flow == entry or meaning.kind in _NAMING
    message = meaning.message if named else f"in flow `{flow}`: {meaning.message}"
    return replace(meaning, message=message, flow=flow)
