"""Claims on paths: decided as trying everything does, and told with a way round that is real."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.checks.facts import SpecFacts
from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.driver.load import load
from stratumc.proof.results import Proved, Refuted
from stratumc.review.must_pass import flow_must_pass, workflow_must_pass
from stratumc.spec.syntax import Gate
from support.command import stratumc
from support.documents import document, gate, task
from support.pictures import DEAD_ENDS
from support.small_flows import Writer, rounds
from support.small_flows import load as load_flow
from support.workflows_random import must_pass, replay, workflow


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_workflows_agree_with_trying_everything(seed: int) -> None:
    content = workflow(random.Random(seed))
    found = load(json.dumps(content), name="w.json", kind="workflow").workflow
    assert found is not None
    facts, names = WorkflowFacts(found), tuple(found.states)
    for start in names:
        for goal in names:
            for passed in names:
                result = workflow_must_pass(facts, start, goal, passed)
                assert isinstance(result, Proved) is must_pass(content, start, goal, passed)
                if isinstance(result, Refuted) and start in facts.situations:
                    hops = [
                        {"from": h["from"], "by": h.get("event") or f"[{h['condition']}]", "to": h["to"]}
                        for h in result.witness
                    ]
                    assert replay(content, hops)
                    assert hops[-1]["to"] == goal
                    assert passed not in {hop["to"] for hop in hops}


@pytest.mark.parametrize("seed", range(0, 60))
def test_flows_agree_with_every_round(seed: int) -> None:
    text = Writer(seed).text()
    spec = load_flow(text)
    flow = spec.flows["main"]
    played = rounds(flow, 4_000)
    if played is None:
        return
    facts = SpecFacts(spec).proofs.flows["main"]
    for goal in flow.steps:
        for passed in flow.steps:
            if passed.index == goal.index:
                continue
            result = flow_must_pass(facts, None, goal.index, passed.index)
            ways_round = [
                one
                for one in played
                if goal.index in one.round.ran
                and not (
                    facts.graph.is_before(passed.index, goal.index)
                    and passed.index in one.round.done
                    and passed.index in one.round.ran
                    and passed.index not in one.round.failed
                    and not (isinstance(passed.body, Gate) and passed.index in one.scenario.killed)
                )
            ]
            if isinstance(result, Proved):
                assert ways_round == [], (seed, goal.id, passed.id)
            elif isinstance(result, Refuted):
                assert ways_round != [], (seed, goal.id, passed.id)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    reviewed = document(task("build"), gate("review", after=["build"]), task("last", after=["review"]))
    (tmp_path / "a.stratum.json").write_text(json.dumps(reviewed), "utf-8")
    (tmp_path / "workflow.json").write_text(DEAD_ENDS, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "status", "out"),
    [
        (
            ("a.stratum.json", "build", "last"),
            0,
            "  review -> last on approve\nevery run passes review on the way\n",
        ),
        (("a.stratum.json", "last", "build"), 1, "no path from last to build\n"),
        (
            ("a.stratum.json", "last", "--must-pass", "review"),
            0,
            "proved: every way to `last` passes `review`\n",
        ),
        (
            ("a.stratum.json", "build", "last", "--avoid", "review"),
            1,
            "no path from build to last\n",
        ),
        (
            ("a.stratum.json", "last", "--must-pass", "last", "--must-pass", "review"),
            0,
            "proved: every way to `last` passes `last`\nproved: every way to `last` passes `review`\n",
        ),
        (("workflow.json", "idle", "closed"), 0, "every path passes work on the way\n"),
        (
            ("workflow.json", "closed", "--must-pass", "lost"),
            1,
            "refuted: every way to `closed` passes `lost`\n  idle → work (go)\n  work → closed (done)\n",
        ),
    ],
)
def test_the_command(folder: Path, arguments: tuple[str, ...], status: int, out: str) -> None:
    outcome = stratumc("path", *arguments, cwd=folder)
    assert (outcome.status, outcome.err) == (status, "")
    assert outcome.out.endswith(out), outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.stratum.json", "biuld", "last"), "no step `biuld`: did you mean `build`?"),
        (("a.stratum.json", "last", "--must-pass", "reviw"), "no step `reviw`: did you mean `review`?"),
        (("a.stratum.json", "build", "--flow", "mian"), "no flow `mian`: did you mean `main`?"),
        (("workflow.json", "idel"), "no state `idel`: did you mean `idle`?"),
        (
            ("workflow.json", "idle", "closed", "--avoid", "zzzzzz"),
            "no state `zzzzzz`: there are idle, work, closed, lost",
        ),
        (("workflow.json", "idle", "--flow", "x"), "a workflow has no flows"),
        (("a.stratum.json", "build", "--must-pass"), "requires an argument"),
        (
            ("a.stratum.json", "last", "--must-pass", "review", "--avoid", "build"),
            "`--must-pass` speaks of every way: `--avoid` can't restrict it",
        ),
    ],
)
def test_names_that_are_not_there(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = stratumc("path", *arguments, cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in " ".join(outcome.err.split())


def test_a_new_project_has_nothing_to_resume(tmp_path: Path) -> None:
    """Ways from where projects begin carry the state before along: what resumes was entered once."""
    content = {
        "name": "resume",
        "initial_state": "idle",
        "states": {
            "idle": {"transitions": [{"event": "go", "target": "impl"}, {"event": "resume", "target": None}]},
            "impl": {
                "transitions": [{"event": "done", "target": "review"}, {"event": "paused", "target": "idle"}]
            },
            "review": {
                "transitions": [{"event": "ok", "target": "released"}, {"event": "paused", "target": "idle"}]
            },
            "released": {},
        },
        "resumption_targets": {"review": "review", "impl": "impl"},
    }
    (tmp_path / "workflow.json").write_text(json.dumps(content), "utf-8")
    every_way = stratumc("path", "workflow.json", "released", "--must-pass", "impl", cwd=tmp_path)
    assert (every_way.status, every_way.out) == (0, "proved: every way to `released` passes `impl`\n")
    from_idle = stratumc("path", "workflow.json", "idle", "released", "--must-pass", "impl", cwd=tmp_path)
    assert (from_idle.status, from_idle.out.splitlines()[1]) == (1, "  idle → review (resume)")


def test_a_broken_file_is_told_with_its_place(folder: Path) -> None:
    (folder / "b.stratum.json").write_text('{"version": 1}', "utf-8")
    for command in (("path", "b.stratum.json", "a"), ("diff", "b.stratum.json", "a.stratum.json")):
        outcome = stratumc(*command, cwd=folder)
        assert (outcome.status, outcome.out) == (2, "")
        assert "b.stratum.json:1:" in outcome.err
        assert "internal error" not in outcome.err
    outcome = stratumc("diagram", "b.stratum.json", cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert "b.stratum.json:1:" in outcome.err
