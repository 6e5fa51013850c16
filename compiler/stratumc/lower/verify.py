"""The independent check of a table: what holds of it, found again from the table alone (table.md).

Nothing here calls the lowering; `verify_source` compares with the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from stratum_runtime import Table, TableError, loads
from stratum_runtime.event import EXTERNAL
from stratumc.lower.verify_graph import RecordGraph, as_set
from stratumc.lower.verify_pools import pool_faults
from stratumc.lower.verify_rows import expected_rows

Faults = Iterator[str]
_Node = TypeVar("_Node")

_TOTAL = {
    "result", "dispatch", "stage", "join", "complete", "fail", "approve", "kill",
    "cancel", "exhaust", "rounds", "overrun", "start",
}  # fmt: skip
"""Events for which some row must always be taken; the others may find no row enabled."""


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that must hold of a table. `method`: `load`, `rows`, `graph`, `pools` or `source`."""

    name: str
    method: str
    verdict: str
    """`proved` or `refuted`."""
    detail: str = ""
    """The first fault of a refuted one."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Every property that was looked at."""

    properties: tuple[Property, ...]

    @property
    def ok(self) -> bool:
        """Whether all of them hold."""
        return all(one.verdict == "proved" for one in self.properties)


def verify_table(table: Table | bytes | str | dict[str, Any]) -> tuple[Verification, Table | None]:
    """Checks a table by itself; the table is None when it can't even be loaded."""
    try:
        loaded = loads(table.data if isinstance(table, Table) else table)
    except TableError as error:
        return Verification((Property("the table is whole", "load", "refuted", str(error)),)), None
    checks = _WORKFLOW_CHECKS if loaded.kind == "workflow" else _SPEC_CHECKS
    whole = judge("the table is whole", "load", _nameless, loaded.data)
    return Verification((whole, *(judge(*check, loaded.data) for check in checks))), loaded


def judge(name: str, method: str, faults: Callable[..., Faults], *arguments: Any) -> Property:
    """A property from what speaks against it."""
    try:
        first = next(faults(*arguments), None)
    except (LookupError, TypeError, ValueError) as error:
        first = f"can't be judged: {error!r}"
    return Property(name, method, "proved") if first is None else Property(name, method, "refuted", first)


def _nameless(data: dict[str, Any]) -> Faults:
    if not data["source"]:
        yield "it names no source that it was made from"


# --- rows by themselves ---


def _groups(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """The rows of each machine, region, state and event, in order."""
    for machine in data["machines"]:
        groups: dict[tuple[int, int, str], list[Any]] = {}
        for row in machine["rows"]:
            groups.setdefault((row[0], row[1], row[2]), []).append(row)
        for (region, state, event), rows in groups.items():
            name = machine["regions"][region]["name"]
            yield f"`{event}` of `{machine['name']}.{name}` in state {state}", machine, rows


def _indeterminate(data: dict[str, Any]) -> Faults:
    """Rows that an earlier one makes dead. A user's own event `auto` may hide triggers."""
    for place, machine, rows in _groups(data):
        earlier: list[list[Any]] = []
        for row in rows:
            is_trigger = machine["role"] == "workflow" and any(guard[0] == "condition" for guard in row[3])
            hidden = any(all(guard in row[3] for guard in guards) for guards in earlier)
            if hidden and not is_trigger:
                yield f"{place}: the row to {row[4]} can never be the first to hold"
            if not is_trigger:
                earlier.append(row[3])


def _partial(data: dict[str, Any]) -> Faults:
    for place, machine, rows in _groups(data):
        if machine["role"] != "workflow" and rows[0][2] in _TOTAL and rows[-1][3]:
            yield f"{place}: no row is left when no guard holds"


def _unreachable(data: dict[str, Any]) -> Faults:
    """States with rows that nothing leads to; in a workflow every state, unless the proofs say so."""
    marked = ["every state is reachable", "graph", "refuted"] in data["proofs"]
    for machine in data["machines"]:
        is_workflow = machine["role"] == "workflow"
        targets: list[dict[int, set[int]]] = [{} for _ in machine["regions"]]
        for row in machine["rows"]:
            targets[row[0]].setdefault(row[1], set()).add(row[4])
        for region, leads in zip(machine["regions"], targets, strict=True):
            found = _reached(machine["data"]["initial"] if is_workflow else 0, leads)
            names = data["pools"]["states"][region["states"]]["names"]
            lost = sorted((set(range(len(names))) if is_workflow else set(leads)) - found)
            if lost and not (marked and is_workflow):
                yield f"`{names[lost[0]]}` of `{machine['name']}.{region['name']}` is never reached"


def _reached(start: int, leads: dict[int, set[int]]) -> set[int]:
    return {start} | _after(start, leads)


def _after(start: _Node, leads: dict[_Node, set[_Node]]) -> set[_Node]:
    """Everything strictly after a node; the node itself only when it lies on a circle."""
    found: set[_Node] = set()
    waiting = [start]
    while waiting:
        for target in leads.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


# --- flows ---


def _flows(data: dict[str, Any]) -> Iterator[RecordGraph]:
    for number, machine in enumerate(data["machines"]):
        if machine["role"] == "flow":
            yield RecordGraph(data, number)


def _wrong_rows(data: dict[str, Any]) -> Faults:
    for number, machine in enumerate(data["machines"]):
        rows, expected = [row[:6] for row in machine["rows"]], expected_rows(data, number)
        for index, (row, wanted) in enumerate(zip(rows, expected, strict=False)):
            if row != wanted:
                yield f"row {index} of `{machine['name']}` is {row}, must be {wanted}"
        if len(rows) != len(expected):
            yield f"`{machine['name']}` has {len(rows)} rows, must have {len(expected)}"


def _wrong_resets(data: dict[str, Any]) -> Faults:
    """Resets against the closures of the graph that the rows themselves make."""
    for graph in _flows(data):
        after = _row_edges(graph.machine)
        closures: dict[int, set[int]] = {}
        for row in graph.machine["rows"]:
            for effect in row[5]:
                if effect[0] != "reset":
                    continue
                target = graph.records[row[0]]["on_revise"]
                if target not in closures:
                    closures[target] = _reached(target, after)
                if effect[1] != as_set(closures[target]) or row[0] not in closures[target]:
                    yield f"the reset of {_step_name(graph, row[0])} is not the closure of its target"


def _step_name(graph: RecordGraph, region: int) -> str:
    return f"`{graph.machine['name']}.{graph.machine['regions'][region]['name']}`"


def _row_edges(machine: dict[str, Any]) -> dict[int, set[int]]:
    after: dict[int, set[int]] = {}
    for row in machine["rows"]:
        for guard in row[3]:
            if guard[0] == "deps":
                for before in guard[1]:
                    after.setdefault(before, set()).add(row[0])
        for effect in row[5]:
            if effect[0] == "route":
                after.setdefault(row[0], set()).add(effect[1])
    return after


def _wrong_wakes(data: dict[str, Any]) -> Faults:
    for graph in _flows(data):
        after = _row_edges(graph.machine)
        for number, region in enumerate(graph.machine["regions"]):
            if region["wakes"] != sorted(after.get(number, ())):
                yield f"{_step_name(graph, number)} wakes {region['wakes']}, must wake those that wait for it"


def _endless(data: dict[str, Any]) -> Faults:
    """Macrosteps end: no circle of steps, no circle of raised events, and only callers' events reset."""
    for graph in _flows(data):
        if graph.has_circle():
            yield f"the steps of `{graph.machine['name']}` wait for each other in a circle"
    for machine in data["machines"]:
        raised: dict[tuple[int, int, str], set[tuple[int, int, str]]] = {}
        for region, state, event, _, target, effects, _ in machine["rows"]:
            for effect in effects:
                if effect[0] == "reset" and event not in EXTERNAL:
                    yield f"`{event}` of `{machine['name']}` resets by itself"
                if effect[0] == "raise":
                    raised.setdefault((region, state, event), set()).add((region, target, effect[1]))
        for start in raised:
            if start in _after(start, raised):
                yield f"`{start[2]}` of `{machine['name']}` raises itself again"


def _wrong_outputs(data: dict[str, Any]) -> Faults:
    """`is_output` marks the step that the flow's output comes from, and no other; carry sources likewise."""
    templates = data["pools"]["templates"]
    for graph in _flows(data):
        machine = graph.machine
        source = templates[machine["data"]["output"]["from"]]["parts"][0]
        for region, record in enumerate(graph.records):
            if record["is_output"] != (source[:2] == ["step", region]):
                yield f"{_step_name(graph, region)} is marked wrongly as the output's source"
            written = [
                [number, variable["initial"]]
                for number, variable in enumerate(machine["data"]["carry"])
                if templates[variable["initial"]]["parts"][0][:2] == ["step", region]
            ]
            if record["carries"] != written:
                yield f"{_step_name(graph, region)} writes the wrong carry variables"
        for variable in machine["data"]["carry"]:
            first = templates[variable["initial"]]["parts"][0]
            if variable["source"] != (first[1] if first[0] == "step" else None):
                yield f"the source of `{variable['name']}` in `{machine['name']}` is wrong"


def _wrong_proofs(data: dict[str, Any]) -> Faults:
    """What the table says the graph decided must be what it decides."""
    expected = []
    for graph in _flows(data):
        name, circle = graph.machine["name"], graph.has_circle()
        gates = [
            (region, record)
            for region, record in enumerate(graph.records)
            if record.get("on_revise") is not None
        ]
        closes = all(region in graph.closure(record["on_revise"]) for region, record in gates)
        for text, holds in (
            ("no step waits for itself", not circle),
            ("every revise resets its own gate", closes),
            ("every macrostep ends", not circle),
        ):
            expected.append([f"flows.{name}: {text}", "graph", "proved" if holds else "refuted"])
    if [proof for proof in data["proofs"] if proof[1] == "graph"][: len(expected)] != expected:
        yield "the proofs by graph are not those that the records give"


# --- workflows ---


def _wrong_resumptions(data: dict[str, Any]) -> Faults:
    """A transition without target has one row for each resumption target, in order."""
    resumption = data["machines"][0]["data"]["resumption"]
    for place, _, rows in _groups(data):
        resumed = [row for row in rows if any(guard[0] == "previous" for guard in row[3])]
        pairs = [[row[3][0][1], row[4]] for row in resumed]
        if resumed and pairs != resumption:
            yield f"{place}: its rows are not those of the resumption targets"
        if any(row[5:] != resumed[0][5:] for row in resumed):
            yield f"{place}: its rows differ in more than the previous state"


def _misshapen(data: dict[str, Any]) -> Faults:
    """Events come before triggers, only triggers have conditions, and effects are told in one order."""
    if any(states["final"] for states in data["pools"]["states"]):
        yield "a state of a workflow is final"
    for place, _, rows in _groups(data):
        triggers = [any(guard[0] == "condition" for guard in row[3]) for row in rows]
        if triggers != sorted(triggers) or (any(triggers) and rows[0][2] != "auto"):
            yield f"{place}: triggers and events are mixed up"
        for row in rows:
            if len(row[3]) > 1:
                yield f"{place}: a row has more than one guard"
            if [effect[0] for effect in row[5]] not in _EFFECT_ORDERS:
                yield f"{place}: its effects are not an action, a judgment and the log, in this order"


_EFFECT_ORDERS = (
    ["log"],
    ["action", "log"],
    ["judgment", "log"],
    ["action", "judgment", "log"],
)


def _wrong_marks(data: dict[str, Any]) -> Faults:
    """The proof of reachability says what a search along the rows says."""
    machine = data["machines"][0]
    leads: dict[int, set[int]] = {}
    for row in machine["rows"]:
        leads.setdefault(row[1], set()).add(row[4])
    states = data["pools"]["states"][machine["regions"][0]["states"]]["names"]
    every = len(_reached(machine["data"]["initial"], leads)) == len(states)
    proof = ["every state is reachable", "graph", "proved" if every else "refuted"]
    if [one for one in data["proofs"] if one[1] == "graph"][:1] != [proof]:
        yield "the proof by graph is not the one that the rows give"


_SHARED: tuple[tuple[str, str, Callable[..., Faults]], ...] = (
    ("rows are deterministic", "rows", _indeterminate),
    ("rows are total", "rows", _partial),
    ("every state is reachable or marked", "graph", _unreachable),
    ("pools say what their texts say", "pools", pool_faults),
)
_SPEC_CHECKS = (
    *_SHARED,
    ("reset masks are the closures of the row graph", "graph", _wrong_resets),
    ("regions wake those that wait for them", "graph", _wrong_wakes),
    ("macrosteps end", "graph", _endless),
    ("rows are those that the records demand", "rows", _wrong_rows),
    ("outputs and carry variables have their sources", "pools", _wrong_outputs),
    ("proofs by graph hold", "graph", _wrong_proofs),
)
_WORKFLOW_CHECKS = (
    *_SHARED,
    ("resumption rows are complete", "rows", _wrong_resumptions),
    ("rows have the shape of a workflow's", "rows", _misshapen),
    ("proofs by graph hold", "graph", _wrong_marks),
)
