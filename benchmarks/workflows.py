"""`python -m benchmarks.workflows`: what the workflow engine costs beside the bare work it can't avoid."""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx

import stratumc

STATES, TRANSITIONS = 2000, 8000
ROUNDS = 200
DURABLE, CHECK, PATH = 2.0, 3.0, 2.0
"""How many times its bare work each call may cost."""


def small_workflow() -> dict[str, Any]:
    """Two states that lead to each other."""
    states = {
        "idle": {"transitions": [{"event": "go", "target": "busy", "action": "/work"}]},
        "busy": {"transitions": [{"event": "done", "target": "idle", "action": None}]},
    }
    return {"name": "small", "initial_state": "idle", "states": states}


def large_workflow() -> dict[str, Any]:
    """A ring with random chords: every state can be reached from every other; the same at every run."""
    pick = random.Random(11)
    names = [f"s{number}" for number in range(STATES)]
    states: dict[str, Any] = {name: {"transitions": []} for name in names}
    for number, name in enumerate(names):
        targets = [
            names[(number + 1) % STATES],
            *(pick.choice(names) for _ in range(TRANSITIONS // STATES - 1)),
        ]
        states[name]["transitions"] = [
            {"event": f"e{order}", "target": target, "action": None} for order, target in enumerate(targets)
        ]
    return {"name": "large", "initial_state": "s0", "states": states}


def project(folder: Path, workflow: dict[str, Any]) -> Path:
    """A project's folder with its workflow file."""
    (folder / ".forge").mkdir(parents=True)
    (folder / ".forge" / "workflow.json").write_text(json.dumps(workflow), "utf-8")
    return folder


def bare_writes(folder: Path) -> Callable[[], None]:
    """The two flushed writes of a transition: a line appended; a file replaced, its folder flushed."""
    log, state = folder / "bare.jsonl", folder / "bare.json"
    line = json.dumps({"seq": 1, "from": "idle", "event": "go", "to": "busy", "digest": "0" * 64}) + "\n"
    text = json.dumps({"workflow_state": "busy", "previous_workflow_state": "idle"})

    def write() -> None:
        with open(log, "ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        scratch = folder / "bare.tmp"
        with open(scratch, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, state)
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)

    return write


def transitions(folder: Path) -> Callable[[], None]:
    """Durable transitions of a two-state workflow, back and forth."""
    engine = stratumc.create_engine(project(folder, small_workflow()))
    events = ["go", "done"]

    def move() -> None:
        answer = engine.transition(events[0])
        assert "error" not in answer, answer
        events.reverse()

    return move


def checks(folder: Path) -> tuple[Callable[[], None], Callable[[], None]]:
    """`flow_check`, and reading and parsing the state file alone."""
    engine = stratumc.create_engine(folder)
    path = folder / ".forge" / "dev-state.json"

    def check() -> None:
        assert engine.check()["options"]

    def read() -> None:
        with open(path, "rb") as file:
            json.loads(file.read())

    return check, read


def paths(folder: Path) -> tuple[Callable[[], None], Callable[[], None]]:
    """A shortest path through the large workflow, by the engine and by networkx."""
    workflow = large_workflow()
    engine = stratumc.create_engine(project(folder, workflow))
    graph: networkx.DiGraph[str] = networkx.DiGraph(
        (name, transition["target"])
        for name, state in workflow["states"].items()
        for transition in state["transitions"]
    )
    pick = random.Random(5)
    pairs = [tuple(pick.sample(list(graph), 2)) for _ in range(50)]
    turn = [0, 0]

    def explain() -> None:
        turn[0] += 1
        start, goal = pairs[turn[0] % len(pairs)]
        assert engine.explain(from_=start, to=goal)["path"]

    def search() -> None:
        turn[1] += 1
        start, goal = pairs[turn[1] % len(pairs)]
        assert networkx.bidirectional_shortest_path(graph, start, goal)

    return explain, search


def timed(work: Callable[[], None]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(title: str, ours: Callable[[], None], bare: Callable[[], None], at_most: float) -> bool:
    """Times both in turn, prints the medians and the ratio; whether the bound is met."""
    ours()
    bare()
    times = [(timed(ours), timed(bare)) for _ in range(ROUNDS)]
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = mine / theirs
    verdict = "met" if ratio <= at_most else "**not met**"
    print(f"| {title} | {mine * 1e6:.0f} us | {theirs * 1e6:.0f} us | {ratio:.2f} | {at_most:g}: {verdict} |")
    return bool(ratio <= at_most)


def main() -> int:
    """Prints a table; the exit status is 1 when a bound isn't met."""
    print("## Calls of the workflow engine\n")
    print("| call | ours | bare | ratio | at most |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = folder / "small"
        met = [compare("durable transition", transitions(small), bare_writes(folder), DURABLE)]
        met.append(compare("check", *checks(small), CHECK))
        met.append(compare(f"path, {STATES:,} states", *paths(folder / "large"), PATH))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
