"""`stratumc serve`: the MCP server on standard input and output."""

from __future__ import annotations

from typing import Any

import click

from stratumc.cli.guard import complain
from stratumc.cli.workflow import settings_options


@click.command(short_help="Serve the workflow and flow tools over MCP.")
@click.option(
    "--tools",
    type=click.Choice(["all", "workflow", "flows"]),
    default="all",
    show_default=True,
    help="Which set of tools.",
)
@click.option(
    "--gates",
    type=click.Choice(["any", "human"]),
    default="any",
    show_default=True,
    help="Who may resolve gates; `human`: only this command line, or a person whom the host asks.",
)
@settings_options
def serve(*, tools: str, gates: str, **settings: Any) -> int:
    """Serve tools to an agent's host over standard input and output, until end of input.

    Runs are kept under STRATUM_STATE_ROOT (default ~/.stratum).
    """
    from stratum_runtime.store import StoreError
    from stratum_server.server import FlowSet, build_server
    from stratum_server.stdio import serve_stdio
    from stratumc import __version__, create_engine
    from stratumc.cli.runs import UNREADABLE, open_engine
    from stratumc.driver.serve import TextCompiler

    workflow = create_engine(**settings) if tools != "flows" else None
    flows = None
    if tools != "workflow":
        try:
            flows = FlowSet(TextCompiler(), open_engine(gates=gates), person_only=gates == "human")
        except StoreError as error:
            complain(str(error))
            return UNREADABLE
    return serve_stdio(build_server(__version__, workflow=workflow, flows=flows))
