"""`stratumc tables`: whether the tables that are kept beside their sources are current."""

from __future__ import annotations

import click


@click.command(short_help="Tell whether the tables kept beside their sources are current.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str))
def tables(paths: tuple[str, ...]) -> int:
    """Compare tables with what their sources compile to.

    The table of X.stratum.yaml is X.table.json beside it, that of workflow.json is workflow.table.json.
    PATHS are tables, sources or folders; without any, the current folder. A source without a table is
    passed over.

    The exit status is 1 when a table isn't what its source compiles to.
    """
    from stratumc.driver.tables import fault_of_table, find_tables

    found = find_tables(paths or (".",))
    faults = [fault for table, source in found.items() if (fault := fault_of_table(table, source))]
    for fault in faults:
        click.echo(f"{fault.table}: {fault.reason}")
    tables = "1 table" if len(found) == 1 else f"{len(found)} tables"
    click.echo(f"compared {tables}, {len(faults)} stale", err=True)
    return int(bool(faults))
