"""Decides which assertions of the settings speak of an input, and where their failures are shown."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from stratumc.driver.files import base_of_fragment, workflow_base
from stratumc.driver.settings import Assertion, Settings, shown

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic
    from stratumc.driver.load import Loaded
    from stratumc.review.paths.assertions import FailedClaim
    from stratumc.text import Span

_CODE, _VACUOUS = "ASSERTION_FAILED", "ASSERTION_VACUOUS"


def assertions_on(name: str, settings: Settings) -> tuple[Assertion, ...]:
    """The assertions about the input of that name; a fragment stands for its workflow."""
    if not settings.assertions:
        return ()
    path = _identity(name)
    return tuple(one for one in settings.assertions if _identity(file_of(one, settings)) == path)


def file_of(assertion: Assertion, settings: Settings) -> str:
    """The path of the file that an assertion is about; of a folder with a workflow, the workflow's."""
    path = os.path.normpath(os.path.join(settings.folder, assertion.file))
    return workflow_base(path) or path


def are_asked(settings: Settings) -> bool:
    """Whether assertions are decided at all."""
    if "proof" not in settings.families:
        return False
    codes = {_CODE, _VACUOUS}.difference(settings.ignore)
    return bool(codes) and (settings.select is None or not codes.isdisjoint(settings.select))


def failed_assertions(loaded: Loaded, settings: Settings) -> tuple[Diagnostic, ...]:
    """A diagnostic for each assertion about an input that keeps the rules, and breaks it or gives it no run.

    One that some run breaks is shown at the goal; one that names what isn't there, in the settings.
    """
    named = assertions_on(loaded.sources[0].document.name, settings)
    if not named:
        return ()
    from stratumc.review.paths.assertions import failed_claims
    from stratumc.review.paths.questions import Claim

    claims = [(one.name, Claim(one.goal, one.gate, one.start, one.flow)) for one in named]
    by_name = {one.name: one for one in named}
    found = failed_claims(claims, loaded.spec, loaded.workflow)
    return tuple(_diagnostic(one, by_name[one.name], loaded, settings) for one in found)


def undecidable_assertions(loaded: Loaded, settings: Settings) -> tuple[Diagnostic, ...]:
    """A diagnostic for each assertion about an input of which no proofs can be made."""
    if not are_asked(settings):
        return ()
    why = "is neither a spec nor a workflow of stratumc" if loaded.kind is None else "breaks rules"
    return tuple(
        _in_settings(one, "file", f"assertion `{one.name}` can't be decided: `{one.file}` {why}", settings)
        for one in assertions_on(loaded.sources[0].document.name, settings)
    )


def assertions_on_missing_files(settings: Settings) -> tuple[Diagnostic, ...]:
    """A diagnostic for each assertion about a file that isn't there, whatever is checked."""
    found = []
    for one in settings.assertions:
        path = file_of(one, settings)
        near = None
        if os.path.isdir(path):
            what = f"names a folder that holds no workflow: `{one.file}`"
        elif not os.path.exists(path):
            what = f"names a file that isn't there: `{one.file}`"
            near = _near(path)
        else:
            continue
        found.append(_in_settings(one, "file", f"assertion `{one.name}` {what}", settings, near))
    return tuple(found)


def left_out(names: Iterable[str], settings: Settings) -> tuple[Assertion, ...]:
    """The assertions whose file is there and isn't among the inputs of these names."""
    checked = {_identity(name) for name in names}
    paths = ((one, file_of(one, settings)) for one in settings.assertions)
    return tuple(one for one, path in paths if os.path.isfile(path) and _identity(path) not in checked)


def _identity(path: str) -> str:
    """One name for a file, by whatever links it is reached."""
    return os.path.realpath(base_of_fragment(path))


def _near(path: str) -> str | None:
    """The nearest name in the folder of a file that isn't there."""
    from stratumc.diagnostics.nearest import did_you_mean

    folder, name = os.path.split(path)
    try:
        return did_you_mean(name, sorted(os.listdir(folder)))
    except OSError:
        return None


def _diagnostic(failed: FailedClaim, assertion: Assertion, loaded: Loaded, settings: Settings) -> Diagnostic:
    from dataclasses import replace

    from stratumc.diagnostics import Finding, Related, concretize

    if failed.at is None:
        key = failed.key or "file"
        return _in_settings(assertion, key, failed.message, settings, failed.suggestion)
    code = _VACUOUS if failed.is_vacuous else _CODE
    finding = Finding(code, failed.at, failed.message, witness=failed.witness)
    (found,) = concretize((finding,), loaded.sources)
    here = Related("asserted here", _span(assertion, "must-pass", settings))
    return replace(found, related=(*found.related, here))


def _in_settings(
    assertion: Assertion, key: str, message: str, settings: Settings, suggestion: str | None = None
) -> Diagnostic:
    from stratumc.diagnostics import Diagnostic
    from stratumc.diagnostics.catalog import CATALOG

    rule = CATALOG[_CODE]
    return Diagnostic(
        code=_CODE,
        severity=rule.severity.value,
        family=rule.family.value,
        message=message,
        path=f"assertions.{assertion.name}.{key}",
        span=_span(assertion, key, settings),
        suggestion=suggestion,
    )


def _span(assertion: Assertion, key: str, settings: Settings) -> Span:
    from stratumc.text import Span

    if settings.file is None:
        return Span("<settings>", 1, 1, 1, 1)
    return Span(shown(settings.file), *dict(assertion.places)[key])
