"""Plays recorded runs (runs.jsonl) on an interpreter, and names the first difference."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from support.reference_values import ABSENT, equal


class Subject(Protocol):
    """One run on an interpreter."""

    def start(self, spec: dict[str, Any], value: Any, folder: Path | None) -> bool:
        """Starts the run; False when it is refused."""
        ...

    def tokens(self) -> dict[str, str]:
        """Of what is ready or waits, by id."""
        ...

    def call(self, op: dict[str, Any], token: str) -> bool:
        """Makes a call; False when it is refused."""
        ...

    def view(self) -> dict[str, Any]:
        """The run in the recorded form."""
        ...

    def output(self) -> Any:
        """The run's output, or ABSENT."""
        ...


class Player:
    """A run, and every token ever handed out in it."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.known = subject, dict[str, list[str]]()
        self.note()

    def note(self) -> None:
        for name, token in self.subject.tokens().items():
            known = self.known.setdefault(name, [])
            if not known or known[-1] != token:
                known.append(token)

    def token(self, op: dict[str, Any]) -> str:
        """The token that a recorded call was made with."""
        known = self.known.get(op.get("step", ""), [])
        if op.get("stale") and (op["op"] == "gate" or op["step"] in self.subject.tokens() or not known):
            return known[-2] if len(known) > 1 else "made-up"
        return known[-1] if known else "made-up"

    def play(self, op: dict[str, Any], folder: Path) -> bool:
        """Makes a recorded call; False when it is refused."""
        if op["op"] == "write":
            write(folder, {op["path"]: op["content"]})
            return True
        taken = self.subject.call(op, self.token(op))
        self.note()
        return taken


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def expected(entry: dict[str, Any]) -> dict[str, Any]:
    """A recorded step entry, filled up with defaults and cut to what is compared."""
    shown: dict[str, Any] = {"iterations": 0, "epoch": 0, "spent": {}, "rounds": 0} | entry
    shown.pop("routed", None)
    if "failure" in shown:
        shown["failure"] = {key: shown["failure"][key] for key in ("attempt", "kind")}
    if "items" in shown:
        keys = ("status", "attempts", "output")
        shown["items"] = [{k: item[k] for k in keys if k in item} for item in shown["items"]]
    return shown


def difference(mine: dict[str, Any], want: dict[str, Any], steps: dict[str, Any]) -> str | None:
    """The first thing in which a run differs from a recorded snapshot, or None."""
    ready = [{key: one[key] for key in ("id", "attempt", "do")} for one in want["ready"]]
    wanted = {"carry": {}, "spent": {}} | want | {"ready": ready}
    wanted["steps"] = {name: expected(entry) for name, entry in steps.items()}
    for key, seen in mine.items():
        if key == "steps":
            for name in {**seen, **wanted[key]}:
                if not equal(seen.get(name, ABSENT), wanted[key].get(name, ABSENT)):
                    return f"{name}: {seen.get(name)}, must be {wanted[key].get(name)}"
        elif not equal(seen, wanted[key]):
            return f"{key}: {seen}, must be {wanted[key]}"
    return None


def case_difference(case: dict[str, Any], make: Callable[[], Subject]) -> str | None:
    """Plays a whole recorded case; what went differently first, or None."""
    with tempfile.TemporaryDirectory() as name:
        folder, subject = Path(name), make()
        write(folder, case.get("files", {}))
        started = subject.start(case["spec"], case["input"], folder if "files" in case else None)
        if not started or "error" in case["expect"]["start"]:
            return None if started != ("error" in case["expect"]["start"]) else f"started: {started}"
        return _played(case, Player(subject), folder)


def _played(case: dict[str, Any], player: Player, folder: Path) -> str | None:
    expect, steps = case["expect"], dict[str, Any]()
    for number, want in enumerate([expect["start"], *expect["after"]]):
        taken = number == 0 or player.play(case["script"][number - 1], folder)
        if taken == ("error" in want):
            return f"after op {number}: {'accepted' if taken else 'refused'}"
        if not taken:
            continue
        for step, shown in want["steps"].items():
            steps.pop(step, None) if shown is None else steps.update({step: shown})
        found = difference(player.subject.view(), want, steps)
        if found:
            return f"after op {number}: {found}"
    output, final = player.subject.output(), expect.get("final")
    if final is not None and not equal(output, final.get("output", ABSENT)):
        return f"final output {output}, must be {final.get('output')}"
    return None
