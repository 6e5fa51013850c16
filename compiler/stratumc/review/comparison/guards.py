"""Which steps a run must get an approval at to pass them: gates, and steps that run a flow with gates."""

from __future__ import annotations

from dataclasses import dataclass

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved
from stratumc.review.comparison.former_condition import present_condition
from stratumc.review.paths.flow_must_pass import end_must_pass
from stratumc.review.paths.good_runs import can_complete
from stratumc.spec.syntax import Gate, Run, Step

_MOST_INSIDE = 50
"""Of the flows behind one step so many gates are looked at."""

Conditions = tuple[str, ...]
"""The `when`s under which a gate inside a flow is passed; none for one that every good run passes."""

Inside = dict[str, Conditions]
"""Gates of a flow and of those that it runs, as `step.gate` names them."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A step of a flow that lets runs go on only after an approval."""

    step: Step
    inside: Inside
    """Empty for a gate itself."""

    @property
    def words(self) -> str:
        """What is passed, for a reader."""
        if not self.inside:
            return f"gate `{self.step.id}`"
        return f"gate `{self.step.id}.{next(iter(self.inside))}`"


class Guards:
    """The guards of flows, each flow looked at once."""

    def __init__(self) -> None:
        self._inside: dict[str, Inside] = {}

    def of_step(self, facts: FlowFacts, step: Step) -> Guard | None:
        """A step as a guard; None if it is none."""
        match step.body:
            case Gate():
                return Guard(step, {})
            case Run(flow=flow):
                inside = self._of_flow(facts.proofs.flows[flow.value])
                return Guard(step, inside) if inside else None
            case _:
                return None

    def _of_flow(self, facts: FlowFacts) -> Inside:
        """The gates that every good run of a flow passes, or every one in which their conditions hold."""
        name = facts.flow.name
        if name not in self._inside:
            self._inside[name] = {}
            self._inside[name] = self._found(facts) if can_complete(facts) else {}
        return self._inside[name]

    def _found(self, facts: FlowFacts) -> Inside:
        found: Inside = {}
        for step in facts.flow.steps:
            guard = self.of_step(facts, step) if isinstance(step.body, Gate | Run) else None
            if guard is None or len(found) >= _MOST_INSIDE:
                continue
            if isinstance(end_must_pass(facts, step.index), Proved):
                own: Conditions = ()
            elif step.when is not None and isinstance(
                end_must_pass(facts, step.index, present_condition(facts, step.index)), Proved
            ):
                own = (step.when.value,)
            else:
                continue
            if not guard.inside:
                found[step.id] = own
            found.update((f"{step.id}.{name}", (*own, *rest)) for name, rest in guard.inside.items())
        return found
