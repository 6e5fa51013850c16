"""Whether the content of a table is sound: every key, type, name and index (docs/table-format.md)."""

from __future__ import annotations

from stratum_runtime.argument_check import ARGUMENTS, Arguments
from stratum_runtime.errors import TableError
from stratum_runtime.pool_check import check_pools, is_number, is_text
from stratum_runtime.step_check import check_data
from stratum_runtime.table import Machine, Region, Row, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from stratum_runtime.expression import Program

STEP_STATES = ("pending", "ready", "running", "waiting_gate", "succeeded", "failed", "skipped")
RUN_STATES = ("in_progress", "complete", "failed", "killed", "budget_exhausted", "cancelled")

_TABLE_KEYS = {"format", "kind", "name", "entry", "source", "machines", "pools", "proofs", "digest"}

# The kinds of the arguments of each guard and effect; `ARGUMENTS` says what each kind admits.
GUARDS: dict[str, tuple[str, ...]] = {
    "routed": (),
    "unrouted": ("regions",),
    "deps": ("regions", "regions"),
    "when": ("expression",),
    "unless": ("expression",),
    "renders": ("template",),
    "affords": (),
    "refused": ("ledger",),
    "over": ("ledger",),
    "computes": (),
    "enters": ("value",),
    "spreads": ("template",),
    "carries": ("writes",),
    "outputs": (),
    "requires": ("requirement",),
    "verdict": ("verdict",),
    "fresh": (),
    "attempts_left": ("positive",),
    "iterations_left": ("positive",),
    "rounds_left": ("limit", "limit"),
    "all_ended": (),
    "stuck": (),
    "previous": ("state",),
    "condition": ("condition",),
}
EFFECTS: dict[str, tuple[str, ...]] = {
    "start": (),
    "record_attempt": ("text",),
    "exhaust_attempts": ("positive", "text"),
    "count_iteration": (),
    "issue": ("template",),
    "await": (),
    "store_output": (),
    "write_carry": ("writes",),
    "route": ("region",),
    "skip_region": ("set",),
    "count_round": (),
    "reset": ("set",),
    "enter": ("machine",),
    "next_stage": (),
    "raise": ("text",),
    "signal": ("text",),
    "signal_root": ("text",),
    "log": ("text",),
    "action": ("text",),
    "judgment": (),
}


def build_table(data: dict[str, Any]) -> Table:
    """The table of a JSON object whose digest is right, everything in it checked. Raises TableError."""
    try:
        machines = Checker(data).machines()
        return Table(data, machines, _programs(data["pools"]["expressions"]))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"the table is malformed: {error!r}") from None


def _programs(expressions: list[dict[str, Any]]) -> tuple[Program, ...]:
    if not expressions:
        return ()
    from stratum_runtime.expression import prepare

    programs = []
    for number, expression in enumerate(expressions):
        try:
            programs.append(prepare(expression["code"]))
        except (KeyError, TypeError, IndexError, AttributeError, ValueError):
            raise TableError(f"the code of expression {number} is malformed") from None
    return tuple(programs)


def _demand(holds: Any, message: str) -> None:
    if not holds:
        raise TableError(message)


class Checker(Arguments):
    """One table under examination."""

    def __init__(self, data: dict[str, Any]) -> None:
        _demand(
            set(data) == _TABLE_KEYS, f"the table's keys are {sorted(data)}, must be {sorted(_TABLE_KEYS)}"
        )
        super().__init__(data)

    def machines(self) -> tuple[Machine, ...]:
        """All machines, in order."""
        data = self.data
        self.need(data["kind"] in ("spec", "workflow") and is_text(data["name"]), "kind or name is wrong")
        self.need(isinstance(data["machines"], list) and data["machines"], "there are no machines")
        self.need(is_number(data["entry"], len(data["machines"])), "the entry isn't a machine")
        self.need(data["machines"][data["entry"]]["role"] != "item", "the entry is the machine of an item")
        for item in data["source"]:
            self.need(
                set(item) == {"path", "sha256"} and all(map(is_text, item.values())), "a source is malformed"
            )
            self.need(
                _is_relative(item["path"]), f"the path {item['path']!r} of a source is not a relative one"
            )
        for proof in data["proofs"]:
            self.need(
                len(proof) == 3
                and all(map(is_text, proof))
                and proof[1] in ("graph", "z3", "both")
                and proof[2] in ("proved", "refuted", "undecided"),
                f"the proof {proof!r} is malformed",
            )
        check_pools(data)
        return tuple(self.build(index, machine) for index, machine in enumerate(data["machines"]))

    # --- machines ---

    def build(self, index: int, machine: dict[str, Any]) -> Machine:
        """One machine, checked."""
        self.machine = machine
        self.where = f"machine {index}"
        self.need(
            set(machine) == {"name", "role", "regions", "rows", "data"}, f"its keys are {sorted(machine)}"
        )
        self.need(is_text(machine["name"]), "its name isn't text")
        self.where = f"machine `{machine['name']}`"
        self.need(machine["role"] in ("workflow", "flow", "item"), f"the role {machine['role']!r} is unknown")
        self.need(
            (machine["role"] == "workflow") == (self.data["kind"] == "workflow"),
            "its role and the kind differ",
        )
        self.need(machine["regions"], "it has no regions")
        self.need(machine["role"] == "flow" or len(machine["regions"]) == 1, "it must have one region")
        regions = tuple(self.region(number, data) for number, data in enumerate(machine["regions"]))
        check_data(self, machine)
        rows: list[Row] = []
        for number, data in enumerate(machine["rows"]):
            self.where = f"row {number} of machine `{machine['name']}`"
            rows.append(self.row(number, data, regions))
            before = rows[number - 1] if number else rows[0]
            self.need(
                (before.region, before.state) <= (rows[-1].region, rows[-1].state), "it is out of order"
            )
        return Machine(index, machine, regions, tuple(rows))

    def region(self, number: int, data: dict[str, Any]) -> Region:
        """One region, checked; a step's states are fixed by the format."""
        self.where = f"region {number} of machine `{self.machine['name']}`"
        self.need(set(data) == {"name", "states", "wakes", "step", "origin"}, f"its keys are {sorted(data)}")
        self.need(is_text(data["name"]), "its name isn't text")
        self.need(
            is_number(data["states"], len(self.pools["states"])), "its states aren't an entry of the pool"
        )
        states = self.pools["states"][data["states"]]
        is_step = self.machine["role"] == "flow" and number < len(self.machine["regions"]) - 1
        if self.machine["role"] == "flow":
            names = STEP_STATES if is_step else RUN_STATES
            final = [4, 5, 6] if is_step else [1, 2, 3, 4, 5]
            self.need(
                tuple(states["names"]) == names and states["final"] == final,
                "its states are not those of a flow",
            )
        self.need((data["step"] is not None) == is_step, "its step record is missing or out of place")
        self.regions_argument(data["wakes"])
        self.origin(data["origin"])
        return Region(data["name"], states, data)

    def row(self, number: int, data: Any, regions: tuple[Region, ...]) -> Row:
        """One row, checked, with its arguments in the forms that `step` uses."""
        self.need(isinstance(data, list) and len(data) == 7, "it has not seven parts")
        region, state, event, guards, target, effects, origin = data
        self.need(is_number(region, len(regions)), f"there is no region {region!r}")
        self.need(is_number(state, len(regions[region].names)), f"there is no state {state!r}")
        self.need(is_number(target, len(regions[region].names)), f"there is no target {target!r}")
        self.need(is_text(event) and event, "its event isn't a name")
        self.origin(origin)
        self.names = regions[region].names
        return Row(
            number,
            region=region,
            state=state,
            event=event,
            guards=tuple(self.call("guard", GUARDS, item) for item in guards),
            target=target,
            effects=tuple(self.call("effect", EFFECTS, item) for item in effects),
            origin=tuple(origin),
        )

    def origin(self, origin: Any) -> None:
        """A source, a path, and for rows of workflows who gave it."""
        sizes = (2, 3) if self.machine["role"] == "workflow" else (2,)
        self.need(
            isinstance(origin, list)
            and len(origin) in sizes
            and is_number(origin[0], max(1, len(self.data["source"])))
            and all(map(is_text, origin[1:])),
            f"the origin {origin!r} is malformed",
        )

    # --- guards and effects ---

    def call(self, what: str, known: dict[str, tuple[str, ...]], item: Any) -> tuple[Any, ...]:
        """A guard or an effect with its arguments."""
        self.need(isinstance(item, list) and item and item[0] in known, f"the {what} {item!r} is unknown")
        kinds = known[item[0]]
        self.need(len(item) == len(kinds) + 1, f"the {what} `{item[0]}` takes {len(kinds)} arguments")
        arguments = (ARGUMENTS[kind](self, value) for kind, value in zip(kinds, item[1:], strict=True))
        return (item[0], *arguments)


def _is_relative(path: str) -> bool:
    """Whether a path names something, and nothing outside of the folder that it is relative to."""
    return path != "" and not path.startswith("/") and ".." not in path.split("/")
