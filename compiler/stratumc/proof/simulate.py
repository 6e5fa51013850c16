"""Plays one round of a flow with given inputs, outputs, failures and decisions, to replay witnesses.

The statuses follow runs.md sections 2, 3, 5 and 6; expressions are evaluated by the runtime's evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from stratum_runtime.expression import Program, Value, evaluate, prepare
from stratumc.expr import compile_text
from stratumc.graph.flow_graph import FlowGraph, RouteKind
from stratumc.graph.step_order import StepOrder
from stratumc.spec.syntax import Do, Ensure, EnsureExpression, Flow, Gate, Set, Step


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is free in a round."""

    input: dict[str, Any]
    outputs: dict[int, Any]
    """Of steps that an agent, a command or a subflow succeeds with; a step not listed gives none."""
    failed: frozenset[int]
    killed: frozenset[int]
    """Gates that are killed; all others that wait are approved."""
    early: frozenset[tuple[int, int]]
    """Pairs (source, reader) of steps without order between them, of which the source ends first."""
    undecided: frozenset[int] = frozenset()
    """Gates that nobody decides."""


@dataclass(slots=True)
class Round:
    """What has become of the steps that were played."""

    begun: set[int] = field(default_factory=set)
    ran: set[int] = field(default_factory=set)
    succeeded: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    outputs: dict[int, Any] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)
    """Steps whose given output isn't accepted: such a scenario shows nothing."""


class Player:
    """Plays scenarios of one flow."""

    def __init__(self, flow: Flow, graph: FlowGraph) -> None:
        self._flow, self._graph, self._order = flow, graph, StepOrder(graph)

    def play(self, scenario: Scenario, steps: Iterable[int]) -> Round:
        """The round in which the scenario comes true; only the given steps are played."""
        played = Round()
        wanted = frozenset(steps)
        for index in self._graph.order:
            if index in wanted:
                self._step(self._flow.steps[index], scenario, played)
        return played

    def bindings(self, reader: int, scenario: Scenario, played: Round) -> dict[str, Any]:
        """`input` and `result` as `when` and `set` of a step see them."""
        before = self._order.before(reader)
        seen = {
            self._graph.ids[source]: output
            for source, output in played.outputs.items()
            if before >> source & 1 or (source, reader) in scenario.early
        }
        return {"input": scenario.input, "result": seen}

    def _step(self, step: Step, scenario: Scenario, played: Round) -> None:
        index, graph = step.index, self._graph
        routes = graph.routes_to[index]
        dropped = any(
            region.failed in played.failed and region.skipped >> index & 1
            for region in graph.failure_regions.values()
        )
        active = not routes or any(
            self._routes(route.source, route.kind, scenario, played) for route in routes
        )
        if dropped or (not active and all(route.source in played.done for route in routes)):
            played.skipped.add(index)
            played.done.add(index)
        elif active and all(before in played.done for before in graph.dependencies[index]):
            played.begun.add(index)
            when = step.when
            if when is None or is_true(when.value, self.bindings(index, scenario, played)):
                played.ran.add(index)
                self._run(step, scenario, played)
            else:
                played.skipped.add(index)
                played.done.add(index)

    def _routes(self, source: int, kind: RouteKind, scenario: Scenario, played: Round) -> bool:
        if kind is RouteKind.ON_FAIL:
            return source in played.failed
        return source in played.succeeded and (source in scenario.killed) == (kind is RouteKind.ON_KILL)

    def _run(self, step: Step, scenario: Scenario, played: Round) -> None:
        index, body = step.index, step.body
        if isinstance(body, Gate):
            if index in scenario.undecided or (index in scenario.killed and body.on_kill is None):
                return
        elif isinstance(body, Set):
            output = _built(body, self.bindings(index, scenario, played))
            if output is None or not _accepted(body.ensure, output, scenario.input):
                played.failed.add(index)
                return
            played.outputs[index] = output
        elif index in scenario.failed:
            played.failed.add(index)
            if index in self._graph.failure_regions:
                played.done.add(index)
            return
        elif index in scenario.outputs:
            output = scenario.outputs[index]
            if isinstance(body, Do):
                until = body.iterate.until.value if body.iterate else "true"
                well = _accepted(body.ensure, output, scenario.input)
                if not well or not is_true(until, {"input": scenario.input, "result": output}):
                    played.broken.append(index)
            played.outputs[index] = output
        played.succeeded.add(index)
        played.done.add(index)


@lru_cache(maxsize=1_000)
def _program(text: str) -> Program:
    return prepare(compile_text(text))


def is_true(text: str, bindings: Mapping[str, Any]) -> bool:
    """Whether an expression comes to `true`."""
    result = evaluate(_program(text), bindings)
    return isinstance(result, Value) and result.value is True


def _accepted(ensures: tuple[Ensure, ...], output: Any, input_: Mapping[str, Any]) -> bool:
    return all(
        is_true(ensure.expression.value, {"input": input_, "result": output})
        for ensure in ensures
        if isinstance(ensure, EnsureExpression)
    )


def _built(body: Set, bindings: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a `set` makes; None when an expression fails."""
    output = {}
    for name, text in body.fields.items():
        result = evaluate(_program(text.value), bindings)
        if not isinstance(result, Value):
            return None
        output[name] = result.value
    return output
