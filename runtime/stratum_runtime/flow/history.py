"""What the audit trail says of each step: its attempts, those reset or reverted since, the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stratum_runtime.configuration import STATE
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell

Entry = dict[str, Any]


class History:
    """The audit trail, folded by step."""

    def __init__(self, trail: Sequence[Entry]) -> None:
        self.attempts: dict[str, list[Entry]] = {}
        """By step id, those that count: not reset or reverted since."""
        self.archived: list[Entry] = []
        self.rounds: list[Entry] = []
        self._kept: dict[str, dict[str, list[Entry]]] = {}
        for call in trail:
            if call.get("call") == "commit":
                self._kept[call["label"]] = {step: list(found) for step, found in self.attempts.items()}
            decision: Entry = {}
            for event in call["events"]:
                if event["event"] == "gate_resolved":
                    decision = event
                self._add(event, decision)

    def _add(self, event: Entry, decision: Entry) -> None:
        match event["event"]:
            case "attempt" | "gate_resolved":
                shown = {name: value for name, value in event.items() if name not in ("event", "step_id")}
                self.attempts.setdefault(event["step_id"], []).append(shown)
            case "reset":
                self._reset(event["steps"])
                names = ("rationale", "resolved_by", "channel", "at")
                made = {name: decision.get(name) for name in names}
                number = len(self.rounds) + 1
                self.rounds.append(
                    {"round": number, "gate": event["step_id"], **made, "steps_reset": event["steps"]}
                )
            case "reverted":
                self._revert(event["label"])
            case _:
                return

    def _reset(self, steps: list[str]) -> None:
        gone = [
            step
            for step in self.attempts
            if step in steps or any(step.startswith(f"{one}/") for one in steps)
        ]
        for step in gone:
            self._archive(step, self.attempts.pop(step), "reset")

    def _revert(self, label: str) -> None:
        kept = self._kept.get(label, {})
        for step, found in self.attempts.items():
            since = (
                found[len(kept.get(step, ())) :]
                if found[: len(kept.get(step, ()))] == kept.get(step)
                else found
            )
            if since:
                self._archive(step, since, "reverted")
        self.attempts = {step: list(found) for step, found in kept.items()}

    def _archive(self, step: str, attempts: list[Entry], why: str) -> None:
        self.archived.append(
            {"step_id": step, "round": len(self.rounds), "because": why, "attempts": attempts}
        )


def history_of(run: Run) -> History:
    """The whole trail of a run; costs as much as it is long."""
    return History(run.source.trail())


def trace_of(run: Run) -> list[Entry]:
    """What was done in each step of the entry flow that is not still pending, in declaration order."""
    return trace(run, history_of(run), ())


def trace(run: Run, history: History, scope: tuple[int, ...]) -> list[Entry]:
    """The same for the entry flow or a subflow."""
    list(run.rows.below(""))
    machine = run.machine
    if scope:
        step = machine.regions[scope[0]].step
        assert step is not None
        machine = run.table.machines[step["machine"]]
    places = [run.place(scope, region) for region in range(machine.control)]
    return [
        _step(run, history, place) for place in places if place.id in history.attempts or _moved(run, place)
    ]


def _moved(run: Run, place: Place) -> bool:
    return stored_cell(run.row(place))[STATE] != 0


def status_of(run: Run, place: Place) -> str:
    """The state of a step by name."""
    return place.machine.regions[place.region].names[stored_cell(run.row(place))[STATE]]


def _step(run: Run, history: History, place: Place) -> Entry:
    found = history.attempts.get(place.id, [])
    entry: Entry = {
        "step_id": place.id,
        "function_name": place.function,
        "type": place.step["construct"],
        "status": status_of(run, place),
        "round": found[-1]["round"] if found else run.header["rounds"],
        "attempts": found,
        "duration_ms": _duration(found),
    }
    count = run.row(place).get("count")
    if count is not None:
        items = [run.place((place.region, number), 0) for number in range(count)]
        entry["items"] = [
            {"step_id": item.id, "attempts": history.attempts.get(item.id, [])} for item in items
        ]
    return entry


def _duration(attempts: list[Entry]) -> float:
    spans: list[float] = [max(0.0, one["at"] - one["issued"]) for one in attempts if "issued" in one]
    return round(sum(spans) * 1000, 3)
