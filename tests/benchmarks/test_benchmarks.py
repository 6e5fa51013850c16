"""The benchmarks measure what they say: valid inputs of the size asked for, and bounds that can fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.checking import SHAPES, groups
from benchmarks.inputs import chain, write_many
from benchmarks.measure import Bound, Command, Group, measure, report

import stratumc
from benchmarks import workflows


@pytest.mark.parametrize(("backwards", "carry"), SHAPES)
def test_chains_are_clean(backwards: bool, carry: bool) -> None:
    text = chain(30, backwards=backwards, carry=carry)
    assert text.count("- id: s") == 30
    assert stratumc.check(text, name="chain.stratum.yaml").diagnostics == ()
    first = text.index("- id: s0\n")
    assert (first > text.index("- id: s29\n")) is backwards


def test_many_files_are_all_different(tmp_path: Path) -> None:
    write_many(tmp_path / "many", 5, 10)
    texts = {path.read_text("utf-8") for path in (tmp_path / "many").iterdir()}
    assert len(texts) == 5


def test_every_bound_names_commands_of_its_group(tmp_path: Path) -> None:
    write_many(tmp_path / "many", 2, 3)
    for group in groups(tmp_path):
        names = {command.name for command in group.commands}
        assert group.bounds
        assert {name for bound in group.bounds for name in (bound.command, bound.other)} <= names


def test_processes_are_timed_and_judged(tmp_path: Path) -> None:
    quick = Command("quick", (sys.executable, "-c", ""))
    slow = Command("slow", (sys.executable, "-c", "import time; time.sleep(0.3)"))
    group = Group("Two", (quick, slow), (Bound("slow", "quick", 1), Bound("quick", "slow", 1)), rounds=1)
    text, met = report(group, measure(group, tmp_path))
    assert not met
    assert text.count("**not met**") == 1


def test_a_command_that_fails_ends_the_run(tmp_path: Path) -> None:
    broken = Command("broken", (sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.raises(SystemExit):
        measure(Group("One", (broken,), (), rounds=1), tmp_path)


def test_inputs_that_grow_are_compared_by_size() -> None:
    bound = Bound("large", "small", 2, share=10)
    group = Group("Growth", (), (bound,), rounds=1)
    assert report(group, {"small": 1.0, "large": 15.0})[1]
    assert not report(group, {"small": 1.0, "large": 25.0})[1]


def test_machines_are_valid_and_of_the_size_asked_for() -> None:
    from benchmarks.pictures import groups as picture_groups
    from benchmarks.pictures import machine

    result = stratumc.check(machine(30), kind="workflow")
    assert result.ok
    assert machine(30).count('"description"') == 30
    (group,) = picture_groups()
    assert {bound.command for bound in group.bounds} <= {command.name for command in group.commands}


def test_workflow_calls_are_those_that_are_promised(tmp_path: Path) -> None:
    """Each side of a comparison does its work; the large graph has the size that the bound speaks of."""
    move, write = workflows.transitions(tmp_path / "small"), workflows.bare_writes(tmp_path)
    for call in (move, move, write, *workflows.checks(tmp_path / "small")):
        call()
    assert len((tmp_path / "small" / ".forge" / "flow-log.jsonl").read_text("utf-8").splitlines()) == 2
    large = workflows.large_workflow()
    assert len(large["states"]) == workflows.STATES
    assert sum(len(state["transitions"]) for state in large["states"].values()) == workflows.TRANSITIONS
