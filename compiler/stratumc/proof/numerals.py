"""What is known of numbers as texts: each text is of one number, and whole numbers have their digits."""

from __future__ import annotations

from fractions import Fraction

import z3

from stratum_runtime.expression import Value, evaluate
from stratum_runtime.jsontext import number_text
from stratumc.expr import compile_text
from stratumc.proof.compare import identity
from stratumc.proof.logic import conjunction, equivalence, implication, negation
from stratumc.proof.substrings import named_texts
from stratumc.proof.values import Amount, Outcome, Words, sure
from stratumc.proof.world import EXACT_LIMIT, World

_MOST_DIGITS = 6
_SHORTEST_BEYOND = 5
"""Of a whole number with more digits: from 1e21 on there is an exponent, as in `1e+21`."""


def number_words(world: World, owner: int, amount: Amount) -> Words:
    """`str` of a number. No two doubles have one text, and only some texts are of a number."""
    real = z3.ToReal(amount.term) if amount.integral else amount.term
    words = Words(world.terms.function("str")(real))
    world.add(owner, words.term > 0)
    world.add(owner, world.terms.function("number")(words.term) == real)
    for text in named_texts(world, words):
        same = words.term == world.text(text).term
        number = numeral(text)
        world.add(
            owner, negation(same) if number is None else equivalence(same, real == world.terms.real(number))
        )
    if amount.integral:
        _measure(world, owner, amount.term, words)
    return words


def numeral(text: str) -> Fraction | None:
    """The number of which a text is what `str` gives."""
    try:
        number = float(text)
    except ValueError:
        return None
    if number - number != 0 or number_text(number) != text:
        return None
    return Fraction(number)


def _measure(world: World, owner: int, number: z3.ExprRef, words: Words) -> None:
    length = world.length(words, owner)
    for digits in range(1, _MOST_DIGITS + 1):
        low, high = 10 ** (digits - 1) if digits > 1 else 0, 10**digits
        world.add(owner, implication(conjunction(number >= low, number < high), length == digits))
        below = conjunction(number <= -max(low, 1), number > -high)
        world.add(owner, implication(below, length == digits + 1))
    beyond = z3.Or(number >= 10**_MOST_DIGITS, number <= -(10**_MOST_DIGITS))
    world.add(owner, implication(beyond, length >= _SHORTEST_BEYOND))


def truncated(world: World, owner: int, number: z3.ExprRef) -> Amount:
    """`int` of a number, between whole numbers that are doubles."""

    def make() -> tuple[z3.ExprRef, z3.ExprRef]:
        return world.integer("floor"), world.integer("above")

    floor, above = world.shared(("floor", number.get_id()), make, number)
    world.add(owner, floor == z3.ToInt(number))
    small = z3.And(floor < EXACT_LIMIT, floor >= -EXACT_LIMIT)
    world.add(owner, above == z3.If(small, floor + 1, floor))
    ceiling = z3.If(z3.ToReal(floor) == number, floor, floor + 1)
    return Amount(z3.If(number >= 0, floor, ceiling), integral=True)


def parsed(world: World, owner: int, words: Words) -> Outcome:
    """`int` of a string: fails unless it is of decimal digits, after a sign or none."""
    if words.literal is not None:
        value = _digits(words.literal)
        return () if value is None else sure(Amount(world.terms.integer(value), integral=True))

    def make() -> tuple[z3.ExprRef, z3.ExprRef]:
        return world.boolean("digits"), world.integer("int")

    digits, number = world.shared(("int", identity(words)), make, words)
    world.add(owner, implication(digits, words.term > 0))
    for text in named_texts(world, words):
        value = _digits(text)
        known = negation(digits) if value is None else conjunction(digits, number == value)
        world.add(owner, implication(words.term == world.text(text).term, known))
    return ((digits, Amount(number, integral=True)),)


def _digits(text: str) -> int | None:
    result = evaluate(compile_text("int(item)"), {"item": text})
    return int(result.value) if isinstance(result, Value) else None
