"""The transition table: what it holds, as `step` looks it up (docs/table-format.md)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from stratum_runtime.expression import Program


class Row:
    """In `region`, from `state`, on `event`, if all `guards` hold, go to `target` and do `effects`.

    Guards and effects are tuples of a name and its arguments, in the forms that `step` uses: sets of
    regions as bit masks.
    """

    __slots__ = ("effects", "event", "guards", "index", "origin", "region", "state", "target")

    def __init__(
        self,
        index: int,
        *,
        region: int,
        state: int,
        event: str,
        guards: tuple[Any, ...],
        target: int,
        effects: tuple[Any, ...],
        origin: tuple[Any, ...],
    ) -> None:
        self.index = index
        self.region = region
        self.state = state
        self.event = event
        self.guards = guards
        self.target = target
        self.effects = effects
        self.origin = origin

    def __repr__(self) -> str:
        return f"Row({self.index}: {self.region}.{self.state} on {self.event} to {self.target})"


class Region:
    """One orthogonal part of a machine: its states by number, and whom to look at when it ends."""

    __slots__ = ("final", "name", "names", "origin", "step", "wakes")

    def __init__(self, name: str, states: dict[str, Any], data: dict[str, Any]) -> None:
        self.name = name
        self.names: tuple[str, ...] = tuple(states["names"])
        self.final = frozenset(states["final"])
        self.wakes: tuple[int, ...] = tuple(data["wakes"])
        self.step: dict[str, Any] | None = data["step"]
        self.origin: tuple[Any, ...] = tuple(data["origin"])


class Machine:
    """A statechart: `lookup[region][state][event]` are the rows to try, in order."""

    __slots__ = (
        "control",
        "data",
        "index",
        "lookup",
        "name",
        "regions",
        "role",
        "rows",
        "skips",
        "starts",
        "states",
    )

    def __init__(
        self, index: int, data: dict[str, Any], regions: tuple[Region, ...], rows: tuple[Row, ...]
    ) -> None:
        self.index = index
        self.name: str = data["name"]
        self.role: str = data["role"]
        self.data: dict[str, Any] = data["data"]
        self.regions = regions
        self.control = len(regions) - 1
        self.rows = rows
        lookup: list[list[dict[str, Any]]] = [[{} for _ in region.names] for region in regions]
        self.skips: dict[int, int] = {}
        """The mask of the regions that are skipped when a step fails over, by that step."""
        for row in rows:
            lookup[row.region][row.state].setdefault(row.event, []).append(row)
            self.skips.update((row.region, effect[1]) for effect in row.effects if effect[0] == "skip_region")
        for states in lookup:
            for events in states:
                events.update({event: tuple(tried) for event, tried in events.items()})
        self.lookup: tuple[tuple[dict[str, tuple[Row, ...]], ...], ...] = tuple(map(tuple, lookup))
        self.starts = tuple(_starting_regions(self))
        self.states = {name: number for number, name in enumerate(regions[-1].names)}
        """State numbers of the control region (of a workflow: the user's states) by name."""


def _starting_regions(machine: Machine) -> Any:
    """The regions that wait for no other: those that a flow looks at when it starts."""
    waiting = {woken for region in machine.regions for woken in region.wakes}
    return (number for number in range(machine.control) if number not in waiting)


class Table:
    """A table that `loads` found sound. `data` is the JSON object it came from and must not be changed."""

    __slots__ = (
        "conditions",
        "contracts",
        "data",
        "digest",
        "expressions",
        "machines",
        "programs",
        "templates",
        "values",
    )

    def __init__(
        self, data: dict[str, Any], machines: tuple[Machine, ...], programs: tuple[Program, ...]
    ) -> None:
        self.data = data
        self.digest: str = data["digest"]
        self.machines = machines
        self.programs = programs
        """The expressions ready to run, by index."""
        pools = data["pools"]
        self.expressions: tuple[dict[str, Any], ...] = tuple(pools["expressions"])
        self.templates: tuple[dict[str, Any], ...] = tuple(pools["templates"])
        self.contracts: tuple[dict[str, Any], ...] = tuple(pools["contracts"])
        self.values: tuple[Any, ...] = tuple(pools["values"])
        self.conditions: tuple[dict[str, Any], ...] = tuple(pools["conditions"])

    @property
    def kind(self) -> str:
        """`spec` or `workflow`."""
        return str(self.data["kind"])

    @property
    def name(self) -> str:
        """The entry flow's or the workflow's name."""
        return str(self.data["name"])

    @property
    def entry(self) -> Machine:
        """The machine that a run starts with."""
        machine: Machine = self.machines[self.data["entry"]]
        return machine

    @property
    def proofs(self) -> tuple[tuple[str, str, str], ...]:
        """What was proved of the table: property, method, verdict."""
        return tuple((item[0], item[1], item[2]) for item in self.data["proofs"])

    def machine(self, name: str) -> Machine | None:
        """The flow (or workflow) of that name; the machines of items have none to be asked for."""
        return next((one for one in self.machines if one.name == name and one.role != "item"), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Table({self.kind} {self.name!r}, {self.digest[:12]})"
