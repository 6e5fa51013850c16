"""`stratumc path`: ways from state to state in a workflow file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from stratumc.cli.workflow import context_option

Answer = dict[str, Any]

NO_PATH = 1


@click.command(short_help="Find a way between two states of a workflow.")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.argument("start", required=False, metavar="[FROM]")
@click.argument("goal", required=False, metavar="[TO]")
@click.option("--avoid", multiple=True, metavar="STATE", help="Go round this state (repeatable).")
@click.option("--all", "list_all", is_flag=True, help="List everything reachable from FROM.")
@context_option
@click.option("--json", "as_json", is_flag=True, help="Answer with a JSON object.")
def path(
    file: Path,
    start: str | None,
    goal: str | None,
    *,
    avoid: tuple[str, ...],
    list_all: bool,
    context: Answer | None,
    as_json: bool,
) -> int:
    """Show the shortest path FROM one state TO another, or everything that can be reached.

    FILE is a workflow file or its folder. FROM is the initial state unless given; with one name only, that is
    where the path starts. Hops by trigger say which values fire them.
    """
    if list_all and goal is not None:
        raise click.UsageError("with --all, leave TO out")
    from stratumc.engine.explain import explain_path

    try:
        result = explain_path(file, start, goal, avoid=avoid, context=context)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if result.diagnostics:
        for found in result.diagnostics:
            span = found.span
            click.echo(f"{span.file}:{span.line}:{span.column}: {found.code}: {found.message}", err=True)
        return NO_PATH
    answer = result.answer
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False) if as_json else "\n".join(_shown(answer)))
    return 0 if result.ok else NO_PATH


def _shown(answer: Answer) -> Iterator[str]:
    if answer.get("path") is not None:
        yield f"{answer['from']} to {answer['to']}: {_hops(answer['length'])}"
        for hop in answer["path"]:
            yield from _hop(hop)
        return
    if "message" in answer:
        yield answer["message"]
    for item in answer["reachable"]:
        yield f"  {item['state']}: {_hops(item['distance'])}"
    if answer.get("unreachable"):
        yield f"unreachable: {', '.join(answer['unreachable'])}"


def _hops(count: int) -> str:
    return "1 hop" if count == 1 else f"{count} hops"


def _hop(hop: Answer) -> Iterator[str]:
    how = hop.get("event") or f"trigger `{hop['condition']}`"
    action = f", run {hop['action']}" if hop["action"] else ""
    weigh = ", a judgment" if hop["judgment"] else ""
    yield f"  {hop['from']} -> {hop['to']} by {how}{action}{weigh}"
    if "witness" in hop:
        yield f"    for example with {json.dumps(hop['witness'], ensure_ascii=False)}"
    if "previous_state" in hop:
        yield f"    when the state before was {hop['previous_state']}"
