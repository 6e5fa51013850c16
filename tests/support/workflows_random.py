"""Random small workflows with resumption, and an independent replay of paths on them."""

from __future__ import annotations

import json
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


def comes(document: Json, start: str, goal: str) -> bool:
    """Whether a project that is in a state, or is put there, can come to another by one hop at least."""
    waiting = [one for one in situations(document) if one[0] == start] or [(start, None)]
    seen = set(waiting)
    while waiting:
        state, previous = waiting.pop()
        for _, target in moves(document, state, previous):
            if target == goal:
                return True
            if (target, state) not in seen:
                seen.add((target, state))
                waiting.append((target, state))
    return False


_CONDITIONS = (
    "task.n > 1",
    "task.n >= thresholds.low",
    "task.n < thresholds.low",
    "task.n >= thresholds.high",
    "x_counters.k >= thresholds.high",
    "x_counters.k == thresholds.low",
    "x_counters.k < 0",
    "always",
    "always",
)


def busy_workflow(pick: random.Random) -> Json:
    """One with thresholds, judgments, and several triggers to a state, some of which never fire first;
    every other one has a state that is never left.
    """
    made = workflow(pick)
    names = list(made["states"])
    for state in made["states"].values():
        state["triggers"] = [
            {"condition": pick.choice(_CONDITIONS), "target": pick.choice(names)}
            for _ in range(pick.choice((0, 0, 1, 2, 3)))
        ]
        for transition in state["transitions"]:
            transition["judgment"] = pick.random() < 0.3
    if pick.random() < 0.5:
        made["states"][names[-1]] = {"transitions": [], "triggers": []}
        for one in made.get("global_transitions", ()):
            one["except"] = [names[-1]]
    return {**made, "thresholds": {"low": pick.randint(0, 3), "high": pick.randint(2, 5)}}


def edited(pick: random.Random, document: Json) -> Json:
    """The same workflow after one to three edits of the kinds that a reviewer meets."""
    made: Json = json.loads(json.dumps(document))
    for _ in range(pick.randint(1, 3)):
        pick.choice(_EDITS)(pick, made)
    return made


def _edit_resumption(pick: random.Random, made: Json) -> None:
    targets = made["resumption_targets"]
    name = pick.choice(list(made["states"]))
    if name in targets and len(targets) > 1 and pick.random() < 0.6:
        del targets[name]
    else:
        targets[name] = pick.choice(list(made["states"]))


def _edit_threshold(pick: random.Random, made: Json) -> None:
    made["thresholds"][pick.choice(("low", "high"))] = pick.randint(0, 5)


def _edit_trigger(pick: random.Random, made: Json) -> None:
    state = made["states"][pick.choice(list(made["states"]))]
    new = {"condition": pick.choice(_CONDITIONS), "target": pick.choice(list(made["states"]))}
    if state["triggers"] and pick.random() < 0.5:
        state["triggers"].pop(pick.randrange(len(state["triggers"])))
    else:
        state["triggers"].insert(pick.randint(0, len(state["triggers"])), new)


def _edit_globals(pick: random.Random, made: Json) -> None:
    names = list(made["states"])
    new = {"event": pick.choice("xyzg"), "target": pick.choice(names)}
    kept = made.get("global_transitions") or [{**new, "except": []}]
    made["global_transitions"] = [
        {**kept[0], "except": pick.sample(names, pick.randint(0, len(names) - 1))},
        *kept[1:],
    ]


def _edit_event(pick: random.Random, made: Json) -> None:
    state = made["states"][pick.choice(list(made["states"]))]
    for transition in state["transitions"][:1]:
        if pick.random() < 0.5:
            transition["judgment"] = not transition.get("judgment")
        else:
            transition["target"] = pick.choice([*made["states"], None])
            state["transitions"] = state["transitions"][: pick.randint(0, 3)]


def _edit_shadow(pick: random.Random, made: Json) -> None:
    """Gives a state an event of its own, which may be one that all states have."""
    state = made["states"][pick.choice(list(made["states"]))]
    events = sorted(frozenset("xyzg") - {one["event"] for one in state["transitions"]})
    if events:
        target = pick.choice([*made["states"], None])
        state["transitions"].append({"event": pick.choice(events), "target": target})


def _edit_start(pick: random.Random, made: Json) -> None:
    made["initial_state"] = pick.choice(list(made["states"]))


def _edit_states(pick: random.Random, made: Json) -> None:
    """Takes a state away, with everything that names it."""
    gone = pick.choice(list(made["states"]))
    if gone == made["initial_state"] or len(made["states"]) == 1:
        return
    del made["states"][gone]
    for state in made["states"].values():
        for ways in ("transitions", "triggers"):
            state[ways] = [one for one in state[ways] if one["target"] != gone]
    first = made["initial_state"]
    targets = made["resumption_targets"]
    made["resumption_targets"] = {
        name: target for name, target in targets.items() if gone not in (name, target)
    } or {first: first}
    made["global_transitions"] = [
        {**one, "except": [name for name in one["except"] if name != gone]}
        for one in made.get("global_transitions", ())
        if one["target"] != gone
    ]


_EDITS = (
    _edit_resumption,
    _edit_threshold,
    _edit_trigger,
    _edit_globals,
    _edit_event,
    _edit_shadow,
    _edit_start,
    _edit_states,
)
