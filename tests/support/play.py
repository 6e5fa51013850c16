"""Drives runs through the core by the ids of their steps, with a host of fixed answers."""

from __future__ import annotations

from typing import Any

from stratum_runtime import Event, Fired, Host, Refused, Table, initial, start, step
from stratum_runtime.configuration import RunConfiguration


def fired(outcome: Fired | Refused) -> Fired:
    assert isinstance(outcome, Fired), outcome
    return outcome


class Play:
    """A run driven by hand, by step ids."""

    def __init__(self, table: Table, host: Host | None = None) -> None:
        self.table = table
        self.host = host
        configuration = initial(table)
        assert isinstance(configuration, RunConfiguration)
        self.run: RunConfiguration = configuration
        self.told: list[str] = []
        self._take(start(table, configuration, host))

    def _take(self, outcome: Fired | Refused) -> Fired:
        taken = fired(outcome)
        assert isinstance(taken.configuration, RunConfiguration)
        self.run = taken.configuration
        self.told = [name for _, name, _ in taken.effects]
        return taken

    def address(self, name: str) -> tuple[int, ...]:
        """`step`, `parent/child`, or `fan/0`."""
        first, _, below = name.partition("/")
        names = [region.name for region in self.run.machine.regions]
        region = names.index(first)
        if not below:
            return (region,)
        if below.isdigit():
            return (region, int(below), 0)
        child = self.run.child(region)
        return (region, 0, [one.name for one in child.machine.regions].index(below))

    def send(self, event: str, name: str, verdict: str | None = None, *, fresh: bool = True) -> Fired:
        return self._take(
            step(self.table, self.run, Event(event, self.address(name), verdict, fresh=fresh), self.host)
        )

    def refuse(self, event: str, name: str, verdict: str | None = None) -> Refused:
        outcome = step(self.table, self.run, Event(event, self.address(name), verdict), self.host)
        assert isinstance(outcome, Refused)
        return outcome

    def done(self, name: str) -> Fired:
        return self.send("result", name, "accepted")

    def fail(self, name: str, *, fresh: bool = True) -> Fired:
        return self.send("result", name, "rejected", fresh=fresh)

    @property
    def states(self) -> dict[str, str]:
        return {
            region.name: self.run.state_name(number)
            for number, region in enumerate(self.run.machine.regions)
            if number < self.run.machine.control
        }


class Answers(Host):
    """A host that gives fixed answers to some guards, by name and region."""

    def __init__(self, items: int = 0, **answers: Any) -> None:
        self.items = items
        self.answers = answers
        self.performed: list[tuple[tuple[int, ...], str]] = []

    def holds(self, scope: tuple[int, ...], region: int, guard: str, arguments: tuple[Any, ...]) -> bool:
        answer = self.answers.get(guard)
        if callable(answer):
            return bool(answer((*scope, region), *arguments))
        return super().holds(scope, region, guard, arguments) if answer is None else answer

    def perform(self, scope: tuple[int, ...], region: int, effect: str, arguments: tuple[Any, ...]) -> int:
        self.performed.append(((*scope, region), effect))
        return self.items
