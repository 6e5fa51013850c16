"""A process that works on a run until it is ended or killed; it prints a line for each call."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore


def work(path: str, flow_id: str, seed: int) -> None:
    """Reports and decides at random; `accepted` in a line says whether the call was taken."""
    engine, choice = FlowEngine(SqliteStore(path)), random.Random(seed)
    answer = engine.resume(flow_id)
    print("ready", flush=True)
    while answer.get("status") not in ("complete", "killed") and answer.get("error_type") != "flow_failed":
        open_steps = [(one["step_id"], one["dispatch_token"]) for one in answer.get("ready", ())]
        gates = [(one["step_id"], one["gate_token"]) for one in answer.get("gates", ())]
        if not open_steps and not gates:
            answer = engine.resume(flow_id)
            continue
        step, token = choice.choice(open_steps or gates)
        result = {"text": f"{seed}-{choice.random()}"}
        taken = call(engine, flow_id, step, token, result, gate=not open_steps, choice=choice)
        accepted = taken.get("error_type") not in ("not_ready", "stale_dispatch", "stale_gate", "flow_ended")
        line = {
            "step": step,
            "token": token,
            "accepted": accepted,
            "result": None if not open_steps else result,
        }
        print(
            json.dumps(
                line | {"ready": [one["dispatch_token"] for one in taken.get("ready", ()) if accepted]}
            ),
            flush=True,
        )
        answer = engine.resume(flow_id)


def call(
    engine: FlowEngine, flow_id: str, step: str, token: str, result: Any, *, gate: bool, choice: random.Random
) -> dict[str, Any]:
    if gate:
        decision = choice.choice(["approve", "revise"])
        return engine.resolve_gate(flow_id, step, decision, gate_token=token)
    return engine.step_done(flow_id, step, result=result, dispatch_token=token, usage={"tokens": 1})


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2], int(sys.argv[3]))
