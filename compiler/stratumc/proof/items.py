"""What is known of the items of a list: membership, `any`, `all`, `min` and `max`.

Each is a variable of its own, tied to the items that something asked for and to each other.
"""

from __future__ import annotations

from stratumc.proof.compare import equal, identity, is_true
from stratumc.proof.logic import Formula, conjunction, disjunction, implication, negation
from stratumc.proof.values import Amount, Array, Outcome, Value, Words
from stratumc.proof.world import World
from stratumc.spec.syntax import EnumType, Primitive

_CLOSED, _MOST_CLOSED = 2, 6
"""Lists of at most so many items have no others than the first ones: more when more are spoken of."""

_PLAIN = (Primitive.STRING, Primitive.INTEGER, Primitive.NUMBER, Primitive.BOOLEAN)


def _is_plain(array: Array) -> bool:
    """Whether each item is one value of one simple type."""
    return isinstance(array.default, EnumType) or array.default in _PLAIN


def _some_item(world: World, array: Array) -> Outcome:
    """An item that may be anywhere in a list; nothing when the items are of no simple type."""
    _settle(world, array)
    return world.value(array.default, "item", array.owner) if _is_plain(array) else ()


def _settle(world: World, array: Array) -> None:
    """Says of a list of simple items that what is known to be in it is one of the first if it is short."""
    if _is_plain(array):
        world.shared(("settled", id(array)), lambda: _close(world, array), array)


def _close(world: World, array: Array) -> bool:
    known: list[tuple[Formula, Value]] = []
    level = 0

    def settle(guard: Formula, item: Value) -> None:
        places = (
            conjunction(array.length > place, there, equal(world, array.owner, one, item))
            for place in range(level)
            for there, one in array.element(place)
        )
        short = conjunction(guard, array.length <= level)
        world.add(array.owner, implication(short, disjunction(*places)))

    def seen(guard: Formula, item: Value) -> None:
        nonlocal level
        if any(item is one for outcome in array.elements.values() for _, one in outcome):
            return
        known.append((guard, item))
        wanted = min(max(_CLOSED, len(known), len(array.elements)), _MOST_CLOSED)
        newer = known if wanted > level else known[-1:]
        level = max(level, wanted)
        for one in tuple(newer):
            settle(*one)

    array.watch(seen)
    return True


def includes(world: World, array: Array, value: Value) -> Formula:
    """That a list has an item equal to `value`."""

    def make() -> Formula:
        _settle(world, array)
        member = world.boolean("includes")
        world.add(array.owner, implication(member, array.length >= 1))

        def seen(guard: Formula, item: Value) -> None:
            same = equal(world, array.owner, item, value)
            world.add(array.owner, implication(conjunction(guard, same), member))

        array.watch(seen)
        array.know(member, value)
        return member

    return world.shared(("includes", id(array), identity(value)), make, array, value)


def any_true(world: World, array: Array) -> Formula:
    """That some item is true."""

    def make() -> Formula:
        some = world.boolean("any")
        world.add(array.owner, implication(some, array.length >= 1))
        array.watch(
            lambda guard, item: world.add(array.owner, implication(conjunction(guard, is_true(item)), some))
        )
        for guard, item in _some_item(world, array):
            array.know(conjunction(some, guard), item)
            world.add(array.owner, implication(some, is_true(item)))
        return some

    return world.shared(("any", id(array)), make, array)


def all_true(world: World, array: Array) -> Formula:
    """That every item is true; an empty list is all true, and a list that isn't has some true item."""

    def make() -> Formula:
        every = world.boolean("all")
        world.add(array.owner, implication(array.length == 0, every))
        array.watch(
            lambda guard, item: world.add(array.owner, implication(conjunction(every, guard), is_true(item)))
        )
        for guard, item in _some_item(world, array):
            array.know(conjunction(negation(every), guard), item)
            world.add(array.owner, implication(negation(every), negation(is_true(item))))
        return every

    every = world.shared(("all", id(array)), make, array)
    full = conjunction(every, array.length >= 1)
    world.add(array.owner, implication(full, any_true(world, array)))
    return every


def extreme(world: World, array: Array, function: str) -> Outcome:
    """The least (`min`) or greatest (`max`) item: an item, and beyond none of those that are known."""

    def make() -> Outcome:
        _settle(world, array)
        comparable = world.boolean("comparable")
        values = world.value(array.default, function, array.owner)
        plain = len(values) == 1
        found: list[tuple[Formula, Value]] = []
        for guard, value in values:
            if isinstance(value, Amount | Words):
                there = conjunction(guard, array.length >= 1, plain or comparable)
                found.append((there, value))
                _bound(world, array, there, value, least=function == "min")
        return tuple(found)

    return world.shared((function, id(array)), make, array)


def _bound(world: World, array: Array, there: Formula, value: Amount | Words, *, least: bool) -> None:
    """Ties an extreme to the items: it is one of them, and none lies beyond it."""

    def seen(guard: Formula, item: Value) -> None:
        if isinstance(item, Amount | Words) and type(item) is type(value):
            low, high = (value, item) if least else (item, value)
            world.add(array.owner, implication(conjunction(there, guard), low.term <= high.term))

    array.watch(seen)
    array.know(there, value)
