"""Whether a symbolic value is of a contract's type, and what a `set` step makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, assert_never

import z3

from stratumc.expr import ParseFailure
from stratumc.proof.logic import Formula, conjunction, disjunction, implication, negation
from stratumc.proof.readings import Readings
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Slot, Truth, Value, Words, sure
from stratumc.spec.syntax import ArrayType, ContractType, EnumType, Field, Primitive, Set, Text, Type

if TYPE_CHECKING:
    from stratumc.proof.world import World

_PRIMITIVES: dict[Primitive, tuple[type, ...]] = {
    Primitive.STRING: (Words,),
    Primitive.INTEGER: (Amount,),
    Primitive.NUMBER: (Amount,),
    Primitive.BOOLEAN: (Truth,),
    Primitive.OBJECT: (Record, Open),
    Primitive.ARRAY: (Array,),
}


def fits(world: World, value: Value, type_: Type | None) -> Formula:
    """That a value is of a type; unknown, but the same each time, inside lists and open objects."""
    match type_:
        case None:
            return True
        case Primitive():
            if not isinstance(value, _PRIMITIVES[type_]):
                return False
            if type_ is Primitive.INTEGER and isinstance(value, Amount) and not value.integral:
                return z3.IsInt(value.term)
            return True
        case EnumType(members):
            return _is_member(world, value, members)
        case ArrayType(element):
            if not isinstance(value, Array):
                return False
            return value.default == element or disjunction(value.length == 0, _unknown(world, value, type_))
        case ContractType(name):
            if isinstance(value, Open):
                return _unknown(world, value, type_)
            return isinstance(value, Record) and _fits_fields(world, value, world.contract(name).fields)
        case _:
            assert_never(type_)


def _is_member(world: World, value: Value, members: tuple[str, ...]) -> Formula:
    if not isinstance(value, Words):
        return False
    if value.literal is not None:
        return value.literal in members
    if value.members is not None and set(value.members) <= set(members):
        return True
    return disjunction(*(value.term == world.text(member).term for member in members))


def _unknown(world: World, value: Value, type_: Type) -> Formula:
    return world.shared(("fits", id(value), type_), lambda: world.boolean("fits"), value)


def _fits_fields(world: World, value: Record, fields: Mapping[str, Field]) -> Formula:
    parts = [negation(slot.present) for name, slot in value.slots.items() if name not in fields]
    for name, field in fields.items():
        if name in value.slots:
            slot = value.slots[name]
            parts.append(field.optional or slot.present)
            parts.append(implication(slot.present, fits_field(world, slot.value, field)))
        else:
            parts.append(field.optional)
    return conjunction(*parts)


def fits_field(world: World, outcome: Outcome, field: Field) -> Formula:
    """That an outcome comes to a value of a field's type."""
    return disjunction(
        *(
            conjunction(guard, field.optional if isinstance(value, Nil) else fits(world, value, field.type))
            for guard, value in outcome
        )
    )


def set_result(readings: Readings, index: int, body: Set) -> tuple[Formula, Outcome]:
    """When a `set` can be built and satisfies its contract, and what it then is."""
    world = readings.world
    fields = world.contract(body.out.value).fields
    if readings.explained(body.at) or any(name not in fields for name in body.fields):
        return world.boolean("built"), sure(world.record(body.out.value, "set", index))
    slots = {name: _set_field(readings, index, fields[name], text) for name, text in body.fields.items()}
    rest = (field.optional for name, field in fields.items() if name not in slots)
    return conjunction(*(slot.present for slot in slots.values()), *rest), sure(Record(slots))


def _set_field(readings: Readings, index: int, field: Field, text: Text) -> Slot:
    """A field of a `set`: there when its expression comes to a value of the field's type."""
    world, tree = readings.world, readings.expression(text)
    if isinstance(tree, ParseFailure):
        return Slot(world.boolean("known"), world.value(field.type, field.name, index))
    outcome = readings.encoder(index, result=readings.results(index)).outcome(tree)
    return Slot(fits_field(world, outcome, field), outcome)
