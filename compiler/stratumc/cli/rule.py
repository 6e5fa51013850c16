"""`stratumc rule`: the page of a code, and the list of codes."""

from __future__ import annotations

import click

from stratumc.diagnostics.catalog import CATALOG


@click.command(short_help="Explain a code: why it matters, an example, how to mend it.")
@click.argument("code", required=False)
@click.option("--all", "list_all", is_flag=True, help="List every code: family, severity, summary.")
def rule(code: str | None, *, list_all: bool) -> int:
    """Explain CODE: what it is, why it matters, an example with its output, and how to mend it."""
    if list_all:
        click.echo("".join(_row(name) for name in CATALOG), nl=False)
        return 0
    if code is None:
        raise click.UsageError("which code? `stratumc rule CODE`, or `stratumc rule --all` for the list")
    name = code.upper()
    if name not in CATALOG:
        from stratumc.diagnostics.nearest import did_you_mean

        near = did_you_mean(name, CATALOG) or "`stratumc rule --all` lists them"
        raise click.UsageError(f"no code `{code}`: {near}")
    from stratumc.emit.pages import read_page

    click.echo(read_page(name), nl=False)
    return 0


def _row(code: str) -> str:
    rule = CATALOG[code]
    return f"{code:42}{rule.family.value:7}{rule.severity.value:9}{rule.summary}\n"
