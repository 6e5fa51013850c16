"""The pipeline on one page: read, load, check by family, make concrete; and compile what is free of errors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stratumc.diagnostics import Diagnostic, Family, Finding, Severity
from stratumc.driver_load import KINDS, Loaded, load
from stratumc.driver_settings import FAMILIES, Settings

if TYPE_CHECKING:
    from stratum_runtime import Table


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found (design.md, "Public API")."""

    diagnostics: tuple[Diagnostic, ...]
    """Sorted by place; without those that are suppressed."""
    kind: str | None
    """`spec` or `workflow`; None when the input is neither or can't be read."""
    bounds: Any = None
    """By flow, the least and most dispatches, decisions and rounds of a good run; None when not computed."""
    suppressed: tuple[Diagnostic, ...] = ()
    """What a comment or a setting keeps from counting, with the reason."""

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


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

    Faults of the input are diagnostics, never exceptions. Raises ValueError for an unknown kind or family.
    """
    wanted = _valid_families(families)
    loaded = load(source, name=name, kind=_valid_kind(kind))
    return check_loaded(loaded, wanted, config or Settings())


def compile(
    source: str | bytes | os.PathLike[str],
    *,
    name: str = "<text>",
    kind: str | None = None,
    families: Iterable[str] = FAMILIES,
) -> Compiled:
    """Checks a source and lowers it to a frozen table when no error was found (table.md)."""
    wanted = _valid_families(families)
    loaded = load(source, name=name, kind=_valid_kind(kind))
    result = check_loaded(loaded, wanted, Settings())
    is_broken = any(_is_error(finding) for finding in loaded.findings)
    if is_broken or not result.ok or not (loaded.spec or loaded.workflow):
        return Compiled(None, result.diagnostics)
    return Compiled(_lower(loaded), result.diagnostics)


def check_loaded(loaded: Loaded, families: tuple[Family, ...], settings: Settings) -> CheckResult:
    """The families that a loaded input admits, made concrete, with comments and settings applied."""
    from stratumc.diagnostics import concretize

    findings = list(loaded.findings)
    is_broken = any(_is_error(finding) for finding in findings)
    bounds = None
    if loaded.spec is not None:
        findings += _spec_findings(loaded, families, is_broken)
    elif loaded.workflow is not None and not is_broken and Family.PROOF in families:
        findings += _workflow_findings(loaded)
    diagnostics = concretize(findings, loaded.sources)
    return CheckResult(diagnostics, loaded.kind, bounds)


def _spec_findings(loaded: Loaded, families: tuple[Family, ...], is_broken: bool) -> Iterator[Finding]:
    """Type findings whenever there is a syntax tree; proofs only where all rules are kept."""
    from stratumc.checks import spec_checks
    from stratumc.checks.facts import SpecFacts

    assert loaded.spec is not None
    facts = SpecFacts(loaded.spec)
    for family in families:
        if family is Family.PROOF and is_broken:
            continue
        for one in spec_checks(family):
            yield from one.run(facts)


def _workflow_findings(loaded: Loaded) -> Iterator[Finding]:
    from stratumc.checks import workflow_checks
    from stratumc.checks.workflow_facts import WorkflowFacts

    assert loaded.workflow is not None
    facts = WorkflowFacts(loaded.workflow)
    for one in workflow_checks(Family.PROOF):
        yield from one.run(facts)


def _lower(loaded: Loaded) -> Table:
    if loaded.spec is not None:
        from stratumc.lower import lower_spec

        return lower_spec(loaded.spec, loaded.sources)
    from stratumc.lower import lower_workflow

    assert loaded.workflow is not None
    return lower_workflow(loaded.workflow, loaded.sources)


def _is_error(finding: Finding) -> bool:
    from stratumc.diagnostics.catalog import CATALOG

    return (finding.severity or CATALOG[finding.code].severity) is Severity.ERROR


def _valid_kind(kind: str | None) -> str | None:
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: one of {', '.join(KINDS)}")
    return kind


def _valid_families(families: Iterable[str]) -> tuple[Family, ...]:
    """The families asked for, in their fixed order."""
    wanted = set(families)
    unknown = wanted - set(FAMILIES)
    if unknown:
        raise ValueError(f"unknown family {sorted(unknown)[0]!r}: one of {', '.join(FAMILIES)}")
    return tuple(family for family in Family if family.value in wanted)
