"""The pipeline on one page: load, check by family, make concrete; and compile what is free of errors."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stratumc.diagnostics import Diagnostic, Family, concretize
from stratumc.driver.asserted import failed_assertions, undecidable_assertions
from stratumc.driver.checks import is_broken, run_checks
from stratumc.driver.filter import apply_settings
from stratumc.driver.load import Loaded, load
from stratumc.driver.settings import FAMILIES, KINDS, Settings
from stratumc.text.record import record

if TYPE_CHECKING:
    from stratum_runtime import Table
    from stratumc.checks.flow_facts import ProofFacts
    from stratumc.checks.properties import Property
    from stratumc.checks.workflow_facts import WorkflowFacts


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found (docs/api.md)."""

    diagnostics: tuple[Diagnostic, ...]
    """Sorted by place; without those that are suppressed."""
    kind: str | None
    """`spec` or `workflow`; None when the input is neither or can't be read."""
    suppressed: tuple[Diagnostic, ...] = ()
    """What a comment or a setting keeps from counting, with the reason."""
    _spec: ProofFacts | None = field(default=None, compare=False, repr=False)
    _workflow: WorkflowFacts | None = field(default=None, compare=False, repr=False)
    """What the proofs were made from; None when they were not made."""

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
        return None if self._spec is None else self._spec.bounds

    @property
    def properties(self) -> tuple[Property, ...]:
        """What the proofs decided: name, method and verdict of each property (table.md, "Verified")."""
        from stratumc.checks.properties import spec_properties, workflow_properties

        if self._spec is not None:
            return spec_properties(self._spec)
        return workflow_properties(self._workflow) if self._workflow is not None else ()


@record
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
    asks for too. Raises ValueError for an unknown kind or family, TypeError for arguments of other types.
    """
    _expect("config", config, Settings, type(None))
    _expect("name", name, str)
    _expect("source", source, str, bytes, os.PathLike)
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

    Suppressing an error of the rules makes no table possible. Raises what `check` raises.
    """
    _expect("name", name, str)
    _expect("source", source, str, bytes, os.PathLike)
    loaded = load(source, name=name, kind=_valid_kind(kind))
    result = check_loaded(loaded, _with_families(Settings(), families))
    if not result.ok or is_broken(loaded):
        return Compiled(None, result.diagnostics)
    return Compiled(lower_loaded(loaded, result.properties), result.diagnostics)


def check_loaded(loaded: Loaded, settings: Settings) -> CheckResult:
    """Runs the families asked for, makes their findings concrete, and sets aside what is ignored."""
    run = run_checks(loaded, settings)
    diagnostics = concretize(run.findings, loaded.sources)
    is_decided = Family.PROOF in run.families
    asserted = failed_assertions(loaded, settings) if is_decided else undecidable_assertions(loaded, settings)
    counting, suppressed = apply_settings((*diagnostics, *asserted), loaded, settings, run.families)
    if not is_decided and any(found.severity == "error" and found not in asserted for found in counting):
        # What breaks the rules is told already: that nothing can be asserted of it follows.
        counting = tuple(found for found in counting if found not in asserted)
    return CheckResult(counting, loaded.kind, suppressed, run.spec, run.workflow)


def lower_loaded(loaded: Loaded, properties: tuple[Property, ...] = ()) -> Table:
    """The frozen table of an input that keeps the rules; `properties` go to its list of proofs."""
    if loaded.spec is not None:
        from stratumc.lower import lower_spec

        return lower_spec(loaded.spec, loaded.sources, properties)
    from stratumc.lower import lower_workflow

    assert loaded.workflow is not None
    return lower_workflow(loaded.workflow, loaded.sources, properties)


def _expect(name: str, value: object, *types: type) -> None:
    if not isinstance(value, types):
        wanted = " or ".join("None" if one is type(None) else one.__name__ for one in types)
        raise TypeError(f"`{name}` must be {wanted}, not {type(value).__name__}")


def _valid_kind(kind: str | None) -> str | None:
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: one of {', '.join(KINDS)}")
    return kind


def _with_families(settings: Settings, families: Iterable[str]) -> Settings:
    """The settings with only those of the families that are asked for, in their fixed order."""
    if isinstance(families, str):
        raise ValueError(f"families are a tuple of names, each one of {', '.join(FAMILIES)}")
    wanted = tuple(families)
    for family in wanted:
        if family not in FAMILIES:
            raise ValueError(f"unknown family {family!r}: one of {', '.join(FAMILIES)}")
    kept = tuple(family for family in FAMILIES if family in wanted and family in settings.families)
    return settings._replace(families=kept)
