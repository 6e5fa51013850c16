"""An earlier round, which a revise cut short: the steps of its reset closure with outcomes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import z3

from stratumc.graph.step_sets import members_of
from stratumc.proof.arithmetic import exact_rules
from stratumc.proof.encode import follow
from stratumc.proof.logic import Formula, conjunction, disjunction, negation
from stratumc.proof.values import Nil
from stratumc.spec.syntax import ReferenceKind

if TYPE_CHECKING:
    from stratumc.graph.flow_graph import Revise
    from stratumc.proof.flow_model import FlowModel
    from stratumc.spec.syntax import Reference


class Earlier:
    """The steps that a revise puts back, as they were when its gate asked (runs.md section 5).

    What is outside of the closure is the same as in the last round, so its variables are shared with it.
    """

    def __init__(self, model: FlowModel, revise: Revise) -> None:
        self._model, self.gate = model, revise.gate
        self.steps = tuple(members_of(model.graph.closure_mask(revise.target)))

    def term(self, formula: Formula) -> Formula:
        """A formula over the last round, said of this one."""
        if isinstance(formula, bool):
            return formula
        return z3.substitute(formula, *self._renamed) if self._renamed else formula

    @cached_property
    def asks(self) -> Formula:
        """That the gate asks, no step having failed for good, and that the revise isn't refused."""
        model = self._model
        gate = model.steps[self.gate]
        going = (
            negation(model.steps[index].ending.fails)
            for index in self.steps
            if index not in model.graph.failure_regions
        )
        waits = conjunction(gate.runs, negation(gate.ending.succeeds))
        return self.term(conjunction(*self._facts, *going, waits, *self._carried()))

    @cached_property
    def _facts(self) -> tuple[Formula, ...]:
        world = self._model.world
        rules = (exact_rules(world.roundings.get(index, ())) for index in self.steps)
        return (*world.facts(self.steps), *(rule for some in rules for rule in some))

    def _carried(self) -> Iterator[Formula]:
        """That each value has a source which the revise writes to a carry variable."""
        gate = self._model.graph.ids[self.gate]
        for variable in self._model.flow.carry.values():
            template = variable.on_revise.get(gate)
            if template is not None and template.full is not None:
                yield self._has_value(template.full)

    def _has_value(self, reference: Reference) -> Formula:
        model = self._model
        outcome = model.input
        if reference.kind is ReferenceKind.STEP:
            end = model.steps[model.graph.index[reference.name or ""]].ending
            outcome = tuple((conjunction(end.gives, guard), value) for guard, value in end.output)
        for part in reference.path:
            outcome = follow(outcome, part)
        return disjunction(*(guard for guard, value in outcome if not isinstance(value, Nil)))

    @cached_property
    def _renamed(self) -> tuple[tuple[Any, Any], ...]:
        """The variables of the closure's steps, each with what stands for it in this round."""
        model, world = self._model, self._model.world
        again = frozenset(self.steps)
        kept: set[str] = set()
        for owner in model.everyone:
            if owner not in again:
                kept.update(model.variables.of_facts(owner))
        found: dict[str, Any] = {}
        for step in self.steps:
            found.update(model.variables.of_step(step))
        return tuple(
            (one, z3.Const(f"{name}'{self.gate}", one.sort()))
            for name, one in found.items()
            if world.makers.get(name) in again and name not in kept
        )
