"""The reference interpreter as something that recorded runs can be played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.reference import Reference
from support.reference_state import Item, RefusedError, Step
from support.reference_values import ABSENT

STATUS = {"in_progress": "running", "complete": "completed", "killed": "failed"}


class ReferenceSubject:
    """One run on the reference interpreter."""

    reference: Reference

    def start(self, spec: dict[str, Any], value: Any, folder: Path | None) -> bool:
        try:
            self.reference = Reference(spec, value, folder)
        except RefusedError:
            return False
        return True

    def tokens(self) -> dict[str, str]:
        waiting = ("ready", "waiting_gate")
        return {name: holder.token for name, holder in holders(self.reference) if holder.status in waiting}

    def call(self, op: dict[str, Any], token: str) -> bool:
        try:
            self._call(op, token)
        except RefusedError:
            return False
        return True

    def _call(self, op: dict[str, Any], token: str) -> None:
        kind = op["op"]
        if kind in ("done", "fail"):
            output, reported = op.get("output", ABSENT), op["reason"] if kind == "fail" else None
            self.reference.done(op["step"], output, token=token, reported=reported, usage=op.get("usage"))
        elif kind == "gate":
            self.reference.resolve(op["step"], op["decision"], token)
        elif kind in ("commit", "revert"):
            getattr(self.reference, kind)(op["label"])
        elif kind == "cancel":
            self.reference.cancel()

    def view(self) -> dict[str, Any]:
        return snapshot(self.reference)

    def output(self) -> Any:
        return self.reference.state.output


def holders(reference: Reference) -> list[tuple[str, Step | Item]]:
    """Every step and fanout item by its id."""
    found: list[tuple[str, Step | Item]] = []
    for name, step in reference.everything(reference.state.root):
        parent = reference.state.root.steps[name.partition("/")[0]]
        if "/" in name and parent.child and parent.child.ended:
            continue
        found.append((name, step))
        found += [(f"{name}/{n}", item) for n, item in enumerate(step.items or [])]
    return found


def snapshot(reference: Reference) -> dict[str, Any]:
    """The run in the recorded form: status, ready, gates, steps, rounds, carry, spent."""
    state = reference.state
    going = state.status == "in_progress"
    shown: dict[str, Any] = {
        "status": STATUS.get(state.status, state.status),
        "ready": [ready(*pair) for pair in ready_order(reference)] if going else [],
        "gates": [n for n, h in holders(reference) if h.status == "waiting_gate" and going],
        "steps": {name: entry(step) for name, step in reference.everything(state.root)},
        "rounds": state.root.rounds,
        "carry": state.carry,
        "spent": state.spent,
    }
    return shown


def ready_order(reference: Reference) -> list[tuple[str, Step | Item]]:
    """Ready tasks of the entry flow, then those of children by parent, then fanout items."""
    found = [(name, h) for name, h in holders(reference) if h.status == "ready"]
    return sorted(found, key=lambda pair: 2 if isinstance(pair[1], Item) else "/" in pair[0])


def ready(name: str, holder: Step | Item) -> dict[str, Any]:
    return {"id": name, "attempt": len(holder.attempts) + 1, "do": holder.text}


def entry(step: Step) -> dict[str, Any]:
    """A step as the recordings show it."""
    shown: dict[str, Any] = {"status": step.status, "attempts": len(step.attempts)}
    shown |= {} if step.output is ABSENT else {"output": step.output}
    shown |= {"iterations": step.iterations, "epoch": step.epoch, "spent": step.spent}
    shown["rounds"] = step.child.rounds if step.child else 0
    if step.failure:
        shown["failure"] = {"attempt": step.failure["attempt"], "kind": step.failure["kind"]}
    if step.items is not None:
        shown["items"] = [
            {"status": i.status, "attempts": len(i.attempts)}
            | ({} if i.output is ABSENT else {"output": i.output})
            for i in step.items
        ]
    return shown
