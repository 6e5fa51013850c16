"""Processes are killed at any moment, and several work on one run: nothing is lost, halved or taken twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import stratumc
import support
from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore

LONG = os.environ.get("STRATUM_LONG") == "1"
KILLS = 500 if LONG else 20
DRIVER = Path(str(support.__path__[0])) / "flow_driver.py"


def note(step: str, **more: Any) -> dict[str, Any]:
    return {"id": step, "do": f"work on {step}", "out": "Note", **more}


def long_flow() -> dict[str, Any]:
    """Chains, a fanout, a subflow, and a gate that sends everything back many times."""
    chain = [note(f"a{n}", **({"after": [f"a{n - 1}"]} if n else {})) for n in range(8)]
    fan = {
        "over": "${input.xs}",
        "steps": [{"do": "first ${item}", "out": "Note"}, {"do": "then ${prev}", "out": "Note"}],
        "concurrency": 3,
        "isolation": "none",
        "require": "all",
        "merge": "sequential",
        "dispatch": "consumer",
    }
    steps = [
        *chain,
        {"id": "fan", "after": ["a1"], "fanout": fan},
        {"id": "call", "after": ["a2"], "run": "kid", "with": {"w": "${a2.output.text}"}},
        {
            "id": "check",
            "after": ["a7", "fan", "call"],
            "gate": {"on_approve": None, "on_revise": "a0", "on_kill": None},
        },
        note("last", after=["check"]),
    ]
    main = {
        "input": {"xs": "string[]"},
        "max_rounds": 1000,
        "output": {"from": "${last.output}", "contract": "Note"},
    }
    kid = {"input": {"w": "string"}, "output": {"from": "${k1.output}", "contract": "Note"}}
    kid["steps"] = [note("k0"), note("k1", after=["k0"])]  # type: ignore[assignment]
    flows = {"entry": "main", "main": {**main, "steps": steps}, "kid": kid}
    return {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": flows}


def plan(path: Path, spec: dict[str, Any], inputs: dict[str, Any]) -> tuple[FlowEngine, str]:
    compiled = stratumc.compile(json.dumps(spec), name="long.stratum.json", kind="spec", families=("rule",))
    assert compiled.table is not None, compiled.diagnostics
    engine = FlowEngine(SqliteStore(path))
    return engine, engine.plan(compiled.table, inputs=inputs)["flow_id"]


def start(path: Path, flow_id: str, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(DRIVER), str(path), flow_id, str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def lines_of(output: str) -> list[dict[str, Any]]:
    """The whole lines a driver printed; a killed one may have cut its last."""
    found = []
    for line in output.splitlines()[1:]:
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def check_whole(engine: FlowEngine, flow_id: str) -> None:
    """State and audit trail say the same: attempts, tokens, and the dispatches that were booked."""
    state, audit = engine.snapshot(flow_id), engine.audit(flow_id)
    events = [event for call in audit["calls"] for event in call["events"]]
    newest = {e["step_id"]: e["token"] for e in events if e["event"] in ("issued", "gate_waiting", "token")}
    assert {name: newest[name] for name in state["tokens"]} == state["tokens"]
    issued = [event["token"] for event in events if event["event"] == "issued"]
    assert len(set(issued)) == len(issued) == state["ledger"]["spent"]["dispatches"]
    taken = [event["token"] for event in events if event["event"] == "attempt" and "token" in event]
    assert len(set(taken)) == len(taken)
    assert state["ledger"]["spent"].get("tokens", 0) == len(taken)
    for entry in audit["trace"]:
        if entry["type"] == "do":
            assert state["steps"][entry["step_id"]]["attempts"] == len(entry["attempts"])


def acknowledged(engine: FlowEngine, flow_id: str, lines: list[dict[str, Any]]) -> None:
    """Every report that came back is in the audit trail, with its own result."""
    calls = engine.audit(flow_id)["calls"]
    kept = {
        e["token"]: e.get("result")
        for call in calls
        for e in call["events"]
        if "token" in e and e["event"] == "attempt"
    }
    for line in lines:
        if line["accepted"] and line["result"] is not None:
            assert kept[line["token"]] == line["result"]


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    path, choice = tmp_path / "runs.sqlite", random.Random(7)
    engine, flow_id = plan(path, long_flow(), {"xs": ["x", "y", "z", "w"]})
    seen: list[dict[str, Any]] = []
    window = 0.06
    for number in range(KILLS):
        driver = start(path, flow_id, number)
        assert driver.stdout is not None
        assert driver.stdout.readline() == "ready\n"
        time.sleep(choice.random() * window)
        driver.send_signal(signal.SIGKILL)
        rest = driver.communicate()[0]
        lines = lines_of("ready\n" + rest)
        check_whole(engine, flow_id)
        acknowledged(engine, flow_id, lines)
        seen += lines
        # On a busy machine a driver gets further only if it is given longer.
        window = 0.06 if lines else min(2.0, window * 1.5)
        if engine.snapshot(flow_id)["status"] != "in_progress":
            engine, flow_id = plan(path, long_flow(), {"xs": ["x", "y", "z", "w"]})
    assert seen
    finish(engine, flow_id)


def finish(engine: FlowEngine, flow_id: str) -> None:
    """Approves and reports with the tokens that are out, until the run is complete."""
    answer = engine.resume(flow_id)
    while answer["status"] != "complete":
        if answer["status"] == "await_gate":
            answer = engine.resolve_gate(
                flow_id, answer["step_id"], "approve", gate_token=answer["gate_token"]
            )
        else:
            answer = engine.step_done(
                flow_id, answer["step_id"], result={"text": "end"}, dispatch_token=answer["dispatch_token"],
                usage={"tokens": 1},
            )  # fmt: skip
        assert answer["status"] in ("execute_step", "await_gate", "complete"), answer
    check_whole(engine, flow_id)


def test_a_token_given_before_a_crash_is_good_after_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    _, flow_id = plan(path, long_flow(), {"xs": []})
    driver = start(path, flow_id, 1)
    assert driver.stdout is not None
    driver.stdout.readline()
    line = json.loads(driver.stdout.readline())
    driver.send_signal(signal.SIGSTOP)
    engine = FlowEngine(SqliteStore(path))
    tokens = engine.snapshot(flow_id)["tokens"]
    driver.kill()
    driver.communicate()
    assert line["accepted"]
    again = FlowEngine(SqliteStore(path))
    assert again.snapshot(flow_id)["tokens"] == tokens
    step, token = next(iter(tokens.items()))
    assert (
        again.step_done(flow_id, step, result={"text": "x"}, dispatch_token=token)["status"] == "execute_step"
    )


@pytest.mark.parametrize("width", [40])
def test_eight_processes_take_every_step_exactly_once(tmp_path: Path, width: int) -> None:
    path = tmp_path / "runs.sqlite"
    steps = [note(f"s{n}", **({"after": [f"s{n - 10}"]} if n >= 10 else {})) for n in range(width)]
    steps.append(note("last", after=[f"s{n}" for n in range(width)]))
    flow = {"input": {}, "output": {"from": "${last.output}", "contract": "Note"}, "steps": steps}
    spec = {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": {"entry": "main", "main": flow}}
    engine, flow_id = plan(path, spec, {})
    drivers = [start(path, flow_id, seed) for seed in range(8)]
    outputs = [driver.communicate()[0] for driver in drivers]
    assert [driver.returncode for driver in drivers] == [0] * 8
    lines = [line for output in outputs for line in lines_of(output)]
    taken = [line["step"] for line in lines if line["accepted"]]
    assert sorted(taken) == sorted([*(f"s{n}" for n in range(width)), "last"])
    acknowledged(engine, flow_id, lines)
    check_whole(engine, flow_id)
    assert engine.snapshot(flow_id)["status"] == "complete"
