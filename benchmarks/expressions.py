"""`python -m benchmarks.expressions`: a typical ensure beside cel-python, and the worst patterns admitted."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from stratum_runtime.expression import Value, prepare
from stratum_runtime.pattern import compile_pattern
from stratumc.expr import compile_text

EXPRESSION = "result.score >= 0.8 && result.label != ''"
BINDINGS = {"result": {"score": 0.93, "label": "good"}}
FASTER = 20
"""How many times faster than cel-python the compiled form must be, in one run."""
LONGEST_SEARCH = 0.25
"""Seconds that no search of 4,096 characters may take, for any admitted pattern."""

_HAN = "".join(chr(0x4E00 + number) for number in range(4096))
WORST = {
    "a+-": ("a+-" * 31 + "a+$", "a" * 4096),
    ".{1,50}-": (".{1,50}-" * 31, "ab" * 2048),
    "a{1,1000}b": ("a{1,1000}b" * 25, "a" * 4096),
    "(abcdefgh)*x": ("(abcdefgh)*x" * 20, "abcdefgh" * 512),
    "256 sets": (_HAN[:256], _HAN),
    "word edges": ("\\ba*\\B" * 30, "a " * 2048),
}


def main() -> int:
    """Prints both tables; the exit status is 1 when a bound isn't met."""
    ours, theirs = _in_turn(_ours(), _theirs())
    ratio = theirs / ours
    print(f"## A compiled ensure\n\n`{EXPRESSION}`\n\n| evaluator | median | ratio |\n|---|---|---|")
    print(
        f"| stratum_runtime | {ours * 1e6:.2f} µs | 1 |\n| cel-python | {theirs * 1e6:.2f} µs | {ratio:.0f} |"
    )
    print("\n## The worst admitted patterns on 4,096 characters\n\n| pattern | time |\n|---|---|")
    slowest = 0.0
    for name, (pattern, text) in WORST.items():
        start = time.perf_counter()
        compile_pattern(pattern).search(text)
        taken = time.perf_counter() - start
        slowest = max(slowest, taken)
        print(f"| `{name}` repeated | {taken * 1e3:.1f} ms |")
    met = ratio >= FASTER and slowest <= LONGEST_SEARCH
    print(f"\n- {FASTER} times faster, no search over {LONGEST_SEARCH} s: {'met' if met else '**not met**'}")
    return 0 if met else 1


def _ours() -> Callable[[], object]:
    program = prepare(compile_text(EXPRESSION))
    outcome = program.run(BINDINGS)
    assert isinstance(outcome, Value)
    assert outcome.value is True
    return lambda: program.run(BINDINGS)


def _theirs() -> Callable[[], object]:
    import celpy
    from celpy.adapter import json_to_cel

    environment = celpy.Environment()
    program = environment.program(environment.compile(EXPRESSION))
    activation = {name: json_to_cel(value) for name, value in BINDINGS.items()}
    assert program.evaluate(activation)
    return lambda: program.evaluate(activation)


def _in_turn(*tasks: Callable[[], object], rounds: int = 30, calls: int = 50) -> list[float]:
    """Median seconds of one call of each task, the tasks taking turns."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(rounds):
        for taken, task in zip(times, tasks, strict=True):
            start = time.perf_counter()
            for _ in range(calls):
                task()
            taken.append((time.perf_counter() - start) / calls)
    return [statistics.median(taken) for taken in times]


if __name__ == "__main__":
    sys.exit(main())
