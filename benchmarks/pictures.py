"""How long a picture of a large workflow takes as a whole process: 3 seconds are promised for 200 states."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import Bound, Command, Group

STRATUMC = str(Path(sys.executable).parent / "stratumc")
SIZES = (100, 200)


def machine(states: int) -> str:
    """A workflow whose states lead on, back, and now and then far away; the same at every run."""
    pick = random.Random(3)
    names = [f"state-{number}" for number in range(states)]
    made: dict[str, Any] = {}
    for number, name in enumerate(names):
        transitions: list[dict[str, Any]] = [
            {"event": "next", "target": names[(number + 1) % states]},
            {"event": "back", "target": names[max(0, number - pick.randint(1, 5))]},
        ]
        if number % 7 == 0:
            transitions.append({"event": "jump", "target": pick.choice(names), "judgment": True})
        made[name] = {"description": f"What is done in {name}.", "transitions": transitions}
    paused = {"event": "paused", "target": names[0], "except": [names[0]]}
    document = {"name": "large", "initial_state": names[0], "states": made, "global_transitions": [paused]}
    return json.dumps(document)


def prepare(folder: Path) -> None:
    """Writes the inputs."""
    for size in SIZES:
        (folder / f"machine-{size}.json").write_text(machine(size), "utf-8")


def groups() -> list[Group]:
    """What is measured: the text alone, and a drawing."""
    commands = [
        Command(f"{form}, {size} states", (STRATUMC, "diagram", f"machine-{size}.json", "--format", form))
        for form in ("mermaid", "svg")
        for size in SIZES
    ]
    small, large = (f"svg, {size} states" for size in SIZES)
    return [Group("Pictures of a workflow", tuple(commands), (Bound(large, small, 3, share=2),), rounds=3)]
