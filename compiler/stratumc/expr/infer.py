"""Infers the type of every part of an expression, and finds what must or can fail (checks.md, family type).

Guards count: `'note' in result && …` makes `result.note` present to the right, `x != null` removes null, and
whatever was read successfully once is there afterwards. The walk is a generator per node on an explicit
stack, so that neither long chains nor deep nesting recurse.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import assert_never

from stratumc.expr.ast import Binary, BinaryOperator, Call, Expression, Index, Literal, Member, Name, Unary
from stratumc.expr.infer_call import infer_call
from stratumc.expr.infer_constant import folded, number_of, type_of
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
from stratumc.expr.knowledge import Knowledge
from stratumc.expr.outcome import Outcome, Scope, Typing, Use
from stratumc.expr.types import Kind, Type, describe

_Visit = tuple[Expression, Knowledge, Judge]
"""A request of one node's walk for the outcome of an operand, with what is known there."""
_Walk = Generator[_Visit, Outcome, Outcome]


def infer(expression: Expression, scope: Scope, use: Use = Use.VALUE) -> Typing:
    """The types and faults of an expression where the names of `scope` are bound, put to some use."""
    judge = Judge(scope, use)
    types: dict[int, Type] = {}
    stack: list[tuple[Expression, _Walk]] = []
    visit: _Visit | None = (expression, scope.known, judge)
    answer: Outcome | None = None
    while visit is not None or stack:
        if visit is not None:
            answer = _leaf(*visit)
            if answer is None:
                stack.append((visit[0], _walk(*visit)))
            else:
                types[id(visit[0])] = answer.type
                visit = None
                continue
        node, walk = stack[-1]
        try:
            visit = next(walk) if answer is None else walk.send(answer)
        except StopIteration as end:
            answer, visit = end.value, None
            types[id(node)] = end.value.type
            stack.pop()
    assert answer is not None
    _judge_use(expression, answer, use, judge)
    judge.merge_hyphens()
    return Typing(expression, answer, tuple(judge.faults), types)


def _judge_use(expression: Expression, given: Outcome, use: Use, judge: Judge) -> None:
    """A predicate fails on every value but a boolean; a condition only skips then."""
    if use is Use.VALUE or given.fails or given.type.unknown:
        return
    if not given.type.kinds & Kind.BOOLEAN:
        message = f"{name_of(expression)} is {describe(given.type)}, but {use.value} must be a boolean"
        if isinstance(expression, Member):
            judge.withdraw(expression.name_start, expression.end)
        judge.report("EXPR_NOT_BOOLEAN", expression, message)
    elif use is Use.PREDICATE:
        judge.demand(expression, given, Kind.BOOLEAN, "a predicate must be a boolean")


def _leaf(node: Expression, known: Knowledge, judge: Judge) -> Outcome | None:
    """The outcome of a node without operands; None for any other."""
    if isinstance(node, Name):
        return infer_name(node, known, judge)
    if isinstance(node, Literal):
        return Outcome(type_of(node.value), known, known, number=number_of(node.value))
    return None


def _walk(node: Expression, known: Knowledge, judge: Judge) -> _Walk:
    match node:
        case Member():
            operand = yield node.operand, known, judge
            return infer_member(node, operand, judge)
        case Index():
            operand = yield node.operand, known, judge
            return infer_index(node, operand, judge)
        case Unary():
            operand = yield node.operand, known, judge
            return folded(node, (operand,), infer_unary(node, operand, judge), judge)
        case Call():
            arguments: list[Outcome] = []
            for argument in node.arguments:
                arguments.append((yield argument, known, judge))
                known = arguments[-1].after
            return folded(node, arguments, infer_call(node, arguments, known, judge), judge)
        case Binary():
            left = yield node.left, known, judge
            if is_logical(node.operator):
                left = infer_condition(node, left, judge)
                further = judge.at(reach_of_right(node, left, judge.reach))
                is_or = node.operator is BinaryOperator.OR
                right = yield node.right, left.when_false if is_or else left.when_true, further
                return infer_logical(node, left, right, further)
            right = yield node.right, left.after, judge
            return folded(node, (left, right), infer_operator(node, left, right, judge), judge)
        case Literal() | Name():
            raise AssertionError("a leaf has no walk")
        case _:
            assert_never(node)
