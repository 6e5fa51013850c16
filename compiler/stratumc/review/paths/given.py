"""A condition that restricts what is claimed of runs to those in which it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula


@dataclass(frozen=True, slots=True)
class Given:
    """A condition that holds as the turn of a step comes: restricts a claim to the runs in which it does."""

    step: int
    formula: Formula
    text: str
    """The expression, for replays."""
