"""The ensures of a step or stage as formulas over its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratumc.proof.logic import Formula
from stratumc.proof.values import Outcome
from stratumc.spec.syntax import Ensure, EnsureExpression

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel


def ensures_of(
    model: FlowModel, owner: int, ensures: tuple[Ensure, ...], **bindings: Outcome
) -> tuple[Formula | None, ...]:
    """Per ensure that it holds; None for one that isn't an expression."""
    return tuple(
        model.predicate(ensure.expression, owner, **bindings)
        if isinstance(ensure, EnsureExpression)
        else None
        for ensure in ensures
    )
