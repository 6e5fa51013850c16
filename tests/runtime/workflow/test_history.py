"""Questions to the log: filters, spans of time, summaries, and judgments that always go one way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine
from support.workflows import SMALL, Json, lay_out


def line(seq: int, time: str, way: str, **more: Any) -> str:
    start, event, end = way.split()
    entry = {"seq": seq, "time": time, "project": ".", "from": start, "event": event, "to": end}
    rest = {
        "action": None,
        "judgment": event in ("on", "off"),
        "condition": None,
        "reason": None,
        "digest": "d",
    }
    return json.dumps(entry | rest | more) + "\n"


LOG = [
    line(1, "2026-01-01T10:00:00Z", "a go b"),
    line(2, "2026-01-01T10:00:30+00:00", "b off a"),
    line(3, "2026-01-01T12:01:30+02:00", "a go b", project="one"),
    line(4, "2026-01-02T00:00:00.000Z", "a go b"),
    line(5, "2026-01-02T00:00:10", "b on c", reason="done"),
    line(6, "2026-01-02T00:00:05Z", "c resume b"),
    line(7, "soon", "b back a"),
    line(8, "2026-01-03T00:00:00Z", "b on c", project="one"),
]


@pytest.fixture
def engine(tmp_path: Path) -> WorkflowEngine:
    lay_out(tmp_path, SMALL)
    (tmp_path / "one").mkdir()
    (tmp_path / ".forge" / "flow-log.jsonl").write_text("".join(LOG))
    return stratumc.create_engine(tmp_path)


def found(engine: WorkflowEngine, **arguments: Any) -> list[int]:
    return [entry["seq"] for entry in engine.history(**arguments)["entries"]]


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        ({}, [8, 7, 6, 5, 4, 3, 2, 1]),
        ({"limit": 2}, [8, 7]),
        ({"limit": 0}, []),
        ({"event": "go"}, [4, 3, 1]),
        ({"event": "go", "limit": 1}, [4]),
        ({"from_state": "b", "to_state": "c"}, [8, 5]),
        ({"project_path": "one"}, [8, 3]),
        ({"project_path": "."}, [7, 6, 5, 4, 2, 1]),
        ({"event": "fly"}, []),
        ({"since": "2026-01-02"}, [8, 6, 5, 4]),
        ({"until": "2026-01-01"}, [3, 2, 1]),
        ({"since": "2026-01-01T10:00:30Z", "until": "2026-01-02T00:00:05Z"}, [6, 4, 3, 2]),
        ({"since": "2026-01-01T12:01:30+02:00", "until": "2026-01-01T10:01:30"}, [3]),
    ],
)
def test_filters(engine: WorkflowEngine, arguments: Json, numbers: list[int]) -> None:
    assert found(engine, **arguments) == numbers


def test_the_total_counts_beyond_the_limit(engine: WorkflowEngine) -> None:
    answer = engine.history(event="go", limit=1)
    assert (len(answer["entries"]), answer["total"]) == (1, 3)


@pytest.mark.parametrize("value", ["soon", "", "2026-13-01", "01/02/2026"])
def test_what_is_no_time_is_refused(engine: WorkflowEngine, value: str) -> None:
    for answer in (engine.history(since=value), engine.history(until=value)):
        assert answer["error"]["code"] == "invalid_argument"


def test_a_summary_counts_and_measures(engine: WorkflowEngine) -> None:
    summary = engine.history(summary=True, project_path=".")["summary"]
    assert summary == {
        "transitions": 6,
        "states": {"b": 3, "a": 2, "c": 1},
        "events": {"go": 2, "off": 1, "on": 1, "resume": 1, "back": 1},
        "judgments": {"off": 1, "on": 1},
        # 30 s, then 10 s; the clock went back while in c; when b was left the second time nobody knows.
        "seconds_in_state": {"b": 40.0, "a": 50370.0, "c": 0.0},
        "always_the_same": [],
    }


def test_stays_are_those_of_each_project(engine: WorkflowEngine) -> None:
    summary = engine.history(summary=True, project_path="one")["summary"]
    assert summary["seconds_in_state"] == {"b": 136710.0}


def test_a_summary_of_a_span_keeps_stays_that_began_before(engine: WorkflowEngine) -> None:
    summary = engine.history(summary=True, project_path=".", since="2026-01-02", until="2026-01-02T00:00:00Z")
    assert summary["summary"]["seconds_in_state"] == {"a": 50370.0}


@pytest.mark.parametrize(
    ("ways", "same"),
    [
        (["b off a"] * 5, [{"state": "b", "event": "off", "times": 5}]),
        (["b off a"] * 4, []),
        (["b off a"] * 9 + ["b on c"], []),
        (["b off a"] * 5 + ["b back a"] * 3, [{"state": "b", "event": "off", "times": 5}]),
        (["b off a"] * 3 + ["x off a"] * 3, []),
        (["b go a"] * 7, []),
    ],
)
def test_judgments_that_always_go_the_same_way(
    engine: WorkflowEngine, tmp_path: Path, ways: list[str], same: list[Json]
) -> None:
    lines = [line(number, "2026-01-01T00:00:00Z", way) for number, way in enumerate(ways, 1)]
    (tmp_path / ".forge" / "flow-log.jsonl").write_text("".join(lines))
    assert engine.history(summary=True)["summary"]["always_the_same"] == same


def test_bad_lines_are_told_with_their_numbers(engine: WorkflowEngine, tmp_path: Path) -> None:
    path = tmp_path / ".forge" / "flow-log.jsonl"
    path.write_text(LOG[0] + "nonsense\n" + LOG[1] + '{"half": ')
    answer = engine.history()
    assert [entry["seq"] for entry in answer["entries"]] == [2, 1]
    assert answer["problems"] == ["line 2 of the log isn't a transition"]
    assert path.read_text().endswith('{"half": '), "looking repairs nothing"


def test_lines_of_other_makers_are_entries_too(engine: WorkflowEngine, tmp_path: Path) -> None:
    """Fields that a line lacks are null; what it has beside them is left out."""
    path = tmp_path / ".forge" / "flow-log.jsonl"
    path.write_text('{"from": "a", "event": "go", "to": "b", "extra": 1}\n')
    (entry,) = engine.history()["entries"]
    assert entry["from"] == "a"
    assert entry["seq"] is None
    assert "extra" not in entry
    assert engine.transition("go")["seq"] == 1
