"""Decides what the settings of a check mean for a review page: which count, and what is shown of them."""

from __future__ import annotations

import os
from dataclasses import replace

from stratumc.diagnostics import Diagnostic
from stratumc.driver.asserted import assertions_on_missing_files
from stratumc.driver.discovery import matches_pattern
from stratumc.driver.filter import count_those_of_settings
from stratumc.driver.review import Checked
from stratumc.driver.settings import Settings, shown
from stratumc.driver.settings_search import find_settings

_ASSERTED = ("ASSERTION_FAILED", "ASSERTION_VACUOUS")


def settings_for(arguments: tuple[str, ...]) -> Settings:
    """The settings that count for what a command line names, as `check` finds them.

    For `REV:path` those of the working directory. Raises SettingsError.
    """
    return find_settings(tuple(one if os.path.exists(one) else "." for one in arguments))


def settings_of_old(settings: Settings, new: Checked) -> Settings:
    """Those for another version of an input: what they say of its files holds for that under its name too.

    What is asserted is asserted of the input alone.
    """
    names = tuple(source.document.name for source in new.loaded.sources)
    codes = tuple(
        code
        for one in settings.per_file_ignores
        if any(matches_pattern(name, one.pattern, settings) for name in names)
        for code in one.codes
    )
    return settings._replace(ignore=(*settings.ignore, *codes), per_file_ignores=(), assertions=())


def without_settings_findings(one: Checked) -> Checked:
    """An input without what is found only because of the settings, which another version has no part in."""
    names = {source.document.name for source in one.loaded.sources}

    def of_input(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        return tuple(each for each in found if each.code not in _ASSERTED and each.span.file in names)

    result = one.result
    kept = replace(result, diagnostics=of_input(result.diagnostics), suppressed=of_input(result.suppressed))
    return replace(one, result=kept)


def missing_files(settings: Settings) -> tuple[Diagnostic, ...]:
    """What `check` says of assertions about files that aren't there."""
    counting, _ = count_those_of_settings(assertions_on_missing_files(settings), settings)
    return counting


def shown_settings(settings: Settings, diagnostics: tuple[Diagnostic, ...]) -> tuple[str, str] | None:
    """Name and text of the settings file, if some diagnostic names a place in it."""
    if settings.file is None:
        return None
    name = shown(settings.file)
    places = (place for found in diagnostics for place in (found.span, *(one.span for one in found.related)))
    if all(place.file != name for place in places):
        return None
    with open(settings.file, encoding="utf-8", errors="replace") as file:
        return name, file.read()
