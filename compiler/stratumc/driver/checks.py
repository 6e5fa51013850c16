"""Decides which checks run over a loaded input, and runs them over facts that are computed once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.diagnostics import Family, Finding, Severity
from stratumc.diagnostics.catalog import CATALOG
from stratumc.driver.load import Loaded
from stratumc.driver.settings import Settings
from stratumc.text.record import record

if TYPE_CHECKING:
    from stratumc.checks.facts import SpecFacts
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.checks.workflow_facts import WorkflowFacts
    from stratumc.spec.syntax import Spec
    from stratumc.workflow.syntax import Workflow


@record
class CheckRun:
    """What the checks found, which families ran, and the facts of those that prove."""

    findings: tuple[Finding, ...]
    families: frozenset[Family]
    spec: ProofFacts | None
    """Facts of a spec whose proofs were made."""
    workflow: WorkflowFacts | None
    """Facts of a workflow whose proofs were made."""


def run_checks(loaded: Loaded, settings: Settings) -> CheckRun:
    """The findings of the families that are asked for and can run, those of loading first."""
    asked = frozenset(family for family in Family if family.value in settings.families)
    families = _families_to_run(loaded, asked)
    is_proved = Family.PROOF in families
    findings = list(loaded.findings)
    spec = _spec_facts(loaded.spec) if loaded.spec is not None and families - {Family.RULE} else None
    workflow = _workflow_facts(loaded.workflow) if loaded.workflow is not None and is_proved else None
    proofs = _proof_facts(spec) if spec is not None and is_proved else None
    if spec is not None and Family.TYPE in families:
        findings += _type_findings(spec)
    if proofs is not None:
        findings += _flow_findings(proofs)
    if workflow is not None:
        findings += _workflow_findings(workflow)
    return CheckRun(tuple(findings), families, proofs, workflow)


def is_broken(loaded: Loaded) -> bool:
    """Whether an error of the rules was found, or there is nothing to check the other families on."""
    if loaded.spec is None and loaded.workflow is None:
        return True
    return any((f.severity or CATALOG[f.code].severity) is Severity.ERROR for f in loaded.findings)


def _families_to_run(loaded: Loaded, asked: frozenset[Family]) -> frozenset[Family]:
    """Of the families asked for, none without a syntax tree, and proofs only where all rules are kept."""
    if loaded.spec is None and loaded.workflow is None:
        return frozenset()
    return asked - {Family.PROOF} if is_broken(loaded) else asked


def _spec_facts(spec: Spec) -> SpecFacts:
    from stratumc.checks.facts import SpecFacts

    return SpecFacts(spec)


def _proof_facts(facts: SpecFacts) -> ProofFacts:
    from stratumc.checks.flow_facts import ProofFacts

    return ProofFacts(facts)


def _workflow_facts(workflow: Workflow) -> WorkflowFacts:
    from stratumc.checks.workflow_facts import WorkflowFacts

    return WorkflowFacts(workflow)


def _type_findings(facts: SpecFacts) -> Iterator[Finding]:
    from stratumc.checks import type_checks

    for one in type_checks():
        yield from one.run(facts)


def _flow_findings(facts: ProofFacts) -> Iterator[Finding]:
    from stratumc.checks import flow_checks

    for one in flow_checks():
        yield from one.run(facts)


def _workflow_findings(facts: WorkflowFacts) -> Iterator[Finding]:
    from stratumc.checks import workflow_checks

    for one in workflow_checks():
        yield from one.run(facts)
