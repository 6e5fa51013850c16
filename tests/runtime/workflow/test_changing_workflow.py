"""Workflows that break, mend and change below a running engine."""

from __future__ import annotations

import json
from pathlib import Path

import stratumc
from support.projects import ask_every_tool, code, log_of
from support.workflows import SMALL, lay_out, write


def test_a_broken_workflow_answers_every_call_with_its_diagnostics(tmp_path: Path) -> None:
    path = lay_out(tmp_path, "{")
    engine = stratumc.create_engine(tmp_path)
    answers = ask_every_tool(engine)
    assert [code(answer) for answer in answers] == ["workflow_invalid"] * 5
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["error"]["diagnostics"][0]["span"]["file"] == ".forge/workflow.json"
    write(path, SMALL)
    assert [code(answer) for answer in ask_every_tool(engine)] == [None] * 5
    path.unlink()
    assert [code(answer) for answer in ask_every_tool(engine)] == ["workflow_invalid"] * 5


def test_changes_are_seen_however_quickly_they_come(tmp_path: Path) -> None:
    """Same size, and perhaps the same time: only the content tells."""
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    text = path.read_text()
    for number in range(50):
        path.write_text(text.replace("/do-b", f"/do-{number % 10}"))
        assert engine.check()["options"][0]["action"] == f"/do-{number % 10}"


def test_fragments_come_and_go(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    assert len(engine.check()["options"]) == 3
    extra = {"name": "kit", "states": {"a": {"transitions": [{"event": "more", "target": "b"}]}}}
    lay_out(tmp_path, None, kit=extra)
    assert engine.check()["options"][2] == {
        "event": "more",
        "target": "b",
        "action": None,
        "judgment": False,
        "source": "kit",
    }
    (path.parent / "workflow.d" / "kit.json").unlink()
    assert len(engine.check()["options"]) == 3


def test_the_digest_tells_workflows_apart(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    engine.transition("stay")
    path.write_text(json.dumps(SMALL))
    engine.transition("stay")
    write(path, SMALL | {"thresholds": {"most": 4}})
    engine.transition("stay")
    first, same, other = [entry["digest"] for entry in log_of(tmp_path)]
    assert first == same != other
