"""`stratumc query`, `gate`, `watch` and `flow cancel` on a store in a folder of the test's own."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore
from stratumc.cli.runs import open_engine
from support.command import Outcome, stratumc
from support.flow_runs import gate, note, spec_of, table_of


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATUM_STATE_ROOT", str(tmp_path / "state"))
    return tmp_path / "state"


def planned() -> str:
    """A run that waits at a gate."""
    steps = (note("a"), gate("check", revise="a", after=["a"]), note("last", after=["check"]))
    engine = open_engine()
    answer = engine.plan(table_of(spec_of(*steps, max_rounds=2)), inputs={})
    engine.step_done(answer["flow_id"], "a", result={"text": "one"})
    return str(answer["flow_id"])


def ok(outcome: Outcome) -> str:
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def test_looking_makes_no_store(root: Path) -> None:
    assert ok(stratumc("query", "flows")) == "no runs\n"
    assert ok(stratumc("query", "gates")) == "no gate waits\n"
    assert not root.exists()


def test_the_runs_and_the_gates_that_wait(root: Path) -> None:
    flow_id = planned()
    (line,) = ok(stratumc("query", "flows")).splitlines()
    assert line.startswith(f"{flow_id}  main  in_progress  1/3  2")
    assert line.endswith("Z  waits at check")
    assert (
        ok(stratumc("query", "gates"))
        == f"{flow_id}  check  approve -> -, revise -> a, kill -> -  rounds 0/2\n"
    )
    (gate_found,) = json.loads(ok(stratumc("query", "gates", "--json")))["gates"]
    assert (gate_found["flow_id"], gate_found["step_id"]) == (flow_id, "check")
    assert ok(stratumc("query", "flows", "--status", "complete")) == "no runs\n"


def test_a_person_decides(root: Path) -> None:
    flow_id = planned()
    assert ok(stratumc("gate", "revise", flow_id, "check", "--note", "too short")) == (
        "check: revise\ndone again: a, check, last\nready: a\n"
    )
    again = stratumc("gate", "approve", flow_id, "check")
    assert (again.status, again.out) == (1, "refused (not_ready): `check` isn't a gate that waits\n")
    open_engine().step_done(flow_id, "a", result={"text": "two"})
    assert ok(stratumc("gate", "approve", flow_id[:8], "check")) == "check: approve\nready: last\n"
    text = ok(stratumc("query", "flow", flow_id))
    assert "round 1: check sent back a, check, last: too short" in text
    assert "approve by human (command line)" in text
    assert 'attempt 1: {"text": "one"}' in text


def test_a_person_decides_where_agents_may_not(root: Path) -> None:
    flow_id = planned()
    engine = open_engine(gates="human")
    assert engine.resolve_gate(flow_id, "check", "approve", channel="mcp")["error_type"] == "gate_needs_human"
    answer = json.loads(ok(stratumc("gate", "approve", flow_id, "check", "--json")))
    assert answer["resolved"] == {
        "step_id": "check",
        "outcome": "approve",
        "rationale": "",
        "resolved_by": "human",
        "channel": "command line",
    }


def test_what_an_agent_proposed_is_shown_beside_what_the_person_decided(root: Path) -> None:
    flow_id = planned()
    asked = {"rationale": "mine", "channel": "elicitation"}
    proposal = {"outcome": "approve", "rationale": "good\nenough"}
    open_engine().resolve_gate(flow_id, "check", "revise", proposed=proposal, **asked)
    open_engine().step_done(flow_id, "a", result={"text": "two"})
    open_engine().resolve_gate(
        flow_id, "check", "approve", proposed={"outcome": "kill", "rationale": ""}, **asked
    )
    text = ok(stratumc("query", "flow", flow_id))
    assert "sent back a, check, last: mine  (an agent proposed approve: good enough)\n" in text
    assert "approve by human (elicitation): mine  (an agent proposed kill)\n" in text


def test_a_rejection_ends_the_run(root: Path) -> None:
    flow_id = planned()
    assert (
        ok(stratumc("gate", "reject", flow_id, "check", "--note", "no"))
        == "check: kill\nrun: gate `check` killed the flow: no\n"
    )
    watched = stratumc("watch", flow_id)
    assert watched.status == 1
    assert watched.out.endswith("main: killed\n")


def test_watching_shows_everything_a_line_each(root: Path) -> None:
    flow_id = planned()
    engine = open_engine()
    engine.resolve_gate(flow_id, "check", "approve")
    engine.step_done(flow_id, "last", failure="no")
    engine.step_done(flow_id, "last", result={"text": "end"})
    watched = stratumc("watch", flow_id)
    assert watched.status == 0
    told = [line.partition(" ")[2] for line in watched.out.splitlines()]
    assert told == [
        "a is out, attempt 1",
        'a attempt 1: {"text": "one"}',
        "check waits for a decision",
        "check approve by human (api)",
        "last is out, attempt 1",
        "last attempt 1 failed: no",
        "last is out, attempt 2",
        'last attempt 2: {"text": "end"}',
        "run complete",
        "complete",
    ]


def test_a_live_view_can_be_drawn(root: Path) -> None:
    from rich.console import Console

    from stratumc.cli.watch import view

    flow_id = planned()
    engine = open_engine()
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(view(engine.audit(flow_id), engine.snapshot(flow_id)))
    drawn = console.export_text()
    for word in ("main", "in_progress", "1/3", "check", "waiting_gate", "dispatches 1"):
        assert word in drawn


def test_a_run_is_cancelled_once(root: Path) -> None:
    flow_id = planned()
    assert ok(stratumc("flow", "cancel", flow_id, "--reason", "enough")) == f"run {flow_id} is cancelled\n"
    again = stratumc("flow", "cancel", flow_id)
    assert (again.status, again.out) == (1, "refused (flow_ended): the run has ended: cancelled\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "flow", "nope"),
        ("gate", "approve", "nope", "x"),
        ("watch", "nope"),
        ("flow", "cancel", "nope"),
    ],
)
def test_a_run_that_is_not_there(root: Path, arguments: tuple[str, ...]) -> None:
    outcome = stratumc(*arguments)
    assert (outcome.status, outcome.out) == (1, "refused (unknown_flow): there is no run `nope`\n")


def test_a_store_that_is_none(root: Path) -> None:
    root.mkdir()
    (root / "runs.sqlite").write_bytes(b"no database, and long enough to be seen as none" * 30)
    outcome = stratumc("query", "flows")
    assert (outcome.status, outcome.out) == (2, "")
    assert "runs.sqlite can't be used" in outcome.err


def test_a_root_that_can_hold_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    monkeypatch.setenv("STRATUM_STATE_ROOT", str(tmp_path / "file"))
    outcome = stratumc("query", "flows")
    assert (outcome.status, outcome.out) == (2, "")
    assert "can't be opened: Not a directory" in outcome.err


def test_damaged_content_of_a_store(root: Path) -> None:
    flow_id = planned()
    with sqlite3.connect(root / "runs.sqlite") as direct:
        direct.execute("update rows set value = '{'")
    direct.close()
    outcome = stratumc("query", "flow", flow_id)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("stratumc: the run store is damaged: ")


def test_a_beginning_of_more_than_one_run(root: Path) -> None:
    engine = FlowEngine(SqliteStore(root / "runs.sqlite"), new_token=map("ab{:02}".format, count()).__next__)
    for _ in range(2):
        engine.plan(table_of(spec_of(note("last"))), inputs={})
    for arguments in (("query", "flow", "a"), ("flow", "cancel", "ab"), ("watch", "a")):
        outcome = stratumc(*arguments)
        assert (outcome.status, outcome.err) == (1, "")
        assert outcome.out == f"refused (unknown_flow): `{arguments[-1]}` begins 2 runs\n"
    answer = json.loads(stratumc("query", "flow", "a", "--json").out)
    assert (answer["status"], answer["error_type"]) == ("error", "unknown_flow")


def test_looking_at_a_store_that_can_not_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flow_id = planned()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert flow_id in ok(stratumc("query", "flows"))
    assert flow_id in ok(stratumc("query", "gates"))
    assert "a  succeeded" in ok(stratumc("query", "flow", flow_id))


def test_a_reader_that_has_gone_is_no_refusal(root: Path) -> None:
    planned()
    for command in (("query", "flows"), ("query", "flow", "0"), ("rule", "EXPR_TYPE")):
        code = "import os, sys; os.close(1); r, w = os.pipe(); os.close(r); os.dup2(w, 1); "
        code += f"sys.argv = ['stratumc', *{command}]; from stratumc.__main__ import main; sys.exit(main())"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (141, b"")
