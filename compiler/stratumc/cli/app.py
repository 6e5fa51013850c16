"""Assembles the commands, each imported only when it is called, and turns usage errors into exit status 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from stratumc import __version__
from stratumc.cli.guard import PipeClosedError
from stratumc.diagnostics.nearest import did_you_mean


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a command lies, and what the list of commands says of it."""

    home: str
    name: str
    summary: str


COMMANDS = {
    "check": Entry("stratumc.cli.check", "check", "Find what is wrong in specs and workflows."),
    "compile": Entry("stratumc.cli.compile", "compile_", "Compile a spec or a workflow to its frozen table."),
    "verify": Entry("stratumc.cli.compile", "verify", "Check a table by itself, or against its source."),
    "tables": Entry(
        "stratumc.cli.tables", "tables", "Tell whether the tables kept beside their sources are current."
    ),
    "state": Entry("stratumc.cli.workflow", "state", "Show a project's state and what may be done in it."),
    "apply": Entry("stratumc.cli.workflow", "apply", "Apply an event to a project."),
    "history": Entry("stratumc.cli.workflow", "history", "Show what happened in a project."),
    "modify": Entry("stratumc.cli.workflow", "modify", "Edit the workflow file, with a preview."),
    "path": Entry(
        "stratumc.cli.path", "path", "Find a way between states or steps, or assert what every way passes."
    ),
    "diagram": Entry("stratumc.cli.review", "diagram", "Draw a flow or a workflow."),
    "diff": Entry("stratumc.cli.review", "diff", "Say what a change means."),
    "review": Entry("stratumc.cli.review", "review", "Write one page with everything a reviewer looks at."),
    "query": Entry("stratumc.cli.runs", "query", "Look at runs and at gates that wait."),
    "gate": Entry("stratumc.cli.runs", "gate", "Decide at a gate."),
    "watch": Entry("stratumc.cli.runs", "watch", "Follow a run as it goes."),
    "flow": Entry("stratumc.cli.runs", "flow_group", "Cancel a run."),
    "serve": Entry("stratumc.cli.serve", "serve", "Serve the workflow and flow tools over MCP."),
    "schema": Entry("stratumc.cli.schema", "schema", "Print a JSON Schema for editors and programs."),
    "rule": Entry("stratumc.cli.rule", "rule", "Explain a code: why it matters, an example, how to mend it."),
}


@contextmanager
def _pipes_are_ours() -> Iterator[None]:
    """Keeps a closed pipe from click, which would end the process with the status of a refusal."""
    try:
        yield
    except BrokenPipeError as error:
        raise PipeClosedError from error


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Imports the command of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(entry.home), entry.name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Lists the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads the command line; writes help, should that be asked for."""
        with _pipes_are_ours():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        with _pipes_are_ours():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; an unknown one is told with the nearest known."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = did_you_mean(args[0], COMMANDS) or "`stratumc --help` lists them"
            ctx.fail(f"no command `{args[0]}`: {near}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def stratumc() -> None:
    """Checks, compiles and runs agent flows and JSON workflows.

    Answers go to standard output, everything else to standard error. The exit status is 0, 1 for a
    finding or a refusal, 2 for wrong usage or a file that can't be read.
    """


def run(arguments: list[str]) -> int:
    """Runs a command line and returns its exit status."""
    try:
        status = stratumc.main(arguments, prog_name="stratumc", standalone_mode=False)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        error.show()
        return error.exit_code if error.exit_code > 1 else 2
    return status if isinstance(status, int) else 0
