"""What makes a witness plain: for each part of it that shows, the values that a reader would least notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stratumc.proof.logic import Formula, negation
from stratumc.proof.values import Amount, Array, Nil, Open, Outcome, Record, Slot, Truth, Value, Words
from stratumc.proof.world import LazySlots

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel

_MOST_CHOICES = 24


def plain_choices(model: FlowModel, owners: Sequence[int]) -> Iterator[Formula]:
    """Wishes for a witness, most wanted first: no failures, then plain inputs, then plain outputs."""
    steps = [owner for owner in owners if owner >= 0]
    wishes: list[Formula] = [negation(model.steps[index].ending.fails) for index in steps]
    wishes += _plain_outcome(model.input)
    for index in steps:
        wishes += _plain_outcome(model.steps[index].ending.output)
    yield from [wish for wish in wishes if not isinstance(wish, bool)][:_MOST_CHOICES]


def _plain_outcome(outcome: Outcome) -> list[Formula]:
    return [wish for _, value in outcome for wish in _plain_value(value)]


def _plain_value(value: Value) -> list[Formula]:
    match value:
        case Nil():
            return []
        case Truth(term):
            return [negation(term)]
        case Amount(term=term):
            return [term == 0, term == 1]
        case Words(members=members, literal=literal):
            return [value.term == 0] if members is None and literal is None else []
        case Array() | Open():
            return [value.length == 0, value.length == 1]
        case Record(slots):
            made = slots.made if isinstance(slots, LazySlots) else slots
            return [wish for slot in made.values() for wish in _plain_slot(slot)]


def _plain_slot(slot: Slot) -> list[Formula]:
    return [negation(slot.present), *_plain_outcome(slot.value)]
