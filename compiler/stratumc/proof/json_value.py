"""That a symbolic outcome comes to a JSON value that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from stratumc.proof.compare import equal
from stratumc.proof.encode import follow
from stratumc.proof.logic import Formula, conjunction, disjunction
from stratumc.proof.values import Amount, Nil, Outcome, Truth, Value
from stratumc.proof.world import INPUT, World


def comes_to(world: World, outcome: Outcome, value: Any) -> Formula | None:
    """That an outcome is a JSON value, of an object that it has these members; None for lists."""
    if isinstance(value, list):
        return None
    if isinstance(value, dict):
        parts = [comes_to(world, follow(outcome, name), inner) for name, inner in value.items()]
        return None if any(part is None for part in parts) else conjunction(*parts)
    literal = _literal(world, value)
    return disjunction(*(conjunction(guard, equal(world, INPUT, one, literal)) for guard, one in outcome))


def _literal(world: World, value: str | float | bool | None) -> Value:
    match value:
        case None:
            return Nil()
        case bool():
            return Truth(value)
        case int():
            return Amount(world.terms.integer(value), integral=True)
        case float():
            return Amount(world.terms.real(Fraction(value)), integral=False)
        case _:
            return world.text(value)
