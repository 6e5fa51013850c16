"""Random reports and decisions on a run, played on the engine and on the reference at once."""

from __future__ import annotations

from random import Random
from typing import Any

from stratum_runtime.flow import FlowEngine
from support.flow_specs import CONTRACTS, TEXTS
from support.reference import Reference
from support.reference_player import STATUS, holders, snapshot
from support.reference_state import RefusedError
from support.reference_values import ABSENT, equal

Op = dict[str, Any]
COMPARED = ("status", "attempts", "output", "iterations", "epoch", "spent", "rounds", "items", "failure")
USAGES = (
    None,
    None,
    None,
    {"tokens": 2},
    {"tokens": 7, "usd": 0.5},
    {"ms": 400},
    {"dispatches": 1},
    {"cents": 1},
)


class Duel:
    """One run on both; every call is made on both, and afterwards both must stand alike."""

    def __init__(self, engine: FlowEngine, flow_id: str, reference: Reference) -> None:
        self.engine, self.flow_id, self.reference = engine, flow_id, reference
        self.labels: list[str] = []
        self.played: list[Op] = []
        self.state = engine.snapshot(flow_id)

    @property
    def going(self) -> bool:
        return bool(self.state["status"] == "in_progress")

    def play(self, op: Op) -> None:
        """Makes a call on both; both must refuse it or both take it."""
        self.played.append(op)
        answer = self.on_engine(op)
        refused = answer["status"] == "error" and "flow_id" in answer and answer["error_type"] in REFUSALS
        assert refused is self.refused_by_reference(op), (op, answer)
        before, self.state = self.state, self.engine.snapshot(self.flow_id)
        if refused:
            assert before == self.state, (op, answer)
        self.compare()

    def on_engine(self, op: Op) -> dict[str, Any]:
        kind, at = op["op"], op.get("step", "")
        token = self.state["tokens"].get(at, "made-up") if not op.get("stale") else "made-up"
        if kind in ("done", "fail"):
            told = {"failure": "could not"} if kind == "fail" else {}
            told |= {"result": op["output"]} if "output" in op else {}
            return self.engine.step_done(
                self.flow_id, at, dispatch_token=token, usage=op.get("usage"), **told
            )
        if kind == "gate":
            return self.engine.resolve_gate(self.flow_id, at, op["decision"], gate_token=token)
        if kind == "cancel":
            return self.engine.cancel(self.flow_id)
        return getattr(self.engine, kind)(self.flow_id, op["label"])  # type: ignore[no-any-return]

    def refused_by_reference(self, op: Op) -> bool:
        try:
            self.on_reference(op)
        except RefusedError:
            return True
        return False

    def on_reference(self, op: Op) -> None:
        kind, at = op["op"], op.get("step", "")
        known = {name: holder.token for name, holder in holders(self.reference)}
        token = known.get(at, "made-up") if not op.get("stale") else "made-up"
        if kind in ("done", "fail"):
            reported = "could not" if kind == "fail" else None
            output = op.get("output", ABSENT)
            self.reference.done(at, output, token=token, reported=reported, usage=op.get("usage"))
        elif kind == "gate":
            self.reference.resolve(at, op["decision"], token)
        elif kind == "cancel":
            self.reference.cancel()
        else:
            getattr(self.reference, kind)(op["label"])

    def compare(self) -> None:
        mine, theirs = self.state, snapshot(self.reference)
        assert STATUS.get(mine["status"], mine["status"]) == theirs["status"], (
            mine["status"],
            theirs["status"],
        )
        shown = [{key: one[key] for key in ("id", "attempt", "do")} for one in mine["ready"]]
        assert shown == theirs["ready"], (shown, theirs["ready"])
        assert mine["gates"] == theirs["gates"]
        assert mine["steps"].keys() == theirs["steps"].keys()
        for name, step in mine["steps"].items():
            seen = view(step)
            assert equal(seen, theirs["steps"][name]), (name, seen, theirs["steps"][name])
        assert (mine["rounds"], mine["carry"]) == (theirs["rounds"], theirs["carry"])
        assert equal(mine["ledger"]["spent"], theirs["spent"])
        assert (mine.get("failure") or {}).get("kind") != "stuck", mine["failure"]
        if mine["status"] == "complete":
            assert equal(mine["output"], self.reference.state.output)


REFUSALS = {
    "stale_dispatch", "stale_gate", "unknown_step", "not_ready", "flow_ended", "invalid_argument",
    "checkpoint_not_found", "fanout_in_flight", "carry_unresolved", "invalid_label",
}  # fmt: skip


def view(step: dict[str, Any]) -> dict[str, Any]:
    """A step of the engine's snapshot in the form of the reference's."""
    shown = {"iterations": 0, "epoch": 0, "spent": {}, "rounds": 0}
    shown |= {key: step[key] for key in COMPARED if key in step}
    if "failure" in shown:
        shown["failure"] = {key: step["failure"][key] for key in ("attempt", "kind")}
    if "items" in shown:
        keys = ("status", "attempts", "output")
        shown["items"] = [{key: item[key] for key in keys if key in item} for item in step["items"]]
    return shown


def random_op(random: Random, duel: Duel) -> Op:
    """A call that fits what is ready or waits; now and then one that doesn't."""
    ready, gates = [one["id"] for one in duel.state["ready"]], duel.state["gates"]
    roll = random.random()
    if roll < 0.04:
        return {"op": "commit", "label": random.choice(["a", "b"])}
    if roll < 0.08:
        return {"op": "revert", "label": random.choice(["a", "b", "c"])}
    if roll < 0.09:
        return {"op": "cancel"} if duel.going else {"op": "revert", "label": "a"}
    if roll < 0.13:
        return {
            "op": random.choice(["done", "fail"]),
            "step": random.choice(["s0", "s1/s0", "s2/0", "ghost"]),
        }
    if gates and (not ready or roll < 0.4):
        decision = random.choice(["approve", "revise", "revise", "kill"])
        return {
            "op": "gate",
            "step": random.choice(gates),
            "decision": decision,
            "stale": random.random() < 0.05,
        }
    if not ready:
        return {"op": "revert", "label": "a"}
    return random_report(random, duel, random.choice(ready))


def random_report(random: Random, duel: Duel, at: str) -> Op:
    """A result, good or bad, or the reporter's own failure."""
    op: Op = {"op": "done", "step": at, "stale": random.random() < 0.03}
    usage = random.choice(USAGES)
    if usage is not None:
        op["usage"] = usage
    roll = random.random()
    if roll < 0.1:
        return op | {"op": "fail"}
    if roll > 0.15:
        op["output"] = (
            {"wrong": random.randint(0, 1)} if roll < 0.3 else random_output(random, contract_of(duel, at))
        )
    return op


def good_op(random: Random, duel: Duel) -> Op | None:
    """A call that brings the run forward; None when nothing is ready and no gate waits."""
    if duel.state["ready"]:
        at = duel.state["ready"][0]["id"]
        return {"op": "done", "step": at, "output": random_output(random, contract_of(duel, at))}
    if duel.state["gates"]:
        return {"op": "gate", "step": duel.state["gates"][0], "decision": "approve"}
    return None


def contract_of(duel: Duel, at: str) -> str:
    """The contract of what a dispatch must give."""
    answer = duel.engine.resume(duel.flow_id)
    return next(str(one["output_contract"]) for one in answer["ready"] if one["step_id"] == at)


def random_output(random: Random, contract: str) -> Any:
    """An output that fits a contract."""
    values = {
        "Note": lambda: {"text": random.choice(TEXTS)},
        "Num": lambda: {"n": random.randint(0, 3), "ok": random.random() < 0.5},
        "List": lambda: {"xs": [random.choice(TEXTS) for _ in range(random.randint(0, 2))]},
    }
    assert contract in CONTRACTS
    return values[contract]()
