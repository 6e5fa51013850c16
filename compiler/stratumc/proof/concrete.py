"""From a model to JSON values: the parts that some formula speaks of, and the rest as plain as can be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, assert_never

from stratumc.proof.solver import Query
from stratumc.proof.texts import Texts
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Truth, Value, Words
from stratumc.proof.world import LazySlots, World

MISSING = object()
"""What an outcome that fails comes to."""

_MOST_ITEMS = 64


class Concrete:
    """Reads JSON values out of one model."""

    def __init__(self, world: World, query: Query) -> None:
        self._world, self._query = world, query
        self._texts = Texts(world, query)

    def outcome(self, outcome: Outcome) -> Any:
        """The value that an outcome comes to in the model, or MISSING."""
        for guard, value in outcome:
            if self._query.holds(guard):
                return self.value(value)
        return MISSING

    def value(self, value: Value) -> Any:
        """A value as JSON; of an object, the members that something asked for."""
        match value:
            case Nil():
                return None
            case Truth(term):
                return self._query.holds(term)
            case Amount(term=term):
                return plain_number(self._query.number(term))
            case Words():
                return value.literal if value.literal is not None else self._text(value)
            case Record():
                return self._record(value)
            case Array():
                return self._array(value)
            case Open():
                members = ((name, self._slot(slot)) for name, slot in value.members.items())
                return {name: inner for name, inner in members if inner is not MISSING}
            case _:
                assert_never(value)

    def _text(self, words: Words) -> str:
        return self._texts.text(self._query.number(words.term))

    def _record(self, record: Record) -> dict[str, Any]:
        made = record.slots.made if isinstance(record.slots, LazySlots) else record.slots
        values = ((name, self._slot(slot)) for name, slot in made.items())
        return {name: value for name, value in values if value is not MISSING}

    def _slot(self, slot: Any) -> Any:
        return self.outcome(slot.value) if self._query.holds(slot.present) else MISSING

    def _array(self, array: Array) -> list[Any]:
        length = min(int(self._query.number(array.length)), _MOST_ITEMS)
        items = []
        for index in range(length):
            item = self.outcome(array.elements[index]) if index in array.elements else MISSING
            items.append(self._world.plainest(array.default) if item is MISSING else item)
        return items


def plain_number(number: Fraction) -> int | float:
    """A number as JSON: an integer when it is one."""
    return int(number) if number.denominator == 1 else float(number)
