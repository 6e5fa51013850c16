"""What a row of a table says, in the words of its source: names and texts for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stratum_runtime import Table
from stratumc.graph.step_sets import ranges_of


@dataclass(frozen=True, slots=True)
class RowWords:
    """One row, spelled out."""

    machine: str
    region: str
    state: str
    event: str
    guards: tuple[str, ...]
    target: str
    effects: tuple[str, ...]
    source: int
    path: str
    given_by: str | None
    """Of a workflow's row: `state`, `global`, or the fragment that gave it."""


def row_words(table: Table) -> tuple[RowWords, ...]:
    """Every row of a table, in order."""
    return tuple(_words(table, machine, row) for machine in table.data["machines"] for row in machine["rows"])


def _words(table: Table, machine: dict[str, Any], row: Sequence[Any]) -> RowWords:
    region, state, event, guards, target, effects, origin = row
    home = machine["regions"][region]
    names = table.data["pools"]["states"][home["states"]]["names"]
    return RowWords(
        machine["name"],
        home["name"],
        names[state],
        event,
        tuple(_call(table, machine, names, guard) for guard in guards),
        names[target],
        tuple(_call(table, machine, names, effect) for effect in effects),
        origin[0],
        origin[1],
        origin[2] if len(origin) > 2 else None,
    )


def _call(table: Table, machine: dict[str, Any], names: Sequence[str], call: Sequence[Any]) -> str:
    """A guard or an effect with its arguments as a person would write them."""
    name, arguments = call[0], call[1:]
    regions = [region["name"] for region in machine["regions"]]
    match name:
        case "deps":
            forgiven = [f"{regions[one]}?" if one in arguments[1] else regions[one] for one in arguments[0]]
            return f"deps({', '.join(forgiven)})"
        case "unrouted":
            return f"unrouted({', '.join(regions[one] for one in arguments[0])})"
        case "when" | "unless":
            return f"{name}({table.expressions[arguments[0]]['text']})"
        case "condition":
            return str(table.conditions[arguments[0]]["text"])
        case "renders" | "spreads":
            return str(name) if name == "renders" else f"spreads({table.templates[arguments[0]]['text']})"
        case "issue" | "enters":
            return str(name)
        case "previous":
            return f"previous({names[arguments[0]]})"
        case "route":
            return f"route({regions[arguments[0]]})"
        case "reset" | "skip_region":
            return f"{name}({', '.join(_ranges(regions, arguments[0]))})"
        case "carries" | "write_carry":
            return f"{name}({', '.join(_carry(table, machine, one) for one in arguments[0])})"
        case "enter":
            return f"enter({table.data['machines'][arguments[0]]['name']})"
    told = ", ".join("-" if argument is None else str(argument) for argument in arguments)
    return f"{name}({told})" if arguments else str(name)


def _ranges(regions: Sequence[str], members: Sequence[int] | str) -> list[str]:
    """A set of regions, runs of three and more shortened."""
    told = []
    if isinstance(members, str):
        runs = tuple(ranges_of(int(members, 16)))
    else:
        runs = tuple(zip(members[::2], members[1::2], strict=True))
    for first, stop in runs:
        if stop - first > 2:
            told.append(f"{regions[first]} to {regions[stop - 1]}")
        else:
            told += regions[first:stop]
    return told


def _carry(table: Table, machine: dict[str, Any], write: Sequence[int]) -> str:
    variable, template = write
    return f"{machine['data']['carry'][variable]['name']} = {table.templates[template]['text']}"
