"""`python -m benchmarks.flows`: what a durable report costs in short and long runs, beside a bare commit."""

from __future__ import annotations

import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import stratumc
from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import SqliteStore
from stratum_runtime.table import Table

LENGTHS = (10, 100, 1000)
ROUNDS = 300
OPEN_RUNS = 1000
FLAT = 1.5
"""How much more a report may cost in the longest chain than in the shortest."""
NEAR_BARE = 2.0
"""How much more it may cost than a bare commit of the bytes that it writes."""


def chain(length: int) -> Table:
    """The table of a chain in which each step reads the one before."""
    steps: list[dict[str, Any]] = [{"id": "s0", "do": "start with ${input.topic}", "out": "Note"}]
    for number in range(1, length):
        task = f"go on from ${{s{number - 1}.output.text}}"
        ensure = [{"expr": "len(result.text) > 0"}]
        steps.append({"id": f"s{number}", "do": task, "out": "Note", "ensure": ensure})
    output = {"from": f"${{s{length - 1}.output}}", "contract": "Note"}
    flow = {"input": {"topic": "string"}, "output": output, "steps": steps}
    flows = {"entry": "main", "main": flow}
    spec = {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": flows}
    table = stratumc.compile(
        json.dumps(spec), name="chain.stratum.json", kind="spec", families=("rule",)
    ).table
    assert table is not None
    return table


@dataclass
class Walker:
    """Reports one step after the other, never the last; then starts another run."""

    engine: FlowEngine
    table: Table
    length: int
    answer: dict[str, Any]
    left: int = 0

    def step(self) -> None:
        answer = self.engine.step_done(
            self.answer["flow_id"],
            self.answer["step_id"],
            result={"text": "what came out of it"},
            dispatch_token=self.answer["dispatch_token"],
        )
        assert answer["status"] == "execute_step", answer
        self.answer, self.left = answer, self.left - 1

    def prepare(self) -> None:
        """Plans the next run when this one is at its last step; not part of what is timed."""
        if self.left <= 1:
            self.answer = self.engine.plan(self.table, inputs={"topic": "tea"})
            self.left = self.length


def walker(path: Path, length: int) -> Walker:
    table = chain(length)
    made = Walker(FlowEngine(SqliteStore(path)), table, length, {})
    made.prepare()
    return made


def bytes_of_a_report(path: Path) -> int:
    """How many bytes of rows one report in the middle of a run writes."""
    walked = walker(path, 100)
    for _ in range(50):
        walked.step()
    store = sqlite3.connect(path)
    size = "select (select sum(length(value)) from rows) + (select sum(length(entry)) from trail)"
    before = store.execute(size).fetchone()[0]
    walked.step()
    header = store.execute("select length(header) from runs").fetchone()[0]
    return int(store.execute(size).fetchone()[0] - before + header)


def bare_commit(path: Path, size: int) -> Callable[[], None]:
    """One durable commit of a row of so many bytes."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table bare (number integer primary key, value blob)")
    value = b"x" * size

    def commit() -> None:
        connection.execute("begin immediate")
        connection.execute("insert into bare (value) values (?)", (value,))
        connection.execute("commit")

    return commit


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    """Prints the medians and ratios; the exit status is 1 when a bound isn't met."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = bytes_of_a_report(folder / "size.sqlite")
        bare = bare_commit(folder / "bare.sqlite", size)
        walkers = {f"chain of {n:,}": walker(folder / f"{n}.sqlite", n) for n in LENGTHS}
        crowd = crowded(folder / "crowd.sqlite")
        times: dict[str, list[float]] = {"bare commit": [], **{key: [] for key in walkers}, "crowd": []}
        for number in range(ROUNDS):
            times["bare commit"].append(timed(bare))
            for key, walked in walkers.items():
                walked.prepare()
                times[key].append(timed(walked.step))
            times["crowd"].append(timed(crowd[number * 7 % OPEN_RUNS].step))
        return report(size, {key: statistics.median(found) for key, found in times.items()})


def crowded(path: Path) -> list[Walker]:
    """A thousand runs open at once in one store."""
    engine, table = FlowEngine(SqliteStore(path)), chain(10)
    runs = [Walker(engine, table, 10, {}) for _ in range(OPEN_RUNS)]
    for run in runs:
        run.prepare()
    return runs


def report(size: int, medians: dict[str, float]) -> int:
    """The table, then the bounds."""
    bare, shortest = medians["bare commit"], medians[f"chain of {LENGTHS[0]:,}"]
    print(f"## Reports, each one durable commit of about {size} bytes\n")
    print("| what | median | to a bare commit |\n|---|---|---|")
    for key, seconds in medians.items():
        told = f"{OPEN_RUNS:,} runs open" if key == "crowd" else key
        print(f"| {told} | {seconds * 1e6:.0f} us | {seconds / bare:.2f} |")
    longest = medians[f"chain of {LENGTHS[-1]:,}"]
    bounds = (
        ("longest chain / shortest chain", longest / shortest, FLAT),
        ("longest chain / bare commit", longest / bare, NEAR_BARE),
        (f"{OPEN_RUNS:,} runs open / one run", medians["crowd"] / shortest, FLAT),
    )
    print()
    for what, ratio, at_most in bounds:
        verdict = "met" if ratio <= at_most else "**not met**"
        print(f"- {what}: {ratio:.2f}, at most {at_most:g}: {verdict}")
    return 0 if all(ratio <= at_most for _, ratio, at_most in bounds) else 1


if __name__ == "__main__":
    sys.exit(main())
