"""Infers the type of every part of an expression, and finds what must or can fail (checks.md, family type).

Guards count: `'note' in result && …` makes `result.note` present to the right, `x != null` removes null, and
whatever was read successfully once is there afterwards. The walk is a generator per node on an explicit
stack, so that neither long chains nor deep nesting recurse.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import assert_never

from stratumc.expr.ast import Binary, BinaryOperator, Call, Expression, Index, Literal, Member, Name, Unary
from stratumc.expr.infer_call import infer_call
from stratumc.expr.infer_member import infer_index, infer_member, infer_name
from stratumc.expr.infer_operator import (
    infer_condition,
    infer_logical,
    infer_operator,
    infer_unary,
    is_logical,
    reach_of_right,
)
from stratumc.expr.judge import Judge, name_of
from stratumc.expr.knowledge import NOTHING, Knowledge
from stratumc.expr.outcome import Outcome, Reach, Scope, Typing, Use
from stratumc.expr.types import FALSE, FRACTION, INTEGER, NULL, TRUE, Kind, Type, describe, string_literal


@dataclass(frozen=True, slots=True)
class _Visit:
    """A request of one node's walk for the outcome of an operand."""

    node: Expression
    known: Knowledge
    reach: Reach


_Walk = Generator[_Visit, Outcome, Outcome]


def infer(expression: Expression, scope: Scope, use: Use = Use.VALUE) -> Typing:
    """The types and faults of an expression where the names of `scope` are bound, put to some use."""
    judge = Judge(scope)
    types: dict[int, list[Type]] = {}
    stack: list[tuple[Expression, _Walk]] = [
        (expression, _walk(_Visit(expression, NOTHING, Reach.CERTAIN), judge))
    ]
    answer: Outcome | None = None
    while stack:
        node, walk = stack[-1]
        try:
            visit = next(walk) if answer is None else walk.send(answer)
        except StopIteration as end:
            answer = end.value
            assert answer is not None
            types.setdefault(id(node), []).append(answer.type)
            stack.pop()
        else:
            stack.append((visit.node, _walk(visit, judge)))
            answer = None
    assert answer is not None
    _judge_use(expression, answer, use, judge)
    return Typing(expression, answer, tuple(judge.faults), types)


def _judge_use(expression: Expression, given: Outcome, use: Use, judge: Judge) -> None:
    """A predicate fails on every value but a boolean; a condition only skips then."""
    if use is Use.VALUE or given.fails or given.type.unknown:
        return
    if not given.type.kinds & Kind.BOOLEAN:
        message = f"{name_of(expression)} is {describe(given.type)}, but {use.value} must be a boolean"
        judge.report("EXPR_NOT_BOOLEAN", expression, message)
    elif use is Use.PREDICATE:
        judge.demand(expression, given, Kind.BOOLEAN, "a predicate must be a boolean")


def _walk(visit: _Visit, judge: Judge) -> _Walk:
    node, known, reach = visit.node, visit.known, visit.reach
    judge = judge.at(reach)
    match node:
        case Literal(value):
            return Outcome(_literal(value), known, known)
        case Name():
            return infer_name(node, known, judge)
        case Member():
            operand = yield _Visit(node.operand, known, reach)
            return infer_member(node, operand, judge)
        case Index():
            operand = yield _Visit(node.operand, known, reach)
            return infer_index(node, operand, judge)
        case Unary():
            operand = yield _Visit(node.operand, known, reach)
            return infer_unary(node, operand, judge)
        case Call():
            arguments: list[Outcome] = []
            for argument in node.arguments:
                arguments.append((yield _Visit(argument, known, reach)))
                known = arguments[-1].after
            return infer_call(node, arguments, known, judge)
        case Binary():
            left = yield _Visit(node.left, known, reach)
            if is_logical(node.operator):
                left = infer_condition(node, left, judge)
                further = reach_of_right(node, left, reach)
                decides = node.operator is BinaryOperator.OR
                right = yield _Visit(node.right, left.when_false if decides else left.when_true, further)
                return infer_logical(node, left, right, judge.at(further))
            right = yield _Visit(node.right, left.after, reach)
            return infer_operator(node, left, right, judge)
        case _:
            assert_never(node)


def _literal(value: str | float | bool | None) -> Type:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return string_literal(value)
    return INTEGER if value.is_integer() else FRACTION
