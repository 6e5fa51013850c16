"""`python -m benchmarks.steps`: one transition beside other libraries, and growth with the table."""

from __future__ import annotations

import json
import logging
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import stratumc
from stratum_runtime import Event, Fired, Table, initial, start, step

ROUNDS = 7
FASTER = {"transitions": 5, "python-statemachine": 40}
"""How many times faster than these a transition must be, in one run."""
AUTOMAT = 2.5
"""How many times as long as automat's it may take."""
GROWTH = 1.5
"""How many times as long as in the smallest table a step in a table a thousand times larger may take."""
IMPORT = 1.5
"""How many times as long as an empty process importing the runtime may take."""
RUNTIME = Path(__file__).parents[1] / "runtime"

Pair = Callable[[], object]
"""Goes to the other state and back."""


def main() -> int:
    """Prints three tables; the exit status is 1 when a bound isn't met."""
    checks = (*_peers(), *_growth(), _import())
    print()
    for text, met in checks:
        print(f"- {text}: {'met' if met else '**not met**'}")
    return 0 if all(met for _, met in checks) else 1


# --- one transition of a two-state workflow ---


def _peers() -> list[tuple[str, bool]]:
    pairs = {
        "stratum_runtime": _ours(ring(2)),
        "transitions": _transitions(),
        "python-statemachine": _python_statemachine(),
        "automat": _automat(),
    }
    times = {name: seconds / 2 for name, seconds in _medians(pairs).items()}
    ours = times["stratum_runtime"]
    print("## One transition of a two-state workflow\n\n| library | median | ratio |\n|---|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {seconds * 1e6:.2f} µs | {seconds / ours:.2f} |")
    checks = [
        (f"at least {factor} times faster than {name}", times[name] >= factor * ours)
        for name, factor in FASTER.items()
    ]
    return [*checks, (f"at most {AUTOMAT} times as long as automat", ours <= AUTOMAT * times["automat"])]


def ring(size: int) -> Table:
    """A workflow of `size` states; `next` leads round, `back` to the state before."""
    states = {
        f"s{number}": {
            "transitions": [
                {"event": "next", "target": f"s{(number + 1) % size}"},
                {"event": "back", "target": f"s{(number - 1) % size}"},
            ]
        }
        for number in range(size)
    }
    return compiled({"name": "ring", "initial_state": "s0", "states": states}, "workflow")


def compiled(content: dict[str, Any], kind: str) -> Table:
    """The table of some content."""
    table = stratumc.compile(
        json.dumps(content), name=f"bench.{kind}.json", kind=kind, families=("rule",)
    ).table
    assert table is not None
    return table


def _ours(table: Table) -> Pair:
    here = initial(table)

    def pair() -> object:
        there = step(table, here, "next")
        return step(table, there.configuration, "back")  # type: ignore[union-attr]

    return pair


def _transitions() -> Pair:
    from transitions import Machine

    class Model:
        pass

    model: Any = Model()
    arrows = [["next", "a", "b"], ["back", "b", "a"]]
    Machine(model, states=["a", "b"], transitions=arrows, initial="a")
    return lambda: (model.next(), model.back())


def _python_statemachine() -> Pair:
    from statemachine import State, StateMachine

    logging.getLogger("statemachine").setLevel(logging.ERROR)

    class Two(StateMachine):
        a = State(initial=True)
        b = State()
        next = a.to(b)
        back = b.to(a)

    two = Two()
    return lambda: (two.next(), two.back())


def _automat() -> Pair:
    from automat import TypeMachineBuilder

    class Inputs(Protocol):
        def next(self) -> None: ...
        def back(self) -> None: ...

    class Core:
        pass

    builder = TypeMachineBuilder(Inputs, Core)
    a, b = builder.state("a"), builder.state("b")
    a.upon(Inputs.next).to(b).returns(None)
    b.upon(Inputs.back).to(a).returns(None)
    machine = builder.build()(Core())

    def pair() -> object:
        machine.next()
        machine.back()
        return machine

    return pair


# --- growth ---


def _growth() -> list[tuple[str, bool]]:
    sizes = (10, 100, 1_000, 10_000)
    states = {f"{size} states": _ours(ring(size)) for size in sizes}
    steps = {f"{size} steps": _result(chain(size)) for size in (10, 100, 1_000, 3_000)}
    checks = []
    for title, pairs in (("A transition of a workflow", states), ("A result of a flow", steps)):
        times = _medians(pairs)
        smallest, largest = next(iter(times.values())), list(times.values())[-1]
        print(f"\n## {title}\n\n| size | median | ratio |\n|---|---|---|")
        for name, seconds in times.items():
            print(f"| {name} | {seconds * 1e6:.2f} µs | {seconds / smallest:.2f} |")
        text = f"{title.lower()} takes at most {GROWTH} times as long in the largest table"
        checks.append((text, largest <= GROWTH * smallest))
    return checks


def chain(size: int) -> Table:
    """A flow whose steps come one after the other."""
    steps = [
        {"id": f"s{number}", "do": "work", "out": "Note", **({"after": [f"s{number - 1}"]} if number else {})}
        for number in range(size)
    ]
    output = {"from": f"${{s{size - 1}.output}}", "contract": "Note"}
    flow = {"input": {}, "output": output, "steps": steps}
    content = {"version": 1, "contracts": {"Note": {"text": "string"}}, "flows": {"entry": "f", "f": flow}}
    return compiled(content, "spec")


def _result(table: Table) -> Pair:
    begun = start(table, initial(table))  # type: ignore[arg-type]
    assert isinstance(begun, Fired)
    event = Event("result", (0,), "accepted")
    return lambda: step(table, begun.configuration, event)


# --- importing ---


def _import() -> tuple[str, bool]:
    path = f"import sys; sys.path.insert(0, {str(RUNTIME)!r}); "
    programs = {"empty process": "", "import stratum_runtime": path + "import stratum_runtime"}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(20):
        for name, program in programs.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)
            times[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    empty, ours = medians.values()
    print("\n## Importing the runtime, `python -I -S`\n\n| process | median | ratio |\n|---|---|---|")
    for name, seconds in medians.items():
        print(f"| {name} | {seconds * 1e3:.1f} ms | {seconds / empty:.2f} |")
    return f"importing takes at most {IMPORT} times an empty process", ours <= IMPORT * empty


def _medians(pairs: dict[str, Pair]) -> dict[str, float]:
    """Seconds for one call of each, all in turn, round after round."""
    counts = {name: max(5, int(0.02 / _once(pair, 5))) for name, pair in pairs.items()}
    times: dict[str, list[float]] = {name: [] for name in pairs}
    for _ in range(ROUNDS):
        for name, pair in pairs.items():
            times[name].append(_once(pair, counts[name]))
    return {name: statistics.median(taken) for name, taken in times.items()}


def _once(pair: Pair, count: int) -> float:
    began = time.perf_counter()
    for _ in range(count):
        pair()
    return (time.perf_counter() - began) / count


if __name__ == "__main__":
    sys.exit(main())
