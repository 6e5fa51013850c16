"""The group of commands: what it lists is what there is, and nothing is loaded before it is called."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from stratumc.cli.app import COMMANDS
from stratumc.cli.app import stratumc as group
from stratumc.diagnostics.catalog import CATALOG
from support.command import stratumc, stratumc_process


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.get_short_help_str(200) == COMMANDS[name].summary


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    outcome = stratumc(name, "--help")
    assert outcome.status == 0
    assert outcome.out.startswith(f"Usage: stratumc {name} ")
    undescribed = [
        line for line in outcome.out.splitlines() if line.strip().startswith("--") and len(line) < 20
    ]
    assert undescribed == []


@pytest.mark.parametrize("arguments", [["--version"], ["check", "--help"], []])
def test_both_ways_to_start_are_one(arguments: list[str]) -> None:
    script = subprocess.run(
        [f"{sys.prefix}/bin/stratumc", *arguments], capture_output=True, text=True, check=False
    )
    module = stratumc_process(*arguments)
    assert (script.returncode, script.stdout, script.stderr) == (module.status, module.out, module.err)


def test_version_is_answered_twice_the_same() -> None:
    """Once before the parser of options is loaded, once by it."""
    quick = stratumc("--version")
    assert quick.status == 0
    assert stratumc("--version", "--version") == quick


def test_no_command_is_wrong_usage() -> None:
    outcome = stratumc()
    assert outcome.status == 2
    assert outcome.out == ""
    assert "Commands:" in outcome.err


def test_a_misspelt_command() -> None:
    outcome = stratumc("chekc")
    assert outcome.status == 2
    assert "no command `chekc`: did you mean `check`?" in outcome.err


def test_help_loads_no_command() -> None:
    program = (
        "import sys; from stratumc.__main__ import main; sys.argv = ['stratumc', '--help']; main(); "
        "print([name for name in sys.modules if name.startswith('stratumc.cli.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "['stratumc.cli.guard', 'stratumc.cli.app']\n"


def test_a_page_is_printed_whatever_the_case() -> None:
    page = stratumc("rule", "state_unknown")
    assert page.status == 0
    assert page.out.startswith("# STATE_UNKNOWN\n\n")
    assert page == stratumc("rule", "STATE_UNKNOWN")


def test_all_codes_are_listed() -> None:
    outcome = stratumc("rule", "--all")
    assert outcome.status == 0
    assert [line.split()[0] for line in outcome.out.splitlines()] == list(CATALOG)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rule"], "which code? `stratumc rule CODE`, or `stratumc rule --all` for the list"),
        (["rule", "STATE_UNKNWON"], "no code `STATE_UNKNWON`: did you mean `STATE_UNKNOWN`?"),
        (["rule", "q"], "no code `q`: `stratumc rule --all` lists them"),
        (["schema"], "Missing argument"),
        (["schema", "flows"], "'flows' is not one of 'spec', 'workflow', 'table', 'diagnostics'"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    outcome = stratumc(*arguments)
    assert outcome.status == 2
    assert message in outcome.err
