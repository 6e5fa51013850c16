"""What a table keeps of each step for the flow engine (docs/table-format.md, "Step records")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from stratumc.graph.flow_graph import FlowGraph
from stratumc.lower.pools import Names, Pools
from stratumc.spec.syntax import (
    Budget,
    Do,
    Ensure,
    EnsureExpression,
    EnsureFileContains,
    EnsureFileExists,
    EnsureJudged,
    Evaluate,
    Fanout,
    Flow,
    Gate,
    Quorum,
    ReferenceKind,
    Run,
    Set,
    Step,
    Text,
)

DEFAULT_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class FlowScope:
    """What lowering knows of the flow it is in."""

    flow: Flow
    graph: FlowGraph
    names: Names
    pools: Pools
    flows: dict[str, int]
    """Machine numbers by flow name."""
    items: dict[int, int]
    """Machine numbers of items, by the region of their fanout."""
    flow_budgets: bool
    """Whether a run this flow takes part in can have a budget."""
    call_budgets: bool
    """Whether a call of this flow has a budget."""
    initial_writes: dict[str, list[list[int]]]
    """By step, the carry variables with an initial value from there, as `[carry, template]`."""
    revise_writes: dict[str, list[list[int]]]
    """By gate, the carry variables that it writes, likewise."""

    def region(self, target: Text | None) -> int | None:
        """The region of a step that is named, or None."""
        return None if target is None else self.graph.index[target.value]

    def contract(self, name: Text | None) -> int | None:
        """The contract that is named, or None."""
        return None if name is None else self.pools.contract_index[name.value]

    def expression(self, text: Text | None) -> int | None:
        """An expression, or None."""
        return None if text is None else self.pools.expression(text.value)

    def carries(self, step: Step) -> list[list[int]]:
        """The carry variables whose initial value comes from this step."""
        return self.initial_writes.get(step.id, [])

    def gate_writes(self, step: Step) -> list[list[int]]:
        """The carry variables that declare this gate."""
        return self.revise_writes.get(step.id, [])


def step_record(scope: FlowScope, step: Step) -> dict[str, Any]:
    """The record of one step."""
    source = scope.flow.output.source.references
    return {
        "deps": list(scope.graph.dependencies[step.index]),
        "when": scope.expression(step.when),
        "carries": scope.carries(step),
        "is_output": bool(source) and source[0].kind is ReferenceKind.STEP and source[0].name == step.id,
        **_body(scope, step),
    }


def _body(scope: FlowScope, step: Step) -> dict[str, Any]:
    body = step.body
    match body:
        case Do():
            return _do(scope, body)
        case Set():
            return {
                "construct": "set",
                "fields": [[name, scope.pools.expression(text.value)] for name, text in body.fields.items()],
                "out": scope.contract(body.out),
                "ensure": ensures(scope.pools, body.ensure),
            }
        case Gate():
            return {
                "construct": "gate",
                "on_approve": scope.region(body.on_approve),
                "on_revise": scope.region(body.on_revise),
                "on_kill": scope.region(body.on_kill),
                "max_rounds": body.max_rounds,
                "writes": scope.gate_writes(step),
            }
        case Fanout():
            return _fanout(scope, step, body)
        case Run():
            return {
                "construct": "run",
                "machine": scope.flows[body.flow.value],
                "arguments": scope.names.value(body.arguments),
                "budget": budget_record(body.budget),
                "on_fail": scope.region(body.on_fail),
            }
        case Evaluate():
            return {
                "construct": "evaluate",
                "command": body.command.value,
                "input": None if body.input is None else scope.names.template(body.input),
                "timeout_ms": body.timeout_ms,
                "out": scope.contract(body.out),
            }
        case _:
            assert_never(body)


def _do(scope: FlowScope, body: Do) -> dict[str, Any]:
    iterate = body.iterate
    return {
        "construct": "do",
        "task": scope.names.template(body.task),
        "agent": body.agent,
        "out": scope.contract(body.out),
        "ensure": ensures(scope.pools, body.ensure),
        "attempts": body.attempts,
        "iterate": None
        if iterate is None
        else {"max": iterate.max, "until": scope.pools.expression(iterate.until.value)},
        "budget": budget_record(body.budget),
        "on_fail": scope.region(body.on_fail),
    }


def _fanout(scope: FlowScope, step: Step, body: Fanout) -> dict[str, Any]:
    return {
        "construct": "fanout",
        "over": scope.names.template(body.over),
        "machine": scope.items[step.index],
        "stages": [
            {
                "task": scope.names.template(stage.task),
                "agent": stage.agent,
                "out": scope.contract(stage.out),
                "ensure": ensures(scope.pools, stage.ensure),
                "attempts": stage.attempts,
                "when": scope.expression(stage.when),
            }
            for stage in body.stages
        ],
        "concurrency": body.concurrency,
        "isolation": body.isolation.value,
        "require": requirement(body),
        "merge": body.merge.value,
        "pre_merge": body.pre_merge,
        "dispatch": body.dispatch.value,
        "attempts": body.attempts or DEFAULT_ATTEMPTS,
        "budget": budget_record(body.budget),
        "on_fail": scope.region(body.on_fail),
    }


def requirement(body: Fanout) -> str | int:
    """How many items have to succeed, as the table holds it."""
    return body.require.value if isinstance(body.require, Quorum) else body.require


def ensures(pools: Pools, items: tuple[Ensure, ...]) -> list[list[Any]]:
    """Ensures as the table holds them."""
    return [_ensure(pools, item) for item in items]


def _ensure(pools: Pools, item: Ensure) -> list[Any]:
    match item:
        case EnsureExpression():
            return ["expr", pools.expression(item.expression.value)]
        case EnsureFileExists():
            return ["file_exists", item.path]
        case EnsureFileContains():
            return ["file_contains", item.path, item.text]
        case EnsureJudged():
            return ["judged", item.statement, item.stakes]
        case _:
            assert_never(item)


def budget_record(budget: Budget | None) -> dict[str, Any] | None:
    """A budget as the table holds it."""
    if budget is None:
        return None
    return {"usd": budget.usd, "tokens": budget.tokens, "dispatches": budget.dispatches, "ms": budget.ms}
