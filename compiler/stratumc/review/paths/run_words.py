"""Runs of flows in words for a reader of a diff: what decides that a step runs, or is skipped."""

from __future__ import annotations

import json
from typing import Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.expr import Expression, ParseFailure
from stratumc.expr.ast import Place, places_read
from stratumc.graph.flow_graph import Route, RouteKind
from stratumc.spec.syntax import Gate, Step

_LONGEST = 60
_MOST_CLAUSES = 6


class Explained:
    """A run (checks.md, "Flow findings"), of which what decides about some steps is told."""

    def __init__(self, witness: dict[str, Any], facts: FlowFacts) -> None:
        self._witness, self._facts = witness, facts
        self._values: dict[str, str] = {}
        """What is read, each place once."""
        self._returned: dict[str, dict[str, str]] = {}
        """Of each step, the members of its output that are read."""
        self._happened: dict[str, None] = {}
        self._seen: set[int] = set()

    def of(self, passed_by: int, goal: int | None = None, holds: Expression | None = None) -> str:
        """Why a step isn't passed, a goal runs, and a condition holds, as the end of a sentence.

        Empty if nothing is special.
        """
        if holds is not None:
            self._places(holds)
        self._outcome(passed_by)
        if goal is not None and goal != passed_by:
            self._runs(goal)
        for step, inside in self._witness.get("inside", {}).items():
            from stratumc.proof.witness import describe

            self._happened[f"inside of `{step}` {describe(inside)}"] = None
        returned = (f"`{step}` returns {', '.join(read.values())}" for step, read in self._returned.items())
        clauses = [*self._values.values(), *returned]
        kept = [*clauses[: max(1, _MOST_CLAUSES - len(self._happened))], *self._happened][:_MOST_CLAUSES]
        if not kept:
            return ""
        return f": {kept[0]}" if len(kept) == 1 else f": {', '.join(kept[:-1])} and {kept[-1]}"

    def _outcome(self, index: int) -> None:
        """What became of a step, and why."""
        if index in self._seen:
            return
        self._seen.add(index)
        step = self._facts.flow.steps[index]
        if step.id in self._witness["skipped"]:
            self._skipped(step)
        elif step.id in self._witness["failed"]:
            self._happened[f"`{step.id}` fails"] = None
        elif self._is_killed(step):
            self._happened[f"gate `{step.id}` is killed"] = None
        elif isinstance(step.body, Gate):
            self._runs(index)
        elif index in self._facts.graph.failure_regions:
            self._happened[f"`{step.id}` succeeds"] = None

    def _skipped(self, step: Step) -> None:
        graph = self._facts.graph
        failed = [
            graph.ids[region.failed]
            for region in graph.failure_regions.values()
            if region.skipped >> step.index & 1 and graph.ids[region.failed] in self._witness["failed"]
        ]
        routes = graph.routes_to[step.index]
        if failed:
            self._happened[f"`{failed[0]}` fails"] = None
        elif routes and not any(map(self._is_taken, routes)):
            for route in routes:
                self._outcome(route.source)
        else:
            self._condition(step)
        self._happened[f"`{step.id}` is skipped"] = None

    def _runs(self, index: int) -> None:
        """Why a step runs: the routes that lead to it, and its condition."""
        step = self._facts.flow.steps[index]
        for route in self._facts.graph.routes_to[index]:
            name = self._facts.graph.ids[route.source]
            if self._is_taken(route):
                done = {
                    RouteKind.ON_FAIL: f"`{name}` fails",
                    RouteKind.ON_APPROVE: f"gate `{name}` is approved",
                    RouteKind.ON_KILL: f"gate `{name}` is killed",
                }
                self._happened[done[route.kind]] = None
        self._condition(step)

    def _is_killed(self, step: Step) -> bool:
        return bool(self._witness["decisions"].get(step.id) == "kill")

    def _is_taken(self, route: Route) -> bool:
        name = self._facts.graph.ids[route.source]
        if route.kind is RouteKind.ON_FAIL:
            return name in self._witness["failed"]
        decision = "approve" if route.kind is RouteKind.ON_APPROVE else "kill"
        return bool(self._witness["decisions"].get(name) == decision)

    def _condition(self, step: Step) -> None:
        """The values that a step's condition reads."""
        tree = None if step.when is None else self._facts.proofs.parse(step.when)
        if tree is None or isinstance(tree, ParseFailure):
            return
        self._places(tree)

    def _places(self, tree: Expression) -> None:
        for place in dict.fromkeys(places_read(tree)):
            match place:
                case ("input", *members):
                    self._read(place, _found(self._witness["input"], tuple(members)))
                case ("result", name, *members):
                    self._output(place, name, tuple(members))
                case _:
                    pass

    def _read(self, place: Place, value: tuple[Any, ...]) -> None:
        path = ".".join(place)
        self._values[path] = f"`{path}` is {_shown(value[0])}" if value else f"`{path}` isn't given"

    def _output(self, place: Place, name: str, members: Place) -> None:
        outputs, index = self._witness["outputs"], self._facts.graph.index.get(name)
        if name not in outputs:
            if index is not None:
                self._outcome(index)
            return
        value = _found(outputs[name], members)
        if not members:
            self._happened[f"`{name}` succeeds"] = None
        elif value:
            read = self._returned.setdefault(name, {})
            read[".".join(place)] = f"{'.'.join(members)} {_shown(value[0])}"
        else:
            self._values[".".join(place)] = f"`{name}` returns no {'.'.join(members)}"


def _found(value: Any, members: Place) -> tuple[Any, ...]:
    """What is at a path inside of a value; nothing where it isn't there."""
    for member in members:
        if not isinstance(value, dict) or member not in value:
            return ()
        value = value[member]
    return (value,)


def _shown(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))


def whole_run(witness: dict[str, Any], facts: FlowFacts) -> dict[str, Any]:
    """A run with all that its inputs and outputs have to have, so that it can be replayed."""
    from stratumc.proof.flow_witness import output_type

    model, index = facts.prover.model, facts.graph.index
    world = model.world
    outputs = {
        name: world.whole(output, output_type(model, index[name])) if name in index else output
        for name, output in witness["outputs"].items()
    }
    return {**witness, "input": world.completed(witness["input"], facts.flow.input), "outputs": outputs}


def shortened(expression: str) -> str:
    """An expression on one line, cut where it is long."""
    text = " ".join(expression.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
