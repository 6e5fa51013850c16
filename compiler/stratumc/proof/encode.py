"""Expressions to symbolic outcomes (expressions.md): what they come to, and when they fail."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from stratum_runtime.expression_values import BLOCKED_MEMBERS
from stratumc.expr.ast import (
    Binary,
    BinaryOperator,
    Call,
    Expression,
    Index,
    Literal,
    Member,
    Name,
    Unary,
    UnaryOperator,
)
from stratumc.proof.arithmetic import calculate, negate
from stratumc.proof.calls import call
from stratumc.proof.compare import equal, has_key, is_ordered
from stratumc.proof.items import includes
from stratumc.proof.logic import Formula, conjunction, disjunction, negation
from stratumc.proof.values import (
    Amount,
    Array,
    Nil,
    Open,
    Outcome,
    Record,
    Slot,
    Truth,
    Value,
    Words,
    sure,
)
from stratumc.proof.world import World

_LOGICAL = (BinaryOperator.AND, BinaryOperator.OR)


class Encoder:
    """Encodes expressions over some bindings; what it has to add to the world it adds for `owner`."""

    def __init__(self, world: World, owner: int, bindings: Mapping[str, Outcome]) -> None:
        self._world, self._owner, self._bindings = world, owner, bindings

    def predicate(self, expression: Expression) -> Formula:
        """That the expression comes to `true`."""
        return _truth(self.outcome(expression))[1]

    def outcome(self, expression: Expression) -> Outcome:
        """What the expression comes to. Chains of binary operators lean left and may be long: a loop."""
        spine: list[Binary] = []
        while isinstance(expression, Binary):
            spine.append(expression)
            expression = expression.left
        outcome = self._plain(expression)
        while spine:
            binary = spine.pop()
            right = self.outcome(binary.right)
            if binary.operator in _LOGICAL:
                outcome = _logical(binary.operator, outcome, right)
            else:
                outcome = self._operate(binary.operator, outcome, right)
        return outcome

    def _plain(self, expression: Literal | Name | Member | Index | Call | Unary) -> Outcome:
        match expression:
            case Literal(value):
                return sure(self._literal(value))
            case Name(name):
                return self._bindings.get(name, ())
            case Member(operand, name):
                return follow(self.outcome(operand), name)
            case Index(operand, index):
                return follow(self.outcome(operand), index)
            case Call(function, arguments):
                return call(self._world, self._owner, function, tuple(map(self.outcome, arguments)))
            case Unary(UnaryOperator.NOT, operand):
                defined, true = _truth(self.outcome(operand))
                return _boolean(defined, conjunction(defined, negation(true)))
            case Unary(UnaryOperator.NEGATE, operand):
                amounts = (
                    (guard, negate(value))
                    for guard, value in self.outcome(operand)
                    if isinstance(value, Amount)
                )
                return tuple(amounts)
            case _:
                raise AssertionError(expression)

    def _literal(self, value: str | float | bool | None) -> Value:
        match value:
            case None:
                return Nil()
            case bool():
                return Truth(value)
            case str():
                return self._world.text(value)
            case int() | float():
                exact = Fraction(value)
                if exact.denominator == 1:
                    return Amount(self._world.terms.integer(exact.numerator), integral=True)
                return Amount(self._world.terms.real(exact), integral=False)
            case _:
                assert_never(value)

    def _operate(self, operator: BinaryOperator, left: Outcome, right: Outcome) -> Outcome:
        if operator in (
            BinaryOperator.ADD,
            BinaryOperator.SUBTRACT,
            BinaryOperator.MULTIPLY,
            BinaryOperator.DIVIDE,
        ):
            return tuple(
                (conjunction(first, second, guard), value)
                for first, a in left
                for second, b in right
                for guard, value in calculate(self._world, self._owner, operator, a, b)
            )
        defined, true = [], []
        for first, a in left:
            for second, b in right:
                holds = self._compare(operator, a, b)
                if holds is not None:
                    both = conjunction(first, second)
                    defined.append(both)
                    true.append(conjunction(both, holds))
        return _boolean(disjunction(*defined), disjunction(*true))

    def _compare(self, operator: BinaryOperator, left: Value, right: Value) -> Formula | None:
        """That a comparison of two values holds; None when it fails."""
        match operator:
            case BinaryOperator.EQUAL:
                return equal(self._world, self._owner, left, right)
            case BinaryOperator.NOT_EQUAL:
                return negation(equal(self._world, self._owner, left, right))
            case BinaryOperator.IN:
                return self._contains(left, right)
            case _:
                return is_ordered(operator, left, right)

    def _contains(self, left: Value, right: Value) -> Formula | None:
        match left, right:
            case _, Array():
                return includes(self._world, right, left)
            case Words(), Words():
                return self._substring(left, right)
            case Words(literal=str() as name), Record() | Open():
                return None if name in BLOCKED_MEMBERS else _slot_of(right, name).present
            case Words(), Record() | Open():
                return has_key(self._world, right, left)
            case _:
                return None

    def _substring(self, needle: Words, haystack: Words) -> Formula:
        from stratumc.proof.substrings import spread, substring

        spread(self._world, self._owner, needle)
        return substring(self._world, self._owner, needle, haystack)


def _slot_of(value: Record | Open, name: str) -> Slot:
    if isinstance(value, Open):
        return value.member(name)
    return value.slots[name] if name in value.slots else Slot(False, ())


def follow(outcome: Outcome, part: str | int) -> Outcome:
    """`outcome.part` or `outcome[part]`."""
    found: list[tuple[Formula, Value]] = []
    for guard, value in outcome:
        if isinstance(part, str) and isinstance(value, Record | Open):
            slot = _slot_of(value, part)
            found.extend((conjunction(guard, slot.present, some), inner) for some, inner in slot.value)
        elif isinstance(part, int) and isinstance(value, Array):
            there = conjunction(guard, value.length > part)
            found.extend((conjunction(there, some), inner) for some, inner in value.element(part))
    return tuple((guard, value) for guard, value in found if guard is not False)


def _truth(outcome: Outcome) -> tuple[Formula, Formula]:
    """When an outcome is a boolean, and when it is `true`."""
    truths = [(guard, value.term) for guard, value in outcome if isinstance(value, Truth)]
    return (
        disjunction(*(guard for guard, _ in truths)),
        disjunction(*(conjunction(guard, term) for guard, term in truths)),
    )


def _boolean(defined: Formula, true: Formula) -> Outcome:
    return () if defined is False else ((defined, Truth(true)),)


def _logical(operator: BinaryOperator, left: Outcome, right: Outcome) -> Outcome:
    left_defined, left_true = _truth(left)
    right_defined, right_true = _truth(right)
    goes_on = left_true if operator is BinaryOperator.AND else conjunction(left_defined, negation(left_true))
    decided = conjunction(left_defined, negation(left_true)) if operator is BinaryOperator.AND else left_true
    defined = disjunction(decided, conjunction(goes_on, right_defined))
    if operator is BinaryOperator.AND:
        return _boolean(defined, conjunction(left_true, right_true))
    return _boolean(defined, disjunction(left_true, conjunction(goes_on, right_true)))
