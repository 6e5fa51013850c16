"""`stratumc compile` and `stratumc verify`."""

from __future__ import annotations

import sys

import click

from stratumc.cli.check_run import write_whole
from stratumc.cli.guard import answer, complain
from stratumc.driver.compile import FORMATS, compile_file, require_readable
from stratumc.driver.settings import KINDS


@click.command("compile", short_help="Compile a spec or a workflow to its frozen table.")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="json",
    show_default=True,
    help="json: the table; table: Markdown for people; rows: one row a line, for diffs.",
)
@click.option(
    "--kind", type=click.Choice(KINDS), help="Take FILE for a spec or a workflow, whatever it holds."
)
def compile_(file: str, output: str | None, form: str, kind: str | None) -> int:
    """Compile FILE, or the workflow in folder FILE, to its frozen table.

    A FILE with errors has no table: they go to standard error, and the exit status is 1.
    """
    compiled = compile_file(file, form, kind)
    if compiled.text is None:
        from stratumc.diagnostics.text import render_text

        errors = [one for one in compiled.diagnostics if one.severity == "error"]
        sys.stderr.write(render_text(errors, compiled.documents, color=False))
        return 1
    if output is None:
        answer(compiled.text)
    else:
        write_whole(output, compiled.text)
    return 0


@click.command(short_help="Check a table by itself, or against its source.")
@click.argument("table", metavar="TABLE")
@click.argument("source", metavar="[SOURCE]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def verify(table: str, source: str | None, *, as_json: bool) -> int:
    """Check that TABLE keeps all that a table must keep, and with SOURCE that it comes from there.

    The checker shares no code with the compiler's lowering. The exit status is 1 when something is refuted.
    """
    import json
    from dataclasses import asdict
    from pathlib import Path

    from stratumc.driver.verify import verify as verify_table

    if source is not None:
        require_readable(source)
    result = verify_table(Path(table).read_bytes(), None if source is None else Path(source))
    if as_json:
        properties = [asdict(one) for one in result.properties]
        answer(json.dumps({"ok": result.ok, "properties": properties}, indent=2, ensure_ascii=False) + "\n")
    else:
        for one in result.properties:
            detail = f": {one.detail}" if one.detail else ""
            answer(f"{one.verdict:8} {one.name} ({one.method}){detail}\n")
    if not result.ok:
        complain(f"`{table}` is refused")
    return int(not result.ok)
