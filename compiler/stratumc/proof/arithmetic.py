"""Arithmetic on doubles: exact terms, and what rounding leaves of them.

A double operation is the exact one, rounded to the nearest double. `Rounding` keeps both apart: a query takes
them as equal to find a run, and as related only by what rounding guarantees to prove that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import z3

from stratumc.expr.ast import BinaryOperator
from stratumc.proof.logic import Formula, Term
from stratumc.proof.strings import joined
from stratumc.proof.values import Amount, Outcome, Value, Words, sure
from stratumc.proof.world import EXACT_LIMIT, Rounding, World

_WHOLE_LIMIT = EXACT_LIMIT // 2
"""A quotient of integers below it that is no integer is further from the next one than rounding moves it."""


def negate(amount: Amount) -> Amount:
    """`-amount`, which is always exact."""
    return Amount(-amount.term, amount.integral)


def calculate(world: World, owner: int, operator: BinaryOperator, left: Value, right: Value) -> Outcome:
    """`left operator right` for `+ - * /`; nothing when it fails."""
    match left, right:
        case Words(), Words() if operator is BinaryOperator.ADD:
            return sure(joined(world, owner, left, right))
        case Amount(), Amount():
            return _numbers(world, owner, operator, left, right)
        case _:
            return ()


def _numbers(world: World, owner: int, operator: BinaryOperator, left: Amount, right: Amount) -> Outcome:
    integral = left.integral and right.integral
    a, b = left.term, right.term
    match operator:
        case BinaryOperator.ADD:
            return sure(_rounded(world, owner, a + b, integral))
        case BinaryOperator.SUBTRACT:
            return sure(_rounded(world, owner, a - b, integral))
        case BinaryOperator.MULTIPLY:
            return sure(_rounded(world, owner, a * b, integral))
        case _:
            quotient = (z3.ToReal(a) if left.integral else a) / (z3.ToReal(b) if right.integral else b)
            if left.integral and _is_power_of_two(b):
                return sure(Amount(z3.simplify(quotient), integral=False))
            divides: Formula = b != 0
            whole = (a, b) if integral else None
            return ((divides, _rounded(world, owner, quotient, integral=False, whole=whole)),)


def _is_power_of_two(term: Term) -> bool:
    """Whether whole numbers divided by a number stay doubles: only their exponent changes."""
    if not z3.is_int_value(term):
        return False
    number = term.as_long()
    return bool(0 < number <= EXACT_LIMIT and number & (number - 1) == 0)


def _rounded(
    world: World, owner: int, exact: Term, integral: bool, whole: tuple[Term, Term] | None = None
) -> Amount:
    """The result of one operation; operations on known numbers are done at once.

    Operations whose exact results are equal have one result, whatever the order of their operands.
    """
    value = z3.simplify(exact, sort_sums=True)
    if z3.is_int_value(value) or z3.is_rational_value(value):
        return Amount(value, integral and z3.is_int_value(value))

    def make() -> Rounding:
        result = world.integer("rounded") if integral else world.real("rounded")
        return Rounding(result, exact, integral, whole)

    rounding = world.shared(("rounding", value.get_id(), integral), make, value)
    known = world.roundings.setdefault(owner, [])
    if rounding not in known:
        known.append(rounding)
        world.history.append((owner, rounding.result == rounding.exact))
    return Amount(rounding.result, integral)


def exact_rules(roundings: Iterable[Rounding]) -> Iterator[Formula]:
    """That nothing is rounded."""
    for rounding in roundings:
        yield rounding.result == rounding.exact


def rounding_rules(roundings: list[Rounding], doubles: Iterable[Term]) -> Iterator[Formula]:
    """All that rounding guarantees: order against every double at hand is kept, small integers are exact."""
    others: list[Any] = [*doubles, *(rounding.result for rounding in roundings), 0]
    for rounding in roundings:
        rules = [
            rule
            for other in others
            for rule in (
                z3.Implies(rounding.exact >= other, rounding.result >= other),
                z3.Implies(rounding.exact <= other, rounding.result <= other),
            )
        ]
        if rounding.integral:
            small = z3.And(rounding.exact <= EXACT_LIMIT, rounding.exact >= -EXACT_LIMIT)
            yield z3.If(small, rounding.result == rounding.exact, z3.And(*rules))
        else:
            yield from rules
        if rounding.whole is not None:
            yield z3.Implies(
                z3.And(*(z3.And(one > -EXACT_LIMIT, one < EXACT_LIMIT) for one in rounding.whole)),
                z3.ToInt(rounding.result) == z3.ToInt(rounding.exact),
            )
