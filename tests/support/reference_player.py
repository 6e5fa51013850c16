"""Plays a recorded run (runs.jsonl) on the reference interpreter and names the first difference."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from support.reference import Reference
from support.reference_state import Item, RefusedError, Step
from support.reference_values import ABSENT, equal

STATUS = {"in_progress": "running", "complete": "completed", "killed": "failed"}


class Player:
    """One run on the reference, and every token ever handed out in it."""

    def __init__(self, reference: Reference) -> None:
        self.reference, self.tokens = reference, dict[str, list[str]]()
        self.note_tokens()

    def note_tokens(self) -> None:
        for name, holder in holders(self.reference):
            known = self.tokens.setdefault(name, [])
            if holder.status in ("ready", "waiting_gate") and (not known or known[-1] != holder.token):
                known.append(holder.token)

    def token(self, op: dict[str, Any]) -> str:
        known = self.tokens.get(op["step"], [])
        ready = [name for name, holder in holders(self.reference) if holder.status == "ready"]
        if op.get("stale") and (op["op"] == "gate" or op["step"] in ready or not known):
            return known[-2] if len(known) > 1 else "made-up"
        return known[-1] if known else "made-up"

    def play(self, op: dict[str, Any], folder: Path) -> None:
        kind = op["op"]
        if kind in ("done", "fail"):
            output = op.get("output", ABSENT)
            self.reference.done(
                op["step"], output, token=self.token(op), reported=op.get("reason"), usage=op.get("usage")
            )
        elif kind == "gate":
            self.reference.resolve(op["step"], op["decision"], self.token(op))
        elif kind in ("commit", "revert"):
            getattr(self.reference, kind)(op["label"])
        elif kind == "cancel":
            self.reference.cancel()
        elif kind == "write":
            write(folder, {op["path"]: op["content"]})
        self.note_tokens()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


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


def expected(entry: dict[str, Any]) -> dict[str, Any]:
    """A recorded step entry, filled up with defaults and cut to what is compared."""
    shown = {"iterations": 0, "epoch": 0, "spent": {}, "rounds": 0} | entry
    shown.pop("routed", None)
    if "failure" in shown:
        shown["failure"] = {key: shown["failure"][key] for key in ("attempt", "kind")}
    if "items" in shown:
        keys = ("status", "attempts", "output")
        shown["items"] = [{k: item[k] for k in keys if k in item} for item in shown["items"]]
    return shown


def difference(reference: Reference, want: dict[str, Any], steps: dict[str, Any]) -> str | None:
    """The first thing in which the run differs from a recorded snapshot, or None."""
    mine = snapshot(reference)
    want = {"carry": {}, "spent": {}} | want
    ready_want = [{key: r[key] for key in ("id", "attempt", "do")} for r in want["ready"]]
    for key, value in (("ready", ready_want), ("steps", {n: expected(e) for n, e in steps.items()})):
        want[key] = value
    for key in mine:
        if not equal(mine[key], want[key]):
            if key == "steps":
                names = [n for n in {**mine[key], **want[key]} if mine[key].get(n) != want[key].get(n)]
                return f"{names[0]}: {mine[key].get(names[0])}, must be {want[key].get(names[0])}"
            return f"{key}: {mine[key]}, must be {want[key]}"
    return None


def case_difference(case: dict[str, Any]) -> str | None:
    """Plays a whole recorded case; what went differently first, or None."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, case.get("files", {}))
        start = case["expect"]["start"]
        try:
            reference = Reference(case["spec"], case["input"], folder if "files" in case else None)
        except RefusedError:
            return None if "error" in start else "refused, must start"
        player, steps = Player(reference), dict[str, Any]()
        for number, want in enumerate([start, *case["expect"]["after"]]):
            refused = False
            if number:
                try:
                    player.play(case["script"][number - 1], folder)
                except RefusedError:
                    refused = True
            if refused != ("error" in want):
                return f"after op {number}: {'refused' if refused else 'accepted'}"
            if refused:
                continue
            for step, shown in want["steps"].items():
                steps.pop(step, None) if shown is None else steps.update({step: shown})
            found = difference(reference, want, steps)
            if found:
                return f"after op {number}: {found}"
        final = case["expect"].get("final", {})
        output = reference.state.output
        if "final" in case["expect"] and not equal(output, final.get("output", ABSENT)):
            return f"final output {output}, must be {final.get('output')}"
    return None
