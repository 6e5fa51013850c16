"""What a killed transition leaves: made when it is what the log's line says, else set aside."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import stratumc
from stratum_runtime.workflow import WorkflowEngine, project
from support.workflows import SMALL, lay_out

Json = dict[str, Any]
START = '{"workflow_state": "a", "kept": 1.0}'


class KilledError(BaseException):
    """Ends a call as the end of its process would."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose transition `go` from `a` to `b`, with `k` = 2, was killed before the renaming."""
    lay_out(tmp_path, SMALL)
    state(tmp_path).write_text(START)
    killed(stratumc.create_engine(tmp_path))
    assert state(tmp_path).read_text() == START
    return tmp_path


def killed(engine: WorkflowEngine, event: str = "go") -> None:
    with mock.patch.object(os, "rename", side_effect=KilledError), pytest.raises(KilledError):
        engine.transition(event, state_updates={"k": 2})


def state(root: Path) -> Path:
    return root / ".forge" / "dev-state.json"


def content(root: Path) -> Json:
    found: Json = json.loads(state(root).read_bytes())
    return found


def next_file(root: Path) -> Path:
    (found,) = (root / ".forge").glob(".dev-state.json.*.next")
    return found


def names(root: Path) -> list[str]:
    return sorted(name for name in os.listdir(root / ".forge") if name.startswith(".dev-state.json."))


def steps(root: Path) -> list[tuple[int, str, str]]:
    lines = (root / ".forge" / "flow-log.jsonl").read_text().splitlines()
    return [(entry["seq"], entry["from"], entry["to"]) for entry in map(json.loads, lines)]


def test_reads_see_the_change_and_write_nothing(root: Path) -> None:
    before = {path: path.read_bytes() for path in (root / ".forge").iterdir()}
    engine = stratumc.create_engine(root)
    assert (engine.check()["state"], engine.check()["previous_state"]) == ("b", "a")
    assert engine.explain(to="c")["from"] == "b"
    assert engine.modify("rename_state", state="b", new_name="z")["error"]["code"] == "state_in_use"
    assert {path: path.read_bytes() for path in (root / ".forge").iterdir()} == before


def test_a_change_that_is_made_later_is_flushed_too(root: Path) -> None:
    flushed: list[tuple[str, str]] = []

    def flush(folder: str) -> None:
        flushed.append((folder, state(root).read_text()))

    with mock.patch.object(project, "flush_folder", flush):
        refused = stratumc.create_engine(root).transition("go")
    assert refused["error"]["state"] == "b"
    assert [(folder, '"b"' in text) for folder, text in flushed] == [(str(root / ".forge"), True)]


def test_the_next_transition_makes_the_change_first(root: Path) -> None:
    assert stratumc.create_engine(root).transition("back")["from"] == "b"
    assert content(root) == {
        "workflow_state": "a",
        "kept": 1.0,
        "previous_workflow_state": "b",
        "k": 2,
    }
    assert names(root) == []
    assert steps(root) == [(1, "a", "b"), (2, "b", "a")]


def test_what_another_program_wrote_meanwhile_stays(root: Path) -> None:
    state(root).write_text('{"mine":  1e400,\n"workflow_state": "a", "kept": 3.00}')
    assert stratumc.create_engine(root).check()["state"] == "b"
    refused = stratumc.create_engine(root).transition("no")
    assert refused["error"]["state"] == "b"
    assert state(root).read_text() == (
        '{"mine":  1e400,\n"workflow_state": "b", "kept": 3.00, "previous_workflow_state": "a", "k": 2}'
    )
    assert names(root) == []


def test_a_state_that_a_hand_wrote_meanwhile_is_the_state(root: Path) -> None:
    state(root).write_text('{"workflow_state": "c"}')
    assert stratumc.create_engine(root).check()["state"] == "c"
    stratumc.create_engine(root).transition("no")
    assert state(root).read_text() == '{"workflow_state": "c"}'
    assert all(name.endswith(".aside") for name in names(root))


def test_a_state_file_taken_away_meanwhile_stays_away(root: Path) -> None:
    state(root).unlink()
    assert stratumc.create_engine(root).check()["state"] == "a"
    stratumc.create_engine(root).transition("no")
    assert not state(root).exists()


def test_a_state_file_broken_meanwhile_is_a_refusal_until_it_is_mended(root: Path) -> None:
    state(root).write_text("{")
    assert stratumc.create_engine(root).check()["error"]["code"] == "state_file_invalid"
    assert stratumc.create_engine(root).transition("back")["error"]["code"] == "state_file_invalid"
    assert state(root).read_text() == "{"
    state(root).write_text(START)
    assert stratumc.create_engine(root).transition("back")["from"] == "b"


@pytest.mark.parametrize("cut", [b"", b"{", b'{"workflow_state": "c", "evil": 1}'])
def test_a_file_that_is_not_what_was_written_is_set_aside(root: Path, cut: bytes) -> None:
    next_file(root).write_bytes(cut)
    assert stratumc.create_engine(root).check()["state"] == "a"
    stratumc.create_engine(root).transition("no")
    assert state(root).read_text() == START
    (kept,) = (root / ".forge").glob("*.next.aside")
    assert kept.read_bytes() == cut


def test_cut_updates_are_set_aside_too(root: Path) -> None:
    (updates,) = (root / ".forge").glob(".dev-state.json.*.updates")
    updates.write_bytes(b'{"k')
    stratumc.create_engine(root).transition("no")
    assert state(root).read_text() == START
    assert len(names(root)) == 2


def test_a_line_other_than_the_one_it_belongs_to_is_not_enough(root: Path) -> None:
    log = root / ".forge" / "flow-log.jsonl"
    log.write_text(log.read_text().replace('"to": "b"', '"to": "c"'))
    stratumc.create_engine(root).transition("no")
    assert state(root).read_text() == START
    assert any(name.endswith(".next.aside") for name in names(root))


def test_another_log_is_not_asked(root: Path) -> None:
    log = root / ".forge" / "flow-log.jsonl"
    (root / "other.jsonl").write_bytes(log.read_bytes())
    engine = stratumc.create_engine(root, log_file="other.jsonl")
    assert engine.check()["state"] == "a"
    engine.transition("no")
    assert state(root).read_text() == START


def test_a_file_with_a_name_of_no_transition_is_not_looked_at(tmp_path: Path) -> None:
    lay_out(tmp_path, SMALL)
    engine = stratumc.create_engine(tmp_path)
    engine.transition("stay")
    forged = tmp_path / ".forge" / ".dev-state.json.1.next"
    forged.write_text('{"workflow_state": "c", "evil": 1}')
    assert engine.transition("go")["from"] == "a"
    assert forged.exists()
    assert "evil" not in content(tmp_path)


def test_without_its_line_it_never_was(root: Path) -> None:
    (root / ".forge" / "flow-log.jsonl").unlink()
    assert stratumc.create_engine(root).check()["state"] == "a"
    stratumc.create_engine(root).transition("no")
    assert names(root) == []
    assert state(root).read_text() == START


def test_a_kill_while_the_change_is_made_in_another_programs_file(root: Path) -> None:
    state(root).write_text('{"workflow_state": "a", "mine": 1}')
    with mock.patch.object(os, "rename", side_effect=KilledError), pytest.raises(KilledError):
        stratumc.create_engine(root).transition("back")
    assert stratumc.create_engine(root).check()["state"] == "b"
    assert stratumc.create_engine(root).transition("back")["from"] == "b"
    assert content(root) == {"workflow_state": "a", "mine": 1, "previous_workflow_state": "b", "k": 2}
    assert [name for name in names(root) if not name.endswith(".aside")] == []
