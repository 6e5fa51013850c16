"""The examples are clean, compile, and together use every construct of both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

import stratumc
from support.command import stratumc as command
from support.repository import EXAMPLES

INPUTS = sorted([*EXAMPLES.glob("*.stratum.*"), *EXAMPLES.glob("**/workflow.json")])
CONSTRUCTS = """
do: set: gate: fanout: run: evaluate: with: after: when: agent: out: ensure: expr: file_exists:
file_contains: judged: attempts: iterate: budget: on_fail: carry: max_rounds: pre_merge: dispatch:
isolation: require: ${item} ${prev} consumer worktree [] (background| ? object array boolean number integer
"""
KEYS = """
triggers transitions global_transitions except global_actions resumption_targets
thresholds judgment config
"""


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_an_example_is_clean_and_compiles(path: Path) -> None:
    compiled = stratumc.compile(path)
    assert compiled.diagnostics == ()
    assert compiled.table is not None


def test_there_are_enough_of_both_kinds() -> None:
    kinds = [stratumc.check(path, families=("rule",)).kind for path in INPUTS]
    assert kinds.count("spec") >= 8
    assert kinds.count("workflow") >= 4


def test_all_constructs_are_shown() -> None:
    specs = "".join(path.read_text("utf-8") for path in INPUTS if path.name.endswith(".yaml"))
    assert [construct for construct in CONSTRUCTS.split() if construct not in specs] == []
    workflows = "".join(path.read_text("utf-8") for path in sorted(EXAMPLES.rglob("*.json")))
    assert [key for key in KEYS.split() if f'"{key}"' not in workflows] == []
    assert '"target": null' in workflows


def test_the_list_of_examples_is_complete() -> None:
    text = (EXAMPLES / "README.md").read_text("utf-8")
    assert [path.name for path in sorted(EXAMPLES.iterdir()) if f"`{path.name}" not in text] == ["README.md"]


def test_the_command_agrees() -> None:
    outcome = command("check", "--strict", "examples", cwd=EXAMPLES.parent)
    assert (outcome.status, outcome.out) == (0, "")
