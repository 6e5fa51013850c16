"""What can become of one step in a round, as formulas."""

from __future__ import annotations

from dataclasses import dataclass

from stratumc.proof.logic import Formula
from stratumc.proof.values import Outcome


@dataclass(frozen=True, slots=True)
class Ending:
    """How a step that runs can end."""

    succeeds: Formula
    fails: Formula
    gives: Formula
    """It has an output that others can read."""
    output: Outcome
    ensures: tuple[Formula | None, ...] = ()
    """Per ensure that it holds of the output; None for one that isn't an expression."""
    until: Formula | None = None
    items: Formula = None
    """Of a fanout: how many items it has."""
    readable: Formula = True
    """What its strings read is there; without it the step fails by itself."""
    approved: Formula = True
    """Of a gate: that it is approved, not killed."""


@dataclass(frozen=True, slots=True)
class StepFormulas:
    """What can become of one step in a round."""

    begins: Formula
    """Its turn comes: activated, dependencies met, not skipped by a failure."""
    active: Formula
    """Some router has led to it; always, for a step that has none."""
    wanted: Formula
    """Its `when` is true, or it has none."""
    runs: Formula
    done: Formula
    """It has ended and the flow goes on: succeeded, skipped, or failed over."""
    ending: Ending
