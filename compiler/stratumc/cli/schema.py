"""`stratumc schema`: JSON Schemas for editors and programs."""

from __future__ import annotations

import click

from stratumc.emit.schema import KINDS


@click.command(short_help="Print a JSON Schema for editors and programs.")
@click.argument("kind", type=click.Choice(KINDS))
def schema(kind: str) -> int:
    """Print the JSON Schema (2020-12) of specs, workflows, tables, or of the JSON output of check."""
    import json

    from stratumc.emit.schema import schema as schema_of

    click.echo(json.dumps(schema_of(kind), indent=2))
    return 0
