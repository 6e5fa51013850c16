"""Decides which diagnostics count: what comments and settings ignore, and with which severity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stratumc.diagnostics import Diagnostic, Family, Severity
from stratumc.diagnostics.catalog import CATALOG, NEVER_IGNORED
from stratumc.driver.discovery import matches_pattern
from stratumc.driver.load import Loaded
from stratumc.driver.settings import PerFile, Settings, shown
from stratumc.text import Span


def apply_settings(
    diagnostics: Iterable[Diagnostic], loaded: Loaded, settings: Settings, ran: frozenset[Family]
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """The diagnostics that count, and those that are suppressed, both in order.

    `ran` are the families that ran: only of their codes can be said that a comment ignores nothing.
    """
    codes = frozenset(code for code, rule in CATALOG.items() if rule.family in ran)
    severities = dict(settings.severity)
    marked = tuple(
        replace(d, severity=severities[d.code]) if d.code in severities and d.code not in NEVER_IGNORED else d
        for d in diagnostics
    )
    if any(loaded.comments):
        from stratumc.diagnostics.suppress import apply_ignores

        marked = apply_ignores(marked, loaded.sources, loaded.comments, codes)
    names = tuple(source.document.name for source in loaded.sources)
    matched = tuple(
        per_file for per_file in settings.per_file_ignores if _matches_any(names, per_file, settings)
    )
    found = [_suppressed_by_setting(d, matched, settings) for d in marked]
    if ran:
        found += _unused(matched, found, settings)
        found.sort(key=lambda diagnostic: diagnostic.sort_key)
    needs_rules = not ran or _wants_more_than_rules(settings)
    wanted = tuple(d for d in found if _is_wanted(d, settings, needs_rules=needs_rules))
    counting = tuple(d for d in wanted if d.suppressed is None)
    return counting, tuple(d for d in wanted if d.suppressed is not None)


def count_those_of_settings(
    diagnostics: Iterable[Diagnostic], settings: Settings
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """As `apply_settings`, for diagnostics of the settings themselves."""
    return apply_settings(diagnostics, Loaded(None, (), ()), settings, frozenset())


def _matches_any(names: tuple[str, ...], per_file: PerFile, settings: Settings) -> bool:
    return any(matches_pattern(name, per_file.pattern, settings) for name in names)


def _suppressed_by_setting(
    diagnostic: Diagnostic, matched: tuple[PerFile, ...], settings: Settings
) -> Diagnostic:
    if diagnostic.suppressed is not None or diagnostic.code in NEVER_IGNORED:
        return diagnostic
    if diagnostic.code in settings.ignore:
        return replace(diagnostic, suppressed="setting: ignore")
    for per_file in matched:
        is_named = diagnostic.code in per_file.codes
        if is_named and matches_pattern(diagnostic.span.file, per_file.pattern, settings):
            return replace(diagnostic, suppressed=f"setting: per-file-ignores, `{per_file.pattern}`")
    return diagnostic


def _unused(
    matched: tuple[PerFile, ...], found: list[Diagnostic], settings: Settings
) -> Iterator[Diagnostic]:
    """Warnings for codes that a setting ignores in one file by its name, with nothing to ignore."""
    if settings.file is None:
        return
    for per_file in matched:
        if not per_file.is_one_file:
            continue
        reason = f"setting: per-file-ignores, `{per_file.pattern}`"
        used = {diagnostic.code for diagnostic in found if diagnostic.suppressed == reason}
        for code, place in zip(per_file.codes, per_file.places, strict=True):
            if code not in used:
                yield Diagnostic(
                    code="IGNORE_UNUSED",
                    severity=CATALOG["IGNORE_UNUSED"].severity.value,
                    family=Family.RULE.value,
                    message=f"`{code}` is ignored in `{per_file.pattern}`, where it isn't found",
                    path=f"per-file-ignores.{per_file.pattern}",
                    span=Span(shown(settings.file), *place),
                    suggestion=f"remove `{code}`",
                )


def _is_wanted(diagnostic: Diagnostic, settings: Settings, *, needs_rules: bool) -> bool:
    """Whether a diagnostic is asked for; errors of the rules always are where more than rules is asked for.

    They keep the other families from running, or from knowing all types; what was not checked must not look
    as if it had been.
    """
    if needs_rules and diagnostic.family == Family.RULE.value and _breaks_rules(diagnostic):
        return True
    is_selected = settings.select is None or diagnostic.code in settings.select
    return is_selected and diagnostic.family in settings.families


def _breaks_rules(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is an error, whatever severity the settings give it."""
    return diagnostic.severity == "error" or CATALOG[diagnostic.code].severity is Severity.ERROR


def _wants_more_than_rules(settings: Settings) -> bool:
    """Whether a family other than the rules is asked for, or a code of one."""
    wanted = set(settings.families)
    if settings.select is not None:
        wanted &= {CATALOG[code].family.value for code in settings.select if code in CATALOG}
    return bool(wanted - {Family.RULE.value})
