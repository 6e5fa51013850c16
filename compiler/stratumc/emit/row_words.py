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
    spellers = [_Speller(table, machine) for machine in table.data["machines"]]
    return tuple(speller.words(row) for speller in spellers for row in speller.machine["rows"])


class _Speller:
    """Spells out the rows of one machine."""

    def __init__(self, table: Table, machine: dict[str, Any]) -> None:
        self.table = table
        self.machine = machine
        self.regions = [region["name"] for region in machine["regions"]]
        self.carry = [variable["name"] for variable in machine["data"].get("carry", ())]

    def words(self, row: Sequence[Any]) -> RowWords:
        """One row."""
        region, state, event, guards, target, effects, origin = row
        states = self.table.data["pools"]["states"][self.machine["regions"][region]["states"]]["names"]
        return RowWords(
            self.machine["name"],
            self.regions[region],
            states[state],
            event,
            tuple(self.call(states, guard) for guard in guards),
            states[target],
            tuple(self.call(states, effect) for effect in effects),
            origin[0],
            origin[1],
            origin[2] if len(origin) > 2 else None,
        )

    def call(self, states: Sequence[str], call: Sequence[Any]) -> str:
        """A guard or an effect with its arguments as a person would write them."""
        name, arguments = call[0], call[1:]
        table, regions = self.table, self.regions
        match name:
            case "deps":
                told = [f"{regions[one]}?" if one in arguments[1] else regions[one] for one in arguments[0]]
                return f"deps({', '.join(told)})"
            case "unrouted":
                return f"unrouted({', '.join(regions[one] for one in arguments[0])})"
            case "when" | "unless":
                return f"{name}({table.expressions[arguments[0]]['text']})"
            case "condition":
                return str(table.conditions[arguments[0]]["text"])
            case "spreads":
                return f"spreads({table.templates[arguments[0]]['text']})"
            case "renders" | "issue" | "enters":
                return str(name)
            case "previous":
                return f"previous({states[arguments[0]]})"
            case "route":
                return f"route({regions[arguments[0]]})"
            case "reset" | "skip_region":
                return f"{name}({', '.join(_ranges(regions, arguments[0]))})"
            case "carries" | "write_carry":
                return f"{name}({', '.join(map(self.write, arguments[0]))})"
            case "enter":
                return f"enter({table.data['machines'][arguments[0]]['name']})"
        texts = ", ".join("-" if argument is None else str(argument) for argument in arguments)
        return f"{name}({texts})" if arguments else str(name)

    def write(self, write: Sequence[int]) -> str:
        """A carry variable and what is written to it."""
        variable, template = write
        return f"{self.carry[variable]} = {self.table.templates[template]['text']}"


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
