"""What is known of the items of a list: membership, `any`, `all`, `min` and `max`.

Each is a variable of its own, tied to the items that something asked for and to each other.
"""

from __future__ import annotations

from stratumc.proof.compare import equal, identity, is_true
from stratumc.proof.logic import Formula, conjunction, implication
from stratumc.proof.values import Amount, Array, Outcome, Value, Words
from stratumc.proof.world import World


def includes(world: World, array: Array, value: Value) -> Formula:
    """That a list has an item equal to `value`."""

    def make() -> Formula:
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
        return every

    every = world.shared(("all", id(array)), make, array)
    full = conjunction(every, array.length >= 1)
    world.add(array.owner, implication(full, any_true(world, array)))
    return every


def extreme(world: World, array: Array, function: str) -> Outcome:
    """The least (`min`) or greatest (`max`) item: an item, and beyond none of those that are known."""

    def make() -> Outcome:
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
