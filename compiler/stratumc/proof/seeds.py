"""Wishes for the first models of a flow: runs that differ much answer most questions at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from stratumc.proof.logic import Formula, conjunction, negation

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel


def seeds(model: FlowModel) -> Iterator[tuple[list[Formula], int]]:
    """Groups of wishes, one per step, and how often to halve a group that can't be granted as a whole."""
    steps = [model.steps[index] for index in range(len(model.flow.steps))]
    conditional = [formulas for formulas in steps if not isinstance(formulas.wanted, bool)]
    yield [formulas.ending.succeeds for formulas in steps], 2
    if conditional:
        yield [conjunction(formulas.begins, negation(formulas.wanted)) for formulas in conditional], 2
        for parity in (0, 1):
            alternating = [
                formulas.ending.succeeds
                if place % 2 == parity
                else conjunction(formulas.begins, negation(formulas.wanted))
                for place, formulas in enumerate(conditional)
            ]
            yield alternating, 0
    for broken in _broken_ensures(model):
        yield broken, 3


def _broken_ensures(model: FlowModel) -> Iterator[list[Formula]]:
    """Outputs that pass the ensures up to some place and fail the one there, in all steps together."""
    listed = [
        [formula for formula in formulas.ending.ensures if formula is not None]
        for formulas in model.steps.values()
    ]
    for column in zip_longest(*(_first_broken(ensures) for ensures in listed), fillvalue=True):
        yield [formula for formula in column if formula is not True]


def _first_broken(ensures: list[Formula]) -> Iterator[Formula]:
    for place, ensure in enumerate(ensures):
        yield conjunction(*ensures[:place], negation(ensure))
