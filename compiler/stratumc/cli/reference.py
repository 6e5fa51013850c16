"""The page `docs/cli.md`: the help of every command, as the commands print it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from stratumc.cli.app import stratumc
from stratumc.emit.pages import write_generated

_WIDTH = 100


def render_reference() -> str:
    """The help of every command as Markdown, in the order of `stratumc --help`."""
    parts = [
        "# Command line\n\n",
        "What each command prints with `--help`. This file is generated: ",
        "`python -m stratumc.cli.reference docs/cli.md`.\n",
    ]
    parts += [f"\n## {title}\n\n```text\n{text}\n```\n" for title, text in _helps(stratumc, "stratumc", None)]
    return "".join(parts)


def _helps(command: click.Command, title: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    """Titles and help texts of a command and of those below it."""
    context = click.Context(
        command,
        info_name=title.rpartition(" ")[2],
        parent=parent,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=["-h", "--help"],
    )
    yield title, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _helps(below, f"{title} {name}", context)


if __name__ == "__main__":
    sys.exit(write_generated(sys.argv[1:], render_reference()))
