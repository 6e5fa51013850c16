"""What can become of one step in a round, as formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from stratumc.graph.flow_graph import RouteKind
from stratumc.proof.logic import Formula, conjunction, negation
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

    @property
    def passed(self) -> Formula:
        """That the step succeeds; a gate, that it is approved."""
        return conjunction(self.succeeds, self.approved)

    def takes(self, kind: RouteKind) -> Formula:
        """That the step ends as a route of this kind asks for (runs.md section 2)."""
        match kind:
            case RouteKind.ON_FAIL:
                return self.fails
            case RouteKind.ON_APPROVE:
                return self.passed
            case RouteKind.ON_KILL:
                return conjunction(self.succeeds, negation(self.approved))
            case _:
                assert_never(kind)


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
