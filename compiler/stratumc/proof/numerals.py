"""What is known of numbers as texts: each text is of one number, and whole numbers have their digits."""

from __future__ import annotations

from fractions import Fraction

import z3

from stratum_runtime.jsontext import number_text
from stratumc.proof.logic import conjunction, equivalence, implication, negation
from stratumc.proof.strings import named_texts
from stratumc.proof.values import Amount, Words
from stratumc.proof.world import World

_MOST_DIGITS = 6
_SHORTEST_BEYOND = 5
"""Of a whole number with more digits: from 1e21 on there is an exponent, as in `1e+21`."""


def number_words(world: World, owner: int, amount: Amount) -> Words:
    """`str` of a number. No two doubles have one text, and only some texts are of a number."""
    real = z3.ToReal(amount.term) if amount.integral else amount.term
    words = Words(z3.Function("str", z3.RealSort(), z3.RealSort())(real))
    world.add(owner, words.term > 0)
    world.add(owner, z3.Function("number", z3.RealSort(), z3.RealSort())(words.term) == real)
    for text in named_texts(world, words):
        same = words.term == world.text(text).term
        number = numeral(text)
        world.add(
            owner, negation(same) if number is None else equivalence(same, real == z3.RealVal(str(number)))
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
