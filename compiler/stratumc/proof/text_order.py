"""Known texts as numbers: the less text has the lesser number, and there is always room between two."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction

from stratum_runtime.expression_values import code_units

_ALWAYS_NAMED = ("", "true", "false", "null")


class TextOrder:
    """The known texts in the order in which expressions compare them, by UTF-16 code units."""

    def __init__(self, named: Iterable[str]) -> None:
        texts = sorted({*named, *_ALWAYS_NAMED}, key=code_units)
        self._units = [code_units(text) for text in texts]
        self._ranks = [Fraction(number) for number in range(len(texts))]
        self.by_rank = dict(zip(self._ranks, texts, strict=True))
        self._derived: set[str] = set()
        self._new = texts

    def rank(self, text: str, *, derived: bool = False) -> Fraction:
        """The number of a text, which becomes a known one.

        A `derived` text is made of those that the document names, and isn't what a string is likely to be.
        """
        units = code_units(text)
        place = bisect_left(self._units, units)
        if place == len(self._units) or self._units[place] != units:
            above = self._ranks[place] if place < len(self._ranks) else self._ranks[-1] + 2
            self._units.insert(place, units)
            self._ranks.insert(place, (self._ranks[place - 1] + above) / 2)
            self.by_rank[self._ranks[place]] = text
            self._new.append(text)
            if derived:
                self._derived.add(text)
        return self._ranks[place]

    @property
    def named(self) -> tuple[str, ...]:
        """The texts that aren't derived, in the order in which they became known."""
        return tuple(text for text in self.by_rank.values() if text not in self._derived)

    def take_new(self) -> list[str]:
        """The texts that became known since this was asked before."""
        new, self._new = self._new, []
        return new
