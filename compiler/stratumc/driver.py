"""The pipeline on one page: load, check by family, make concrete; and compile what is free of errors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stratumc.diagnostics import Diagnostic, Family, Finding, Severity, concretize
from stratumc.diagnostics.catalog import CATALOG
from stratumc.driver_filter import apply_settings
from stratumc.driver_load import Loaded, load
from stratumc.driver_settings import FAMILIES, KINDS, Settings

if TYPE_CHECKING:
    from stratum_runtime import Table
    from stratumc.checks.facts import SpecFacts
    from stratumc.spec.syntax import Spec
    from stratumc.workflow.syntax import Workflow


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found (design.md, "Public API")."""

    diagnostics: tuple[Diagnostic, ...]
    """Sorted by place; without those that are suppressed."""
    kind: str | None
    """`spec` or `workflow`; None when the input is neither or can't be read."""
    suppressed: tuple[Diagnostic, ...] = ()
    """What a comment or a setting keeps from counting, with the reason."""
    _facts: SpecFacts | None = field(default=None, compare=False, repr=False)
    """What the proofs of a spec were made from; None when they were not made."""

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    @property
    def bounds(self) -> dict[str, Any] | None:
        """By flow, the least and the most dispatches, decisions and rounds of a good run, as JSON.

        None when proofs were not asked for, or a rule is broken. Computed when asked for, since that can take
        longer than the check.
        """
        if self._facts is None:
            return None
        from stratumc.checks.flow_bounds import bounds_of

        return bounds_of(self._facts)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A frozen table, or what keeps it from being one."""

    table: Table | None
    """None when an error was found."""
    diagnostics: tuple[Diagnostic, ...]


def check(
    source: str | bytes | os.PathLike[str],
    *,
    name: str = "<text>",
    kind: str | None = None,
    families: Iterable[str] = FAMILIES,
    config: Settings | None = None,
) -> CheckResult:
    """Checks a text, or a file with the fragments that belong to it.

    Faults of the input are diagnostics, never exceptions; of the families, those are reported that `config`
    asks for too. Raises ValueError for an unknown kind or family.
    """
    settings = _with_families(config or Settings(), families)
    return check_loaded(load(source, name=name, kind=_valid_kind(kind)), settings)


def compile(
    source: str | bytes | os.PathLike[str],
    *,
    name: str = "<text>",
    kind: str | None = None,
    families: Iterable[str] = FAMILIES,
) -> Compiled:
    """Checks a source and lowers it to a frozen table when no error was found (table.md).

    Suppressing an error of the rules makes no table possible. Raises ValueError as `check` does.
    """
    loaded = load(source, name=name, kind=_valid_kind(kind))
    result = check_loaded(loaded, _with_families(Settings(), families))
    if not result.ok or _is_broken(loaded):
        return Compiled(None, result.diagnostics)
    return Compiled(lower_loaded(loaded), result.diagnostics)


def check_loaded(loaded: Loaded, settings: Settings) -> CheckResult:
    """Runs the families asked for, makes their findings concrete, and sets aside what is ignored."""
    asked = frozenset(family for family in Family if family.value in settings.families)
    findings, ran, facts = list(loaded.findings), frozenset[Family](), None
    if loaded.spec is not None or loaded.workflow is not None:
        ran = asked - {Family.PROOF} if _is_broken(loaded) else asked
    if loaded.spec is not None:
        if ran - {Family.RULE}:
            facts = _facts_of(loaded.spec)
            findings += _spec_findings(facts, ran)
    elif loaded.workflow is not None:
        findings += _workflow_findings(loaded.workflow, ran)
    if Family.PROOF in ran and settings.assertions:
        findings += _broken_assertions(loaded, settings)
    diagnostics = concretize(findings, loaded.sources)
    counting, suppressed = apply_settings(diagnostics, loaded, settings, ran)
    return CheckResult(counting, loaded.kind, suppressed, facts if Family.PROOF in ran else None)


def _facts_of(spec: Spec) -> SpecFacts:
    from stratumc.checks.facts import SpecFacts

    return SpecFacts(spec)


def _spec_findings(facts: SpecFacts, families: frozenset[Family]) -> Iterator[Finding]:
    """Findings of types and proofs."""
    from stratumc.checks import spec_checks

    for family in Family:
        if family in families:
            for one in spec_checks(family):
                yield from one.run(facts)


def _workflow_findings(workflow: Workflow, families: frozenset[Family]) -> Iterator[Finding]:
    if Family.PROOF not in families:
        return
    from stratumc.checks import workflow_checks
    from stratumc.checks.workflow_facts import WorkflowFacts

    facts = WorkflowFacts(workflow)
    for one in workflow_checks(Family.PROOF):
        yield from one.run(facts)


def _broken_assertions(loaded: Loaded, settings: Settings) -> Iterator[Finding]:
    """The assertions of the settings about this input that don't hold."""
    path = os.path.abspath(loaded.sources[0].document.name)
    named = [one for one in settings.assertions if os.path.join(settings.folder, one.file) == path]
    if not named:
        return
    from stratumc.review.assertions import assertion_findings
    from stratumc.review.questions import Claim

    claims = [(one.name, Claim(one.goal, one.gate, one.start, one.flow)) for one in named]
    yield from assertion_findings(claims, loaded.spec, loaded.workflow)


def lower_loaded(loaded: Loaded) -> Table:
    """The frozen table of an input that keeps the rules."""
    if loaded.spec is not None:
        from stratumc.lower import lower_spec

        return lower_spec(loaded.spec, loaded.sources)
    from stratumc.lower import lower_workflow

    assert loaded.workflow is not None
    return lower_workflow(loaded.workflow, loaded.sources)


def _is_broken(loaded: Loaded) -> bool:
    """Whether an error of the rules was found, or there is nothing to check the other families on."""
    if loaded.spec is None and loaded.workflow is None:
        return True
    return any((f.severity or CATALOG[f.code].severity) is Severity.ERROR for f in loaded.findings)


def _valid_kind(kind: str | None) -> str | None:
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: one of {', '.join(KINDS)}")
    return kind


def _with_families(settings: Settings, families: Iterable[str]) -> Settings:
    """The settings with only those of the families that are asked for, in their fixed order."""
    wanted = tuple(families)
    for family in wanted:
        if family not in FAMILIES:
            raise ValueError(f"unknown family {family!r}: one of {', '.join(FAMILIES)}")
    kept = tuple(family for family in FAMILIES if family in wanted and family in settings.families)
    return settings._replace(families=kept)
