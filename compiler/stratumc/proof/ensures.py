"""The ensures of a step or stage as formulas over its output."""

from __future__ import annotations

from stratumc.proof.logic import Formula
from stratumc.proof.readings import Readings
from stratumc.proof.values import Outcome
from stratumc.spec.syntax import Ensure, EnsureExpression


def ensures_of(
    readings: Readings, owner: int, ensures: tuple[Ensure, ...], **bindings: Outcome
) -> tuple[Formula | None, ...]:
    """Per ensure that it holds; None for one that isn't an expression."""
    return tuple(
        readings.predicate(ensure.expression, owner, **bindings)
        if isinstance(ensure, EnsureExpression)
        else None
        for ensure in ensures
    )
