"""Runs a check of many inputs: finds them, checks them, writes the output, decides the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from errno import EISDIR
from functools import partial
from typing import TYPE_CHECKING

from stratumc.cli.check_request import CheckRequest
from stratumc.cli.guard import answer, complain
from stratumc.driver.asserted import are_asked, assertions_on, left_out
from stratumc.driver.batch import Checked, Input, check_inputs
from stratumc.driver.cache import Cache, default_folder
from stratumc.driver.discovery import LOOKED_FOR, discover
from stratumc.driver.settings import Assertion, Settings, SettingsError, shown
from stratumc.driver.settings_search import find_settings

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic

STDIN = "-"

_MOST_NAMED = 6


def run_check(request: CheckRequest) -> int:
    """Checks, writes the output, and returns the exit status (checks.md, "Command line").

    Raises SettingsError for settings that can't be used.
    """
    paths = request.paths or (".",)
    settings = with_flags(find_settings(_places(request, paths)), request)
    inputs = _find_inputs(request, paths, settings)
    if not inputs:
        return 2
    cache = Cache(default_folder()) if request.use_cache else None
    results = _check_with_progress(inputs, settings, request, cache)
    missing = _about_missing_files(settings)
    is_checked = settings.families != ("type",) or any(
        result.kind != "workflow" or result.diagnostics for result in results
    )
    _write(request, (*results, *missing), with_summary=is_checked and not request.quiet)
    if not is_checked:
        complain("nothing was checked: workflows have no checks of the family `type`")
        return 2
    if not request.quiet:
        _tell_undecided(results, settings)
    if not request.quiet and any(
        _is_unasked(one, settings) for result in results for one in result.diagnostics
    ):
        complain("errors of the rules are shown too: with them, what was asked for can't be checked in full")
    return exit_status((*results, *missing), strict=settings.strict)


def _about_missing_files(settings: Settings) -> tuple[Checked, ...]:
    """The settings file as one more that was checked, should it assert something of missing files."""
    if not settings.assertions or settings.file is None:
        return ()
    from stratumc.driver.asserted import assertions_on_missing_files
    from stratumc.driver.filter import count_those_of_settings

    counting, suppressed = count_those_of_settings(assertions_on_missing_files(settings), settings)
    if not counting and not suppressed:
        return ()
    return (Checked(Input(shown(settings.file)), None, counting, suppressed, None),)


def _tell_undecided(results: Sequence[Checked], settings: Settings) -> None:
    """Says which assertions were not decided, and why: no proofs were asked for, or none can be made."""
    if not settings.assertions:
        return
    if "proof" not in settings.families:
        _tell(_on(results, settings), "assertions are decided with the family `proof`, so not decided")
    elif are_asked(settings):
        checked = (result.input.name for result in results)
        _tell(left_out(checked, settings), "assertions on files that were not checked, so not decided")
        broken = filter(_breaks_rules, results)
        _tell(_on(broken, settings), "assertions on files that break rules, so not decided")


def _on(results: Iterable[Checked], settings: Settings) -> tuple[Assertion, ...]:
    """The assertions about what was checked, each once."""
    about = (one for result in results for one in assertions_on(result.input.name, settings))
    return tuple(dict.fromkeys(about))


def _tell(assertions: tuple[Assertion, ...], why: str) -> None:
    if assertions:
        names = [f"`{one.name}`" for one in assertions]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        complain(f"{why}: {', '.join(names[:_MOST_NAMED])}{more}")


def _breaks_rules(result: Checked) -> bool:
    """Whether an error of the rules was found, so that no proof was made."""
    from stratumc.diagnostics import Severity
    from stratumc.diagnostics.catalog import CATALOG

    return any(
        one.severity == "error" and one.family == "rule" and CATALOG[one.code].severity is Severity.ERROR
        for one in result.diagnostics
    )


def with_flags(settings: Settings, request: CheckRequest) -> Settings:
    """The settings with what the flags say; a flag replaces the setting of its name, severities add up."""
    severity = {**dict(settings.severity), **dict(request.severity)}
    return settings._replace(
        families=request.family or settings.families,
        select=request.select or settings.select,
        ignore=request.ignore or settings.ignore,
        severity=tuple(severity.items()),
        strict=settings.strict or request.strict,
    )


def _is_unasked(one: Diagnostic, settings: Settings) -> bool:
    """Whether a diagnostic is shown only because it keeps checks from running."""
    if one.family not in settings.families:
        return True
    return settings.select is not None and one.code not in settings.select


def exit_status(results: Sequence[Checked], *, strict: bool) -> int:
    """2 when a file can't be read, else 1 when there is an error (with `strict` a warning), else 0."""
    if any(result.is_unreadable for result in results):
        return 2
    failing = ("error", "warning") if strict else ("error",)
    return int(any(one.severity in failing for result in results for one in result.diagnostics))


def _places(request: CheckRequest, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths whose settings count; standard input counts as the file that it stands for."""
    return tuple((request.stdin_filename or ".") if path == STDIN else path for path in paths)


def _find_inputs(request: CheckRequest, paths: tuple[str, ...], settings: Settings) -> list[Input]:
    """The inputs in the order of the paths; says so where there are none."""
    found = discover(tuple(path for path in paths if path != STDIN), settings)
    inputs = [Input(path, request.kind) for path in found.inputs]
    for path in found.empty:
        if settings.exclude and discover((path,), settings._replace(exclude=())).inputs:
            complain(f"nothing to check in `{path}`: `exclude` leaves out everything in it")
        else:
            complain(f"nothing to check in `{path}`: looked for {LOOKED_FOR}")
    if STDIN in paths:
        if sys.stdin is None:
            raise SettingsError("standard input is closed")
        data = sys.stdin.buffer.read()
        inputs.append(Input(request.stdin_filename or "<stdin>", request.kind, data))
    elif request.stdin_filename is not None:
        raise SettingsError("--stdin-filename names standard input: give `-` as a path too")
    return inputs


def _check_with_progress(
    inputs: list[Input], settings: Settings, request: CheckRequest, cache: Cache | None
) -> list[Checked]:
    check = partial(check_inputs, inputs, settings, with_bounds=request.stats, jobs=request.jobs, cache=cache)
    if request.quiet or not sys.stderr.isatty():
        return check()
    from stratumc.cli.progress import Progress

    with Progress(len(inputs)) as progress:
        return check(progress=progress.advance)


def _write(request: CheckRequest, results: Sequence[Checked], *, with_summary: bool) -> None:
    """Writes the output, and what a person wants to know beside it to the error stream."""
    from stratumc.cli.report import Report

    report = Report(results, request)
    text = report.render()
    if request.output is not None:
        write_whole(request.output, text)
    else:
        answer(text)
    if with_summary:
        sys.stderr.write(report.summary())


def write_whole(path: str, content: str | bytes) -> None:
    """Writes a file whole or not at all: beside it, flushed, then renamed. Raises OSError."""
    if os.path.isdir(path):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
    scratch = f"{path}.{os.getpid()}.tmp"
    try:
        with open(scratch, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except OSError as error:
        if os.path.exists(scratch):
            os.unlink(scratch)
        raise OSError(error.errno, error.strerror, path) from None
