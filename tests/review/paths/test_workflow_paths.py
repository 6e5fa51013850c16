"""Claims on paths of workflows: decided as trying everything does, and told with a way round that is real."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.driver.load import load
from stratumc.proof.results import Proved, Refuted
from stratumc.review.paths.workflow_must_pass import workflow_must_pass
from support.command import stratumc
from support.diffs import flow_of, go
from support.workflow_player import Player
from support.workflows_random import busy_workflow, comes, must_pass, replay, workflow


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
                if isinstance(result, Proved):
                    assert result.vacuous is not comes(content, start, goal)
                if isinstance(result, Refuted) and start in facts.situations:
                    hops = [
                        {"from": h["from"], "by": h.get("event") or f"[{h['condition']}]", "to": h["to"]}
                        for h in result.witness
                    ]
                    assert replay(content, hops)
                    assert hops[-1]["to"] == goal
                    assert passed not in {hop["to"] for hop in hops}


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_without_a_start_projects_begin_where_a_new_one_does(seed: int) -> None:
    player = Player(busy_workflow(random.Random(seed)))
    facts, names = WorkflowFacts(player.workflow), tuple(player.workflow.states)
    come_to = {state for state, _ in player.distances([player.begin])}
    for goal in names:
        for passed in names:
            result = workflow_must_pass(facts, None, goal, passed)
            way_round = goal in {state for state, _ in player.distances([player.begin], (passed,))}
            assert isinstance(result, Refuted) is way_round
            if isinstance(result, Proved):
                assert result.vacuous is (goal not in come_to)


def test_claims_that_speak_of_no_project(tmp_path: Path) -> None:
    content = flow_of(idle=go(start="work"), work=go(done="closed"), closed={}, lost=go(found="closed"))
    (tmp_path / "workflow.json").write_text(json.dumps(content), "utf-8")

    def claim(*arguments: str) -> tuple[int, list[str]]:
        outcome = stratumc("path", "workflow.json", *arguments, cwd=tmp_path)
        return outcome.status, outcome.out.splitlines()

    assert claim("lost", "--must-pass", "work") == (
        0,
        ["proved: every way to `lost` passes `work`, since no path comes to `lost` at all"],
    )
    assert claim("closed", "work", "--must-pass", "lost") == (
        0,
        [
            "proved: every way from `closed` to `work` passes `lost`, "
            "since no path from `closed` comes to `work` at all"
        ],
    )
    assert claim("closed", "--must-pass", "work") == (0, ["proved: every way to `closed` passes `work`"])
    assert claim("idle", "--must-pass", "work") == (
        1,
        ["refuted: every way to `idle` passes `work`", "  projects begin there"],
    )
    as_json = json.loads("".join(claim("lost", "--must-pass", "work", "--json")[1]))["claims"][0]
    assert (as_json["verdict"], as_json["vacuous"]) == ("proved", True)


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
    assert (from_idle.status, from_idle.out.splitlines()[1]) == (
        1,
        "  idle → review (resume), when the state before was `review`",
    )
    as_json = stratumc(
        "path", "workflow.json", "idle", "released", "--must-pass", "impl", "--json", cwd=tmp_path
    )
    assert json.loads(as_json.out)["claims"][0]["counterexample"][0]["previous_state"] == "review"
