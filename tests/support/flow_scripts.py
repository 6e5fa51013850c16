"""Random reports and decisions on a run, played on the engine and on the reference at once."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from support.engine_player import EngineSubject
from support.flow_specs import CONTRACTS, TEXTS
from support.reference_player import ReferenceSubject
from support.reference_values import equal

Op = dict[str, Any]
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

    def __init__(self, spec: dict[str, Any], value: Any, engine: EngineSubject) -> None:
        self.mine, self.theirs = engine, ReferenceSubject()
        assert self.mine.start(spec, value, None)
        assert self.theirs.start(spec, value, None)
        self.played: list[Op] = []
        self.look()

    def look(self) -> None:
        self.state = self.mine.engine.snapshot(self.mine.flow_id)
        mine, theirs = self.mine.view(), self.theirs.view()
        for key, seen in theirs["steps"].items():
            assert equal(mine["steps"].get(key), seen), (key, mine["steps"].get(key), seen)
        for key, seen in theirs.items():
            assert equal(mine[key], seen), (key, mine[key], seen)
        assert equal(self.mine.output(), self.theirs.output())
        assert (self.state.get("failure") or {}).get("kind") != "stuck", self.state["failure"]

    @property
    def going(self) -> bool:
        return bool(self.state["status"] == "in_progress")

    def play(self, op: Op) -> None:
        """Makes a call on both; both must refuse it or both take it."""
        self.played.append(op)
        step = op.get("step", "")
        mine, theirs = (
            "made-up" if op.get("stale") else side.tokens().get(step, "made-up")
            for side in (self.mine, self.theirs)
        )
        taken = self.mine.call(op, mine)
        assert taken is self.theirs.call(op, theirs), op
        self.look()


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
            "reason": "made up",
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
        return op | {"op": "fail", "reason": "could not"}
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
    answer = duel.mine.engine.resume(duel.mine.flow_id)
    return next(str(one["output_contract"]) for one in answer["ready"] if one["step_id"] == at)


def random_output(random: Random, contract: str) -> Any:
    """An output that fits a contract."""
    values: dict[str, Callable[[], Any]] = {
        "Note": lambda: {"text": random.choice(TEXTS)},
        "Num": lambda: {"n": random.randint(0, 3), "ok": random.random() < 0.5},
        "List": lambda: {"xs": [random.choice(TEXTS) for _ in range(random.randint(0, 2))]},
    }
    assert contract in CONTRACTS
    return values[contract]()
