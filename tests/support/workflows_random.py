"""Random small workflows with resumption, and an independent replay of paths on them."""

from __future__ import annotations

import random
from typing import Any

Json = dict[str, Any]
STATES = "abcde"


def workflow(pick: random.Random) -> Json:
    """A workflow over some of five states that keeps all rules; triggers are ones that can fire."""
    names = list(STATES[: pick.randint(2, 5)])
    resumption = {name: pick.choice(names) for name in names if pick.random() < 0.6} or {names[0]: names[0]}
    states: Json = {}
    for name in names:
        events = pick.sample("xyz", pick.randint(0, 3))
        transitions = [{"event": event, "target": pick.choice([*names, None])} for event in events]
        triggers = [{"condition": "task.n > 1", "target": pick.choice(names)}] if pick.random() < 0.3 else []
        states[name] = {"transitions": transitions, "triggers": triggers}
    made: Json = {"name": "w", "initial_state": names[0], "states": states, "resumption_targets": resumption}
    if pick.random() < 0.3:
        made["global_transitions"] = [
            {"event": pick.choice("xyzg"), "target": pick.choice(names), "except": pick.sample(names, 1)}
        ]
    return made


def moves(document: Json, state: str, previous: str | None) -> list[tuple[str, str]]:
    """What leads out of a state: how, and where to (workflow.md sections 1 and 4)."""
    own = document["states"][state]
    found = [(f"[{one['condition']}]", one["target"]) for one in own.get("triggers", ())]
    events = {one["event"]: one["target"] for one in own.get("transitions", ())}
    for one in document.get("global_transitions", ()):
        if state not in one["except"]:
            events.setdefault(one["event"], one["target"])
    for event, target in events.items():
        enters = document["resumption_targets"].get(previous) if target is None else target
        if enters is not None:
            found.append((event, enters))
    return found


def situations(document: Json) -> set[tuple[str, str | None]]:
    """Every state with every state before it that a project can come to."""
    waiting: list[tuple[str, str | None]] = [(document["initial_state"], None)]
    seen = set(waiting)
    while waiting:
        state, previous = waiting.pop()
        for _, target in moves(document, state, previous):
            if (target, state) not in seen:
                seen.add((target, state))
                waiting.append((target, state))
    return seen


def replay(document: Json, hops: list[dict[str, str]]) -> bool:
    """Whether a project can take the hops from some situation that it can come to."""
    begins = [one for one in situations(document) if one[0] == hops[0]["from"]]
    return any(_takes(document, begin, hops) for begin in begins)


def _takes(document: Json, begin: tuple[str, str | None], hops: list[dict[str, str]]) -> bool:
    state, previous = begin
    for hop in hops:
        if hop["from"] != state or (hop["by"], hop["to"]) not in moves(document, state, previous):
            return False
        state, previous = hop["to"], state
    return True


def must_pass(document: Json, start: str, goal: str, gate: str) -> bool:
    """Whether every path enters the gate; by trying all."""
    if gate in (start, goal):
        return True
    waiting = [one for one in situations(document) if one[0] == start] or [(start, None)]
    seen = set(waiting)
    while waiting:
        state, previous = waiting.pop()
        for _, target in moves(document, state, previous):
            if target == goal:
                return False
            if target != gate and (target, state) not in seen:
                seen.add((target, state))
                waiting.append((target, state))
    return True
