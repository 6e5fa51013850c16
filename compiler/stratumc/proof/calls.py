"""Function calls on symbolic values (expressions.md, "Functions")."""

from __future__ import annotations

from collections.abc import Callable

import z3

from stratumc.proof.compare import identity, is_true
from stratumc.proof.items import all_true, any_true, extreme
from stratumc.proof.logic import Formula, Term, conjunction
from stratumc.proof.numerals import number_words, parsed, truncated
from stratumc.proof.strings import found_in, is_admitted
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Truth, Value, Words, sure
from stratumc.proof.world import World


def call(world: World, owner: int, function: str, arguments: tuple[Outcome, ...]) -> Outcome:
    """What a call comes to; nothing when there is no such function or the number of arguments is wrong."""
    if function in _UNARY and len(arguments) == 1:
        return _each(arguments[0], lambda value: _UNARY[function](world, owner, value))
    if function in _EXTREMES and len(arguments) == 1:
        return _each(arguments[0], lambda value: _extreme(world, function, value))
    if function == "matches" and len(arguments) == 2:
        text, pattern = arguments
        return _each(text, lambda a: _each(pattern, lambda b: _matches(world, owner, a, b)))
    if function in _FILES and len(arguments) == _FILES[function]:
        return _file(world, function, arguments)
    return ()


def _each(outcome: Outcome, apply: Callable[[Value], Outcome]) -> Outcome:
    found = ((conjunction(guard, more), result) for guard, value in outcome for more, result in apply(value))
    return tuple((guard, value) for guard, value in found if guard is not False)


def _len(world: World, owner: int, value: Value) -> Outcome:
    match value:
        case Words():
            return sure(Amount(world.length(value, owner), integral=True))
        case Array() | Open():
            return sure(Amount(value.length, integral=True))
        case Record():
            counts = [_count(world, slot.present) for slot in value.slots.values()]
            return sure(Amount(z3.Sum(*counts) if counts else world.terms.integer(0), integral=True))
        case _:
            return ()


def _count(world: World, formula: Formula) -> Term:
    if isinstance(formula, bool):
        return world.terms.integer(int(formula))
    return z3.If(formula, world.terms.integer(1), world.terms.integer(0))


def _any(world: World, _owner: int, value: Value) -> Outcome:
    return sure(Truth(any_true(world, value))) if isinstance(value, Array) else ()


def _all(world: World, _owner: int, value: Value) -> Outcome:
    return sure(Truth(all_true(world, value))) if isinstance(value, Array) else ()


def _extreme(world: World, function: str, value: Value) -> Outcome:
    return extreme(world, value, function) if isinstance(value, Array) else ()


def _str(world: World, owner: int, value: Value) -> Outcome:
    match value:
        case Words():
            return sure(value)
        case Nil():
            return sure(world.text("null"))
        case Truth(bool() as known):
            return sure(world.text("true" if known else "false"))
        case Truth(term):
            return sure(Words(z3.If(term, world.text("true").term, world.text("false").term)))
        case Amount():
            return sure(number_words(world, owner, value))
        case _:
            text = world.shared(("str", id(value)), lambda: world.real("str"), value)
    world.add(owner, text > 0)
    return sure(Words(text))


def _int(world: World, owner: int, value: Value) -> Outcome:
    match value:
        case Truth(term):
            return sure(Amount(_count(world, term), integral=True))
        case Amount(integral=True):
            return sure(value)
        case Amount(term=term):
            return sure(truncated(world, owner, term))
        case Words():
            return parsed(world, owner, value)
        case _:
            return ()


def _bool(_world: World, _owner: int, value: Value) -> Outcome:
    return sure(Truth(is_true(value)))


def _matches(world: World, owner: int, text: Value, pattern: Value) -> Outcome:
    if not isinstance(text, Words) or not isinstance(pattern, Words):
        return ()
    if pattern.literal is None:
        key = ("matches", identity(text), identity(pattern))
        admitted, found = world.shared(
            key, lambda: (world.boolean("admitted"), world.boolean("matches")), text, pattern
        )
        return ((admitted, Truth(found)),)
    if not is_admitted(pattern.literal):
        return ()
    return sure(Truth(found_in(world, owner, text, pattern.literal)))


def _file(world: World, function: str, arguments: tuple[Outcome, ...]) -> Outcome:
    """A file predicate: whether it can be answered, and the answer, are unknown but each time the same."""
    choices: list[tuple[Formula, tuple[Value, ...]]] = [(True, ())]
    for argument in arguments:
        choices = [
            (conjunction(guard, more), (*before, value))
            for guard, before in choices
            for more, value in argument
            if isinstance(value, Words)
        ]
    return tuple(_file_answer(world, function, guard, values) for guard, values in choices)


def _file_answer(
    world: World, function: str, guard: Formula, values: tuple[Value, ...]
) -> tuple[Formula, Value]:
    key = (function, *map(identity, values))
    answered, answer = world.shared(key, lambda: (world.boolean("answered"), world.boolean(function)), values)
    return conjunction(guard, answered), Truth(answer)


_UNARY: dict[str, Callable[[World, int, Value], Outcome]] = {
    "len": _len,
    "any": _any,
    "all": _all,
    "str": _str,
    "int": _int,
    "bool": _bool,
}
_EXTREMES = ("min", "max")
_FILES = {"file_exists": 1, "file_contains": 2}
