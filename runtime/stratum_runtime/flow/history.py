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
        self._round = 0
        """Of the entry flow."""
        self._kept: dict[str, tuple[int, dict[str, list[Entry]]]] = {}
        for call in trail:
            if call.get("call") == "commit":
                attempts = {step: list(found) for step, found in self.attempts.items()}
                self._kept[call["label"]] = (self._round, attempts)
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
                self._reset(event, decision)
            case "reverted":
                self._revert(event["label"])
            case _:
                return

    def _reset(self, event: Entry, decision: Entry) -> None:
        gate, steps = event["step_id"], event["steps"]
        number = event["round"]
        gone = [
            step
            for step in self.attempts
            if step in steps or any(step.startswith(f"{one}/") for one in steps)
        ]
        for step in gone:
            self._archive(step, self.attempts.pop(step), "reset", number - 1 if _beside(step, gate) else None)
        made = {name: decision.get(name) for name in ("rationale", "resolved_by", "channel", "at")}
        made |= {"proposed": decision["proposed"]} if "proposed" in decision else {}
        self.rounds.append({"round": number, "gate": gate, **made, "steps_reset": steps})
        if "/" not in gate:
            self._round = number

    def _revert(self, label: str) -> None:
        back, kept = self._kept.get(label, (0, {}))
        for step, found in self.attempts.items():
            before = kept.get(step, [])
            since = found[len(before) :] if found[: len(before)] == before else found
            if since:
                self._archive(step, since, "reverted", None if "/" in step else self._round)
        self._round, self.attempts = back, {step: list(found) for step, found in kept.items()}

    def _archive(self, step: str, attempts: list[Entry], why: str, during: int | None) -> None:
        """`during` is the round of the step's flow; without one, that of the last attempt."""
        number = attempts[-1]["round"] if during is None else during
        self.archived.append({"step_id": step, "round": number, "because": why, "attempts": attempts})


def _beside(step: str, gate: str) -> bool:
    """Whether two steps are of the same flow."""
    return step.rpartition("/")[0] == gate.rpartition("/")[0]


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
        "round": found[-1]["round"] if found else run.rounds(place.scope),
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
