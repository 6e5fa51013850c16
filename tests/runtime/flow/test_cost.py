"""What a call reads and writes does not grow with the length of the run (runs.md section 8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from stratum_runtime.store import MemoryStore, RunWriter
from support.flow_runs import Played, fanout, note


class Counted:
    """A transaction that counts what goes through it."""

    def __init__(self, run: RunWriter, store: CountingStore) -> None:
        self._run, self._store = run, store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._run, name)

        def counted(*arguments: Any) -> Any:
            self._store.calls.append(name)
            self._store.characters += len(str(arguments))
            return method(*arguments)

        return counted


class CountingStore(MemoryStore):
    """A store that counts the rows and characters of its transactions."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.characters = 0

    @contextmanager
    def write(self, flow_id: str, *, create: bool = False) -> Iterator[RunWriter]:
        with super().write(flow_id, create=create) as run:
            yield Counted(run, self)


def chain(length: int) -> list[dict[str, Any]]:
    steps = [note("s0")]
    for number in range(1, length):
        steps.append(
            note(
                f"s{number}",
                do=f"after ${{s{number - 1}.output.text}}",
                when=f"result.s{number - 1}.text == 'x'",
            )
        )
    return steps


def cost_in_the_middle(length: int) -> tuple[int, int]:
    """Rows and characters of the report in the middle of a chain."""
    store = CountingStore()
    run = Played(*chain(length), output=f"s{length - 1}", store=store)
    for number in range(length // 2):
        run.done(f"s{number}")
    store.calls.clear()
    store.characters = 0
    run.done(f"s{length // 2}")
    return len(store.calls), store.characters


def test_a_report_costs_the_same_in_a_long_chain() -> None:
    short, long = cost_in_the_middle(10), cost_in_the_middle(300)
    assert long[0] == short[0] < 15
    assert long[1] < short[1] * 1.2


@pytest.mark.parametrize("count", [5, 200])
def test_a_report_on_an_item_costs_the_same_among_many(count: int) -> None:
    store = CountingStore()
    stage = {"do": "do ${item}", "out": "Note"}
    run = Played(
        fanout("fan", stage, concurrency=2),
        note("last", after=["fan"]),
        inputs={"xs": ["i"] * count},
        store=store,
    )
    run.done("fan/0")
    store.calls.clear()
    run.done("fan/1")
    assert len(store.calls) < 18
