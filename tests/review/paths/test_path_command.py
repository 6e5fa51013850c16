"""The `path` command of either kind: answers, claims, and names that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stratumc.driver.load import load
from stratumc.graph.flow_graph import flow_graph
from support.command import stratumc
from support.documents import document, gate, task
from support.examples import EXAMPLES, example_id
from support.pictures import DEAD_ENDS


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
            ("a.stratum.json", "last", "build", "--must-pass", "review"),
            0,
            "proved: every way from `last` to `build` passes `review`, since no run from `last` comes to "
            "`build` at all\n",
        ),
        (
            ("a.stratum.json", "review", "--must-pass", "last"),
            1,
            "refuted: every way to `review` passes `last`\n  `review` can run without it\n",
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
    "example", [path for path in EXAMPLES if path.name.endswith(".stratum.yaml")], ids=example_id
)
def test_every_step_of_an_example_is_reached(example: Path) -> None:
    spec = load(example, name=example.name, kind=None).spec
    assert spec is not None
    graph = flow_graph(spec.flows[spec.entry])
    answer = json.loads(stratumc("path", str(example), "--json", cwd=example.parent).out)
    later = {name for index, name in enumerate(graph.ids) if graph.predecessors[index]}
    assert answer["decided"]
    assert later <= {step["step"] for step in answer["reachable"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.stratum.json", "biuld", "last"), "no step `biuld`: did you mean `build`?"),
        (("a.stratum.json", "last", "--must-pass", "reviw"), "no step `reviw`: did you mean `review`?"),
        (("a.stratum.json", "build", "--flow", "mian"), "no flow `mian`: did you mean `main`?"),
        (("workflow.json", "idel"), "no state `idel`: did you mean `idle`?"),
        (
            ("workflow.json", "idle", "closed", "--avoid", "zzzzzz"),
            "no state `zzzzzz`: there are `idle`, `work`, `closed`, `lost`",
        ),
        (("workflow.json", "idle", "--flow", "x"), "a workflow has no flows"),
        (("a.stratum.json", "build", "--must-pass"), "requires an argument"),
        (
            ("a.stratum.json", "last", "--must-pass", "review", "--avoid", "build"),
            "`--must-pass` speaks of every way: `--avoid` can't restrict it",
        ),
        (
            ("workflow.json", "closed", "--must-pass", "work", "--context", "{}"),
            "`--must-pass` speaks of every way: `--context` can't restrict it",
        ),
        (("workflow.json", "idle", "closed", "--all"), "with --all, leave TO out"),
    ],
)
def test_names_that_are_not_there(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = stratumc("path", *arguments, cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in " ".join(outcome.err.split())


RESUMING = {
    "name": "resuming",
    "initial_state": "idle",
    "states": {
        "idle": {"transitions": [{"event": "go", "target": "work"}, {"event": "resume", "target": None}]},
        "work": {
            "transitions": [
                {"event": "pause", "target": "idle"},
                {"event": "done", "target": "review"},
                {"event": "again", "target": "work"},
            ],
            "triggers": [{"condition": "task_counters.tries >= 3", "target": "closed"}],
        },
        "review": {"transitions": [{"event": "ok", "target": "closed"}]},
        "closed": {},
        "lost": {"transitions": [{"event": "found", "target": "idle"}]},
    },
    "resumption_targets": {"work": "review", "lost": "lost"},
}


@pytest.mark.parametrize(
    ("arguments", "status", "lines"),
    [
        (
            ("idle", "review"),
            0,
            [
                "idle to review: 1 hop, when the state before was `work`",
                "  idle -> review by resume",
                "    resumes by the state before, `work`",
            ],
        ),
        (
            ("idle",),
            0,
            ["reachable from idle:", "  work: 1 hop", "  review: 1 hop, when the state before was `work`"],
        ),
        (("idle", "--all"), 0, ["reachable from idle:", "  work: 1 hop"]),
        (
            ("idle", "lost"),
            1,
            [
                "there is no path from `idle` to `lost`: event `resume` leads to it only when the state "
                "before was `lost`"
            ],
        ),
        (
            ("idle", "review", "--avoid", "work"),
            0,
            ["idle to review: 1 hop, when the state before was `work`"],
        ),
        (
            ("idle", "closed", "--avoid", "idle"),
            1,
            ["there is no path from `idle` to `closed`: `idle` itself"],
        ),
        (("work", "work"), 0, ["work to work: 0 hops"]),
        (("closed",), 0, ["nothing can be reached from closed", "unreachable: idle, work, review, lost"]),
        (("work", "closed"), 0, ["work to closed: 1 hop", "  work -> closed by trigger `task_counters"]),
        (
            ("work", "closed", "--context", '{"task_counters": {"tries": 1}}'),
            0,
            ["work to closed: 2 hops", "  work -> review by done"],
        ),
        (
            ("lost", "idle"),
            0,
            [
                "lost to idle: 1 hop",
                "  lost -> idle by found",
                "note: no way is known from the initial state",
            ],
        ),
        (
            (),
            0,
            [
                "reachable from idle:",
                "  work: 1 hop",
                "  review: 2 hops",
                "  closed: 2 hops",
                "unreachable: lost",
            ],
        ),
    ],
)
def test_paths_of_a_workflow_that_resumes(
    tmp_path: Path, arguments: tuple[str, ...], status: int, lines: list[str]
) -> None:
    (tmp_path / "workflow.json").write_text(json.dumps(RESUMING), "utf-8")
    outcome = stratumc("path", "workflow.json", *arguments, cwd=tmp_path)
    assert (outcome.status, outcome.err) == (status, "")
    told = outcome.out.splitlines()
    assert len(told) >= len(lines)
    assert all(line.startswith(begin) for line, begin in zip(told, lines, strict=False)), outcome.out


def test_paths_as_json_tell_the_state_before(tmp_path: Path) -> None:
    (tmp_path / "workflow.json").write_text(json.dumps(RESUMING), "utf-8")

    def answer(*arguments: str) -> dict[str, object]:
        told = stratumc("path", "workflow.json", *arguments, "--json", cwd=tmp_path).out
        found: dict[str, object] = json.loads(told)
        return found

    assert answer("idle", "review")["when_previous_state"] == "work"
    assert "when_previous_state" not in answer("work", "review")
    assert answer("idle")["reachable"] == [
        {"state": "work", "distance": 1},
        {"state": "review", "distance": 1, "when_previous_state": "work"},
        {"state": "closed", "distance": 2},
    ]
    assert "note" in answer("lost", "idle")
    assert answer("work", "work")["path"] == []


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
