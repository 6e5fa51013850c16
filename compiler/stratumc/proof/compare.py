"""Equality, order and membership of symbolic values."""

from __future__ import annotations

from collections.abc import Callable

from stratumc.expr.ast import BinaryOperator
from stratumc.proof.logic import Formula, Term, conjunction, disjunction, equivalence, implication
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Slot, Truth, Value, Words
from stratumc.proof.world import World
from stratumc.spec.syntax import EnumType, Primitive

_COMPARED = 2
"""Of equal lists of simple values so many first items are known to be equal."""


def equal(world: World, owner: int, left: Value, right: Value) -> Formula:
    """That two values are equal by structure; unknown, but the same each time, for lists and open objects."""
    match left, right:
        case Nil(), Nil():
            return True
        case Truth(), Truth():
            return equivalence(left.term, right.term)
        case Amount(), Amount():
            return True if left.term is right.term else left.term == right.term
        case Words(), Words():
            return _same_words(left, right)
        case Record(), Record():
            return _same_record(world, owner, left, right)
        case (Array(), Array()) | (Open(), Open()) | (Record(), Open()) | (Open(), Record()):
            return _unknown_equality(world, owner, left, right)
        case _:
            return False


def _same_words(left: Words, right: Words) -> Formula:
    if left.literal is not None and right.literal is not None:
        return left.literal == right.literal
    for one, other in ((left, right), (right, left)):
        if one.members is not None and other.literal is not None and other.literal not in one.members:
            return False
    return left.term == right.term


def _same_record(world: World, owner: int, left: Record, right: Record) -> Formula:
    if left is right:
        return True
    nothing = Slot(False, ())
    parts = []
    for name in dict.fromkeys((*left.slots, *right.slots)):
        first = left.slots.get(name, nothing)
        second = right.slots.get(name, nothing)
        parts.append(equivalence(first.present, second.present))
        parts.append(implication(first.present, same_outcome(world, owner, first.value, second.value)))
    return conjunction(*parts)


def same_outcome(world: World, owner: int, left: Outcome, right: Outcome) -> Formula:
    """That two outcomes come to equal values."""
    return disjunction(
        *(conjunction(first, second, equal(world, owner, a, b)) for first, a in left for second, b in right)
    )


def _unknown_equality(world: World, owner: int, left: Value, right: Value) -> Formula:
    if left is right:
        return True
    key = ("equal", *sorted((id(left), id(right))))
    same = world.shared(key, lambda: world.boolean("equal"), left, right)
    if isinstance(left, Array | Open) and isinstance(right, Array | Open):
        world.add(owner, implication(same, left.length == right.length))
    if isinstance(left, Array) and isinstance(right, Array):
        empty = conjunction(left.length == 0, right.length == 0)
        world.add(owner, implication(empty, same))
        if left.default == right.default and isinstance(left.default, Primitive | EnumType):
            for place in range(_COMPARED):
                items = same_outcome(world, owner, left.element(place), right.element(place))
                world.add(owner, implication(conjunction(same, left.length > place), items))
    return same


def is_ordered(operator: BinaryOperator, left: Value, right: Value) -> Formula | None:
    """That `left < right` and the like (no other operator) hold; None where they fail."""
    match left, right:
        case (Amount(term=low), Amount(term=high)) | (Words(term=low), Words(term=high)):
            return _ORDERINGS[operator](low, high)
        case _:
            return None


_ORDERINGS: dict[BinaryOperator, Callable[[Term, Term], Formula]] = {
    BinaryOperator.LESS: lambda low, high: low < high,
    BinaryOperator.LESS_EQUAL: lambda low, high: low <= high,
    BinaryOperator.GREATER: lambda low, high: low > high,
    BinaryOperator.GREATER_EQUAL: lambda low, high: low >= high,
}


def identity(value: Value) -> object:
    """What two values that are written alike have in common."""
    match value:
        case Amount(term=term) | Words(term=term):
            return (type(value), term.get_id())
        case Truth(term=term):
            return (Truth, term if isinstance(term, bool) else term.get_id())
        case Nil():
            return Nil
        case _:
            return id(value)


def has_key(world: World, value: Record | Open, name: Words) -> Formula:
    """That an object has a member of a name that isn't known."""
    if isinstance(value, Record):
        return disjunction(
            *(
                conjunction(slot.present, _same_words(world.text(key), name))
                for key, slot in value.slots.items()
            )
        )
    key = ("key", id(value), identity(name))
    found: Formula = world.shared(key, lambda: world.boolean("has key"), value, name)
    return found


def is_true(value: Value) -> Formula:
    """Truth of any value: null, `false`, 0, and what is empty are untrue."""
    match value:
        case Nil():
            return False
        case Truth(term):
            return term
        case Amount(term=term) | Words(term=term):
            return term != 0
        case Array() | Open():
            return value.length >= 1
        case Record():
            return disjunction(*(slot.present for slot in value.slots.values()))
        case _:
            raise AssertionError(value)
