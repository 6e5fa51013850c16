"""What a fanout that its consumer dispatches into worktrees may not do, and needs (v1.md section 10)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding
from stratumc.spec.edges import StepGraph
from stratumc.spec.syntax import (
    Dispatcher,
    EnsureExpression,
    EnsureFileContains,
    EnsureFileExists,
    Fanout,
    Gate,
    Isolation,
    Stage,
    Step,
)

_FILE_FUNCTIONS = ("file_exists", "file_contains")


def consumer_rules(graph: StepGraph) -> Iterator[Finding]:
    """Both rules, for the fanouts of the entry flow."""
    scope = graph.scope
    if scope.draft.is_entry(scope.flow) is not True:
        return
    guarded = _guarded(graph)
    for step in scope.flow.steps:
        body = step.body
        if not isinstance(body, Fanout) or body.dispatch is not Dispatcher.CONSUMER:
            continue
        if body.isolation is not Isolation.WORKTREE:
            continue
        for stage in body.stages:
            yield from _reads_files(stage)
        if guarded is not None and step.id not in guarded:
            message = f"no gate waits for fanout `{step.id}`, whose consumer works in worktrees"
            suggestion = f"add a gate with `after: [{step.id}]`, without `when`, to which no route leads"
            yield Finding(
                "CONSUMER_WORKTREE_GATE_REQUIRED", body.at.child("isolation"), message, suggestion=suggestion
            )


def _guarded(graph: StepGraph) -> frozenset[str] | None:
    """The steps on which an unconditional gate depends; None when a gate may be unknown."""
    scope = graph.scope
    if scope.flow.unread or scope.repeated:
        return None
    found: list[str] = []
    for step in scope.flow.steps:
        if not isinstance(step.body, Gate) or step.when is not None or step.id in graph.routed:
            continue
        names = [text.value for text in step.after]
        if _is_unsure(graph, step, names):
            return None
        found += names
    return frozenset(found)


def _is_unsure(graph: StepGraph, gate: Step, names: list[str]) -> bool:
    """Whether what the gate comes after was reported as unreadable or unknown."""
    return gate.index in graph.scope.flow.loose or any(name not in graph.scope.positions for name in names)


def _reads_files(stage: Stage) -> Iterator[Finding]:
    code = "CONSUMER_WORKTREE_FILESYSTEM_UNSUPPORTED"
    message = "a stage that a consumer runs in its own worktree can't look at files"
    if stage.when is not None and _calls_file_function(stage.when.value):
        yield Finding(code, stage.when.at, message)
    for predicate in stage.ensure:
        match predicate:
            case EnsureFileExists() | EnsureFileContains():
                yield Finding(code, predicate.at, message)
            case EnsureExpression(expression=expression) if _calls_file_function(expression.value):
                yield Finding(code, predicate.at, message)


def _calls_file_function(text: str) -> bool:
    """Whether an expression that parses calls a file predicate."""
    if not any(name in text for name in _FILE_FUNCTIONS):
        return False
    from stratumc.expr import ParseFailure, parse
    from stratumc.expr.ast import Binary, Call, Expression, Index, Literal, Member, Name, Unary

    parsed = parse(text)
    if isinstance(parsed, ParseFailure):
        return False
    pending: list[Expression] = [parsed]
    while pending:
        match pending.pop():
            case Call(function=function, arguments=arguments):
                if function in _FILE_FUNCTIONS:
                    return True
                pending.extend(arguments)
            case Binary(left=left, right=right):
                pending += (left, right)
            case Unary(operand=operand) | Member(operand=operand) | Index(operand=operand):
                pending.append(operand)
            case Literal() | Name():
                pass
    return False
