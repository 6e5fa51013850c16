"""One round of a flow as formulas (checks.md, "How flows are modelled"; runs.md sections 2, 3, 5, 6).

Whether a step runs follows from its routers, its dependencies and its `when`; what is free is how each do,
fanout, run and evaluate step ends, what it then returns, and how each gate is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from stratumc.proof.bodies import ending
from stratumc.proof.encode import follow
from stratumc.proof.logic import Formula, conjunction, disjunction, equivalence, implication, negation
from stratumc.proof.readings import EncodedFlow, Readings
from stratumc.proof.step_formulas import StepFormulas
from stratumc.proof.values import Nil, Outcome
from stratumc.proof.variables import KnownVariables
from stratumc.proof.world import INPUT, World
from stratumc.spec.syntax import Set, Step


class FlowModel(Readings):
    """The formulas of one flow, step by step in topological order."""

    def __init__(self, encoded: EncodedFlow, world: World) -> None:
        super().__init__(encoded, world)
        for index in self.graph.order:
            with world.making(index):
                self.steps[index] = self._build(self.flow.steps[index])

    # --- one step -----------------------------------------------------------------------------------

    def _build(self, step: Step) -> StepFormulas:
        index = step.index
        routed = [self.steps[route.source].ending.takes(route.kind) for route in self.graph.routes_to[index]]
        dropped = disjunction(
            *(
                self.steps[region.failed].ending.fails
                for region in self.graph.failure_regions.values()
                if region.skipped >> index & 1
            )
        )
        met = conjunction(*(self.steps[before].done for before in self.graph.dependencies[index]))
        active = disjunction(*routed) if routed else True
        begins = self._name("begins", index, conjunction(negation(dropped), active, met))
        wanted = self.predicate(step.when, index, result=self.results(index)) if step.when else True
        runs = self._name("runs", index, conjunction(begins, wanted))
        unrouted = False
        if routed:
            ended = (self.steps[route.source].done for route in self.graph.routes_to[index])
            unrouted = conjunction(*ended, negation(active))
        skipped = disjunction(dropped, unrouted, conjunction(begins, negation(wanted)))
        end = ending(self, step, runs)
        over = end.fails if index in self.graph.failure_regions else False
        done = self._name("done", index, disjunction(skipped, end.succeeds, over))
        return StepFormulas(begins, active, wanted, runs, done, end)

    def _name(self, name: str, index: int, formula: Formula) -> Formula:
        """A variable for a formula, so that formulas built on it stay small."""
        if isinstance(formula, bool):
            return formula
        variable = self.world.boolean(f"{self.graph.ids[index]} {name}")
        self.world.add(index, equivalence(variable, formula))
        return variable

    # --- the whole flow -----------------------------------------------------------------------------

    def owners(self, step: int) -> tuple[int, ...]:
        """Whose facts matter to a step: the input, the steps before it, and itself."""
        return (INPUT, *self.graph.ancestors(step), step)

    def beside(self, step: int) -> tuple[int, ...]:
        """Steps that a run can't hold back while `step` begins: all that they wait for has ended, too."""
        begun = self.graph.before_masks[step] | 1 << step
        found: list[int] = []
        for other in self.graph.order:
            after = self.graph.after_masks[step] >> other & 1
            if not begun >> other & 1 and not after and not self.graph.before_masks[other] & ~begun:
                if isinstance(self.flow.steps[other].body, Set):
                    begun |= 1 << other
                found.append(other)
        return tuple(found)

    def undisturbed(self, step: int) -> Formula:
        """That no step beside `step` ends the run by failing by itself."""
        parts: list[Formula] = []
        for other in self.beside(step):
            formulas = self.steps[other]
            if isinstance(self.flow.steps[other].body, Set):
                parts.append(negation(formulas.ending.fails))
            elif other not in self.graph.failure_regions:
                parts.append(implication(formulas.runs, formulas.ending.readable))
        return conjunction(*parts)

    @property
    def everyone(self) -> tuple[int, ...]:
        """All owners."""
        return (INPUT, *range(len(self.flow.steps)))

    @cached_property
    def variables(self) -> KnownVariables:
        """The variables in what is known of each step."""
        return KnownVariables(self.world, self.steps)

    @cached_property
    def source(self) -> int:
        """The step that `output.from` names."""
        reference = self.flow.output.source.full
        return self.graph.index[reference.name or ""] if reference is not None else -1

    @cached_property
    def has_output(self) -> Formula:
        """That `output.from` has a value when every step has ended."""
        reference = self.flow.output.source.full
        if reference is None:
            return True
        end = self.steps[self.source].ending
        if self.explained(self.flow.output.source.at):
            return end.gives
        outcome: Outcome = tuple((conjunction(end.gives, guard), value) for guard, value in end.output)
        for part in reference.path:
            outcome = follow(outcome, part)
        return disjunction(*(guard for guard, value in outcome if not isinstance(value, Nil)))

    def lacks_output(self, outputs: Mapping[int, Any]) -> bool:
        """Whether `output.from` has no value, given the outputs of the steps that have one."""
        reference = self.flow.output.source.full
        value = outputs.get(self.source)
        for part in reference.path if reference is not None else ():
            try:
                value = value[part] if value is not None else None
            except (LookupError, TypeError):
                return True
        return value is None

    @cached_property
    def all_done(self) -> Formula:
        """That every step has ended and none has failed for good."""
        return conjunction(*(self.steps[index].done for index in range(len(self.flow.steps))))

    @cached_property
    def completes(self) -> Formula:
        """That the round ends the flow well."""
        return conjunction(self.all_done, self.has_output)
