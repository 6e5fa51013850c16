"""`stratumc check`: its options; what it does is in `check_run`."""

from __future__ import annotations

from typing import Any

import click

from stratumc.cli.check_request import FORMATS, CheckRequest
from stratumc.cli.check_run import run_check
from stratumc.driver.settings import FAMILIES, KINDS
from stratumc.driver.settings_file import (
    fault_of_code,
    fault_of_ignoring,
    fault_of_lowering,
    fault_of_severity,
)


def _codes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The codes of an option that is repeated or lists some with commas; fails for an unknown one."""
    codes = tuple(code.strip().upper() for value in values for code in value.split(","))
    for code in codes:
        fault = fault_of_code(code)
        if fault:
            raise click.BadParameter(fault, ctx, param)
    return codes


def _ignored(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """As `_codes`; fails for a code that can't be ignored too."""
    codes = _codes(ctx, param, values)
    for code in codes:
        fault = fault_of_ignoring(code)
        if fault:
            raise click.BadParameter(fault, ctx, param)
    return codes


def _severities(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The codes and severities of `CODE=severity`."""
    return tuple(_severity(ctx, param, value) for value in values)


def _severity(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, str]:
    code, equals, severity = value.partition("=")
    code, severity = code.strip().upper(), severity.strip().lower()
    if not equals:
        fault: str | None = f"`{value}` has no severity: write CODE=error, CODE=warning or CODE=info"
    else:
        fault = fault_of_code(code) or fault_of_severity(severity) or fault_of_lowering(code, severity)
    if fault:
        raise click.BadParameter(fault, ctx, param)
    return code, severity


@click.command(short_help="Find what is wrong in specs and workflows.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str))
@click.option("--kind", type=click.Choice(KINDS), help="What the files are; by default decided by content.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Form of the output.",
)
@click.option("--output", type=click.Path(dir_okay=False), help="Write the output to a file.")
@click.option(
    "--family", multiple=True, type=click.Choice(FAMILIES), help="Only this family of checks (repeatable)."
)
@click.option(
    "--select", multiple=True, metavar="CODE", callback=_codes, help="Only these codes (repeatable)."
)
@click.option(
    "--ignore", multiple=True, metavar="CODE", callback=_ignored, help="Not these codes (repeatable)."
)
@click.option(
    "--severity",
    multiple=True,
    metavar="CODE=SEVERITY",
    callback=_severities,
    help="Give a code a severity (repeatable).",
)
@click.option("--strict", is_flag=True, help="Warnings make the check fail too.")
@click.option("--statistics", is_flag=True, help="Count the findings by code.")
@click.option("--stats", is_flag=True, help="Show the bounds of a good run of each flow.")
@click.option("--quiet", "-q", is_flag=True, help="Errors only, and no summary.")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), help="Processes to use; by default as many as help."
)
@click.option("--no-cache", is_flag=True, help="Check unchanged files again.")
@click.option("--stdin-filename", help="The name that standard input has in findings.")
def check(
    paths: tuple[str, ...],
    form: str,
    *,
    no_cache: bool,
    **options: Any,
) -> int:
    """Find what is wrong in specs and workflows.

    PATHS are files, folders (searched for *.stratum.yaml, *.stratum.yml, *.stratum.json and workflow.json
    with workflow.d/), or - for standard input; without any, the current folder. Settings are read from
    [tool.stratumc] in pyproject.toml or from stratumc.toml, found upwards; flags win. Codes may be listed
    with commas. Errors of the rules are shown whatever --family and --select say, unless only rules are
    asked for: they keep the other families from running in full.

    The exit status is 0 without errors, 1 with, and 2 for wrong usage, a file that can't be read, or
    nothing to check.
    """
    request = CheckRequest(
        paths=paths,
        form=form,
        use_cache=not no_cache,
        **options,
    )
    return run_check(request)
