"""What `stratumc path` says of flows: runs that take the path, what decides, and nothing that isn't so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import stratumc
from support.flow_runs import gate, note, spec_of


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    return tmp_path / "f.stratum.json"


def write(path: Path, *steps: dict[str, Any], **more: Any) -> None:
    spec = spec_of(*steps, **more)
    spec["flows"]["main"]["input"] = {"hot": "boolean", "n": "integer"}
    path.write_text(json.dumps(spec), "utf-8")


def said(path: Path, *arguments: str) -> tuple[int, list[str]]:
    outcome = stratumc("path", path.name, *arguments, cwd=path.parent)
    assert outcome.err == ""
    return outcome.status, outcome.out.splitlines()


def answer(path: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(stratumc("path", path.name, *arguments, "--json", cwd=path.parent).out)
    return found


def released(flow: Path) -> None:
    write(
        flow,
        note("draft"),
        note("tests", after=["draft"]),
        gate("review", after=["draft"]),
        note("deploy", after=["review"]),
        note("last", after=["deploy", "tests"]),
    )


def test_avoiding_a_step_is_to_be_before_it(flow: Path) -> None:
    released(flow)
    assert said(flow, "draft", "deploy", "--avoid", "tests") == (
        0,
        [
            "draft to deploy: 2 hops",
            "  draft -> review when it succeeds",
            "  review -> deploy on approve",
            "every run passes review on the way",
        ],
    )
    assert said(flow, "draft", "--avoid", "tests") == (
        0,
        ["reachable from draft:", "  review: 1 hop", "  deploy: 2 hops"],
    )
    assert said(flow, "draft", "last", "--avoid", "tests")[0] == 1
    assert said(flow, "draft", "--avoid", "draft") == (0, ["nothing can be reached from draft"])


def routed(flow: Path) -> None:
    write(
        flow,
        note("build"),
        note("quick", after=["build"], when="input.hot"),
        gate("check", after=["build"], when="!input.hot", approve="last"),
        note("last", after=["quick"]),
    )


def test_a_step_that_has_a_router_is_entered_by_it(flow: Path) -> None:
    routed(flow)
    assert said(flow, "build", "last") == (
        0,
        [
            "build to last: 2 hops",
            "  build -> check when it succeeds",
            "  check -> last on approve",
            "for example when `input.hot` is false",
            "every run passes check on the way",
        ],
    )
    assert said(flow, "quick", "last") == (1, ["no path from quick to last"])
    found = answer(flow, "build", "last")
    assert found["decided"]
    assert found["rounds"] == [
        {
            "input": {"hot": False, "n": 0},
            "outputs": {"build": {"text": ""}, "last": {"text": ""}},
            "decisions": {"check": "approve"},
            "skipped": ["quick"],
            "failed": [],
        }
    ]


def test_a_path_may_lead_over_steps_that_are_skipped(flow: Path) -> None:
    write(
        flow,
        note("build"),
        note("extra", after=["build"], when="input.n > 6"),
        note("last", after=["extra"]),
    )
    assert said(flow, "build", "last")[1][0] == "build to last: 2 hops"
    status, lines = said(flow, "build", "last", "--avoid", "extra")
    assert (status, lines[:2]) == (
        0,
        ["build to last: 1 hop", "  build -> last when it succeeds, with extra skipped"],
    )
    (hop,) = answer(flow, "build", "last", "--avoid", "extra")["path"]
    assert hop == {"from": "build", "by": "succeeds", "to": "last", "skipped": ["extra"]}


def test_a_path_over_a_revise_tells_both_rounds(flow: Path) -> None:
    write(
        flow,
        note("draft"),
        note("cold", after=["draft"], when='result.draft.text == "cold"'),
        gate("check", revise="draft", after=["cold"]),
        note("warm", after=["check"], when='result.draft.text == "warm"'),
        note("last", after=["warm"]),
        max_rounds=2,
    )
    found = answer(flow, "cold", "warm")
    assert [(hop["from"], hop["by"], hop["to"]) for hop in found["path"]][:2] == [
        ("cold", "succeeds", "check"),
        ("check", "revise", "draft"),
    ]
    texts = [one["outputs"]["draft"]["text"] for one in found["rounds"]]
    assert texts == ["cold", "warm"]


def test_a_counterexample_tells_what_decides_and_can_be_played(flow: Path) -> None:
    write(
        flow,
        note("draft"),
        gate("review", after=["draft"], when="!input.hot"),
        note("aside", after=["draft"], when="input.n > 5"),
        note("last", after=["review"]),
    )
    assert said(flow, "last", "--must-pass", "review") == (
        1,
        [
            "refuted: every way to `last` passes `review`",
            "  when `input.hot` is true and `review` is skipped",
        ],
    )
    (claim,) = answer(flow, "last", "--must-pass", "review")["claims"]
    assert claim["verdict"] == "refuted"
    assert claim["counterexample"]["input"] == {"hot": True, "n": 0}
    assert claim["counterexample"]["outputs"] == {"draft": {"text": ""}, "last": {"text": ""}}


def test_hidden_characters_are_told_as_escapes(tmp_path: Path) -> None:
    workflow = {
        "name": "w",
        "initial_state": "a",
        "states": {
            "a": {"transitions": [{"event": "go\u202e", "target": "b\x1b[31m", "action": "one\ntwo\u202e"}]},
            "b\x1b[31m": {},
        },
    }
    (tmp_path / "workflow.json").write_text(json.dumps(workflow), "utf-8")
    for arguments in (("a", "b\x1b[31m"), ("a",), ("b\x1b[31m", "--must-pass", "a"), ("a\x1b",)):
        outcome = stratumc("path", "workflow.json", *arguments, cwd=tmp_path)
        told = outcome.out + outcome.err
        assert told.strip()
        assert all(line.isprintable() for line in told.splitlines()), told
    assert (
        "go\\u202e, run one\\ntwo\\u202e"
        in stratumc("path", "workflow.json", "a", "b\x1b[31m", cwd=tmp_path).out
    )


def test_a_workflow_has_no_flow_to_be_asked_about(tmp_path: Path) -> None:
    workflow = {"name": "w", "initial_state": "a", "states": {"a": {}}}
    (tmp_path / "workflow.json").write_text(json.dumps(workflow), "utf-8")
    for more in ((), ("--must-pass", "a")):
        outcome = stratumc("path", "workflow.json", "a", *more, "--flow", "x", cwd=tmp_path)
        assert (outcome.status, outcome.out) == (2, "")
        assert "a workflow has no flows" in outcome.err
