"""From the strings of a model, which are places in an order, to strings one can read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from stratum_runtime.expression_values import contains, length_of
from stratum_runtime.pattern import compile_pattern
from stratumc.proof.patterns import samples
from stratumc.proof.solver import Query
from stratumc.proof.substrings import Wish
from stratumc.proof.world import World

_MOST_TRIES = 200


class Texts:
    """Gives each string of a model a text: known ones their own, others a short one that passes its tests."""

    def __init__(self, world: World, query: Query) -> None:
        self._world, self._query = world, query
        self._given: dict[Fraction, str] = dict(world.texts.by_rank)
        self._taken = set(world.texts.by_rank.values())
        self._lengths = {
            query.number(term): int(query.number(world.terms.length_of_text(term)))
            for term in world.measured.values()
        }
        self._wishes: dict[Fraction, list[tuple[Wish, bool]]] = {}
        for wish in world.wishes:
            place = query.number(wish.text)
            self._wishes.setdefault(place, []).append((wish, query.truth(wish.formula)))

    def text(self, place: Fraction) -> str:
        """The text of the string at this place in the order; equal places have equal texts."""
        if place not in self._given:
            tries = itertools.islice(self._candidates(place), _MOST_TRIES)
            fitting = (text for text in tries if text not in self._taken and self._passes(place, text))
            self._given[place] = next(fitting, "x")
            self._taken.add(self._given[place])
        return self._given[place]

    def _passes(self, place: Fraction, text: str) -> bool:
        length = self._lengths.get(place)
        if length is not None and length_of(text) != length:
            return False
        return all(self._test(wish, text) == wanted for wish, wanted in self._wishes.get(place, ()))

    def _test(self, wish: Wish, text: str) -> bool:
        if wish.pattern is not None:
            return compile_pattern(wish.pattern).search(text)
        return wish.part is not None and contains(self._part(wish), text)

    def _part(self, wish: Wish) -> str:
        assert wish.part is not None
        return (
            wish.part.literal
            if wish.part.literal is not None
            else self.text(self._query.number(wish.part.term))
        )

    def _candidates(self, place: Fraction) -> Iterator[str]:
        """Texts to try: what wished patterns match and wished parts make, then plain letters."""
        length = self._lengths.get(place)
        wished = [wish for wish, wanted in self._wishes.get(place, ()) if wanted]
        wished_parts = dict.fromkeys(self._part(wish) for wish in wished if wish.pattern is None)
        parts = "".join(wished_parts)
        for wish in wished:
            if wish.pattern is not None:
                for sample in samples(wish.pattern):
                    lacking = "".join(part for part in wished_parts if not contains(part, sample))
                    yield from (sample + lacking, lacking + sample)
                    if length is not None:
                        yield sample + lacking + "a" * (length - length_of(sample + lacking))
        for letter in "abcdefghijklmnopqrstuvwxyz0 -":
            yield parts + letter if length is None else parts + letter * (length - length_of(parts))
        for number in range(_MOST_TRIES):
            digits = str(number)
            yield parts + digits if length is None else digits.rjust(length - length_of(parts), "a") + parts
