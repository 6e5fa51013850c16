"""Times whole processes side by side: all commands of a group in turn, round after round."""

from __future__ import annotations

import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Command:
    """A process to time. `statuses` are the exit statuses that mean it did its work."""

    name: str
    argv: tuple[str, ...]
    statuses: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Bound:
    """What the median of one command may be, as a multiple of another's (scaled by `share`)."""

    command: str
    other: str
    at_most: float
    share: float = 1.0
    """How much larger the first command's input is; its median is divided by that."""


@dataclass(frozen=True)
class Group:
    """Commands that are compared with each other, and what must hold of them."""

    title: str
    commands: tuple[Command, ...]
    bounds: tuple[Bound, ...]
    rounds: int


def measure(group: Group, folder: Path) -> dict[str, float]:
    """The median wall time of each command in seconds, after one round that isn't counted."""
    times: dict[str, list[float]] = {command.name: [] for command in group.commands}
    for number in range(group.rounds + 1):
        for command in group.commands:
            seconds = _time(command, folder)
            if number:
                times[command.name].append(seconds)
    return {name: statistics.median(values) for name, values in times.items()}


def _time(command: Command, folder: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(command.argv, cwd=folder, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in command.statuses:
        raise SystemExit(f"{' '.join(command.argv)}\n{done.stderr.decode()}")
    return seconds


def report(group: Group, medians: dict[str, float]) -> tuple[str, bool]:
    """The group as a Markdown table with its bounds below, and whether all are met."""
    base = next(iter(medians.values()))
    lines = [f"## {group.title}\n", "| command | median | ratio |", "|---|---|---|"]
    lines += [
        f"| {name} | {seconds * 1000:.1f} ms | {seconds / base:.2f} |" for name, seconds in medians.items()
    ]
    lines.append("")
    met = True
    for bound in group.bounds:
        ratio = medians[bound.command] / medians[bound.other] / bound.share
        met &= ratio <= bound.at_most
        lines.append(_sentence(bound, ratio))
    return "\n".join(lines) + "\n", met


def _sentence(bound: Bound, ratio: float) -> str:
    each = " for each step" if bound.share != 1.0 else ""
    verdict = "met" if ratio <= bound.at_most else "**not met**"
    return f"- {bound.command} / {bound.other}{each}: {ratio:.2f}, at most {bound.at_most:g}: {verdict}"
