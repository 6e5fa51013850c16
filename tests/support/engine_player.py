"""The flow engine as something that recorded runs can be played on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import stratumc
from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore
from support.reference_player import STATUS
from support.reference_values import ABSENT

COMPARED = ("status", "attempts", "output", "iterations", "epoch", "spent", "rounds", "items", "failure")
REFUSALS = {
    "stale_dispatch", "stale_gate", "unknown_step", "not_ready", "flow_ended", "invalid_argument",
    "checkpoint_not_found", "fanout_in_flight", "carry_unresolved", "invalid_label",
}  # fmt: skip


class EngineSubject:
    """One run on the engine, over a store in memory."""

    flow_id: str

    def __init__(self) -> None:
        self.engine = FlowEngine(MemoryStore())

    def start(self, spec: dict[str, Any], value: Any, folder: Path | None) -> bool:
        compiled = stratumc.compile(
            json.dumps(spec), name="case.stratum.json", kind="spec", families=("rule",)
        )
        assert compiled.table is not None, compiled.diagnostics
        answer = self.engine.plan(compiled.table, inputs=value, workspace_root=folder)
        self.flow_id = answer.get("flow_id", "")
        return bool(self.flow_id)

    def tokens(self) -> dict[str, str]:
        return dict(self.engine.snapshot(self.flow_id)["tokens"])

    def call(self, op: dict[str, Any], token: str) -> bool:
        before = self.engine.snapshot(self.flow_id)
        answer = make_call(self.engine, self.flow_id, op, token)
        refused = answer["status"] == "error" and answer["error_type"] in REFUSALS
        assert not refused or before == self.engine.snapshot(self.flow_id), (op, answer)
        return not refused

    def view(self) -> dict[str, Any]:
        return view(self.engine.snapshot(self.flow_id))

    def output(self) -> Any:
        return self.engine.snapshot(self.flow_id).get("output", ABSENT)


def make_call(engine: FlowEngine, flow_id: str, op: dict[str, Any], token: str) -> dict[str, Any]:
    """The engine's call for a recorded op."""
    kind, at = op["op"], op.get("step", "")
    if kind in ("done", "fail"):
        told = {"failure": op["reason"]} if kind == "fail" else {}
        told |= {"result": op["output"]} if "output" in op else {}
        return engine.step_done(flow_id, at, dispatch_token=token, usage=op.get("usage"), **told)
    if kind == "gate":
        return engine.resolve_gate(flow_id, at, op["decision"], gate_token=token)
    if kind == "cancel":
        return engine.cancel(flow_id)
    return getattr(engine, kind)(flow_id, op["label"])  # type: ignore[no-any-return]


def view(state: dict[str, Any]) -> dict[str, Any]:
    """The engine's snapshot in the form of the reference's."""
    return {
        "status": STATUS.get(state["status"], state["status"]),
        "ready": [{key: one[key] for key in ("id", "attempt", "do")} for one in state["ready"]],
        "gates": state["gates"],
        "steps": {name: step_view(step) for name, step in state["steps"].items()},
        "rounds": state["rounds"],
        "carry": state["carry"],
        "spent": state["ledger"]["spent"],
    }


def step_view(step: dict[str, Any]) -> dict[str, Any]:
    """A step of the engine's snapshot in the form of the reference's."""
    shown = {"iterations": 0, "epoch": 0, "spent": {}, "rounds": 0}
    shown |= {key: step[key] for key in COMPARED if key in step}
    if "failure" in shown:
        shown["failure"] = {key: step["failure"][key] for key in ("attempt", "kind")}
    if "items" in shown:
        keys = ("status", "attempts", "output")
        shown["items"] = [{key: item[key] for key in keys if key in item} for item in step["items"]]
    return shown
