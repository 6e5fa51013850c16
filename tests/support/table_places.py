"""How damage finds its way about in a table's JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Data = dict[str, Any]


def rows(data: Data) -> Iterator[list[Any]]:
    for machine in data["machines"]:
        yield from machine["rows"]


def calls(data: Data, part: int, *names: str) -> Iterator[list[Any]]:
    """Guards (part 3) or effects (part 5) of those names, or all."""
    for row in rows(data):
        yield from (call for call in row[part] if not names or call[0] in names)


def records(data: Data, *constructs: str) -> Iterator[Data]:
    for machine in data["machines"]:
        for region in machine["regions"]:
            step = region["step"]
            if step is not None and (not constructs or step["construct"] in constructs):
                yield step


def first(items: Iterator[Any], change: Callable[[Any], object]) -> bool:
    """Changes the first of some items, if there is one."""
    for item in items:
        change(item)
        return True
    return False


def busiest(data: Data) -> Data:
    """The machine with most rows."""
    machine: Data = max(data["machines"], key=lambda one: len(one["rows"]))
    return machine
