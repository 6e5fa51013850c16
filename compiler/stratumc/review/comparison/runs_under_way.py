"""Whether a run at a step could go on under a new version of its flow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.expr.fit import Verdict, fit
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_sets import mask_of, members_of, reach
from stratumc.review.comparison.going_on import Fate, GoingOn
from stratumc.review.comparison.step_output import construct, output_contract
from stratumc.review.paths.flow_must_pass import ends_plainly
from stratumc.review.paths.good_runs import can_complete, steps_of_good_runs, surely_runs
from stratumc.spec.syntax import Flow, Spec, Step

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula

_MOST_ASKED = 200
"""Of so many pairs of a step and one that may come first it is asked whether it is skipped."""


def runs_under_way(old: ProofFacts, new: ProofFacts) -> Iterator[GoingOn]:
    """A verdict on each step of the old version at which a run can be.

    A run keeps the table that it was planned with (table.md, "Frozen"); this is what the new one would make
    of it.
    """
    for name, flow in old.flows.items():
        after = new.flows.get(name)
        if after is None:
            yield from (
                _step(step, flow.flow, Fate.GONE, f"flow `{name}` is gone") for step in flow.flow.steps
            )
        else:
            yield from _Comparison(flow, after).verdicts()


def unchanged(spec: Spec) -> Iterator[GoingOn]:
    """The verdicts on a version that means the same as the one before."""
    for flow in spec.flows.values():
        yield from (_step(step, flow, Fate.GOES_ON, None) for step in flow.steps)


def _step(step: Step, flow: Flow, fate: Fate, reason: str | None) -> GoingOn:
    return GoingOn("step", step.id, flow.name, fate, reason)


class _Comparison:
    """Two versions of one flow."""

    def __init__(self, old: FlowFacts, new: FlowFacts) -> None:
        self.before, self.facts = old, new
        self.old, self.new = old.flow, new.flow
        self.old_spec, self.new_spec = old.proofs.spec, new.proofs.spec
        self.old_types, self.new_types = old.proofs.spec_facts.contracts, new.proofs.spec_facts.contracts
        self.graph = new.graph
        self.was = {step.id: step for step in self.old.steps}
        self.passed = _before_by_new_index(old.graph, self.graph)
        self._asked = 0
        self.unlike = mask_of(step.index for step in self.new.steps if self._unlike(step) is not None)

    def verdicts(self) -> Iterator[GoingOn]:
        """One for each step of the old flow."""
        lacking = self._lacking_input()
        hopeless = lacking is None and not can_complete(self.facts)
        stopped = "no run of the flow can end well" if hopeless and can_complete(self.before) else lacking
        good = 0 if stopped else steps_of_good_runs(self.facts)
        was_good = 0 if stopped else steps_of_good_runs(self.before)
        for step in self.old.steps:
            fate, reason = (Fate.CANNOT, stopped) if stopped else self._fate(step, good, was_good)
            yield _step(step, self.old, fate, reason)

    def _lacking_input(self) -> str | None:
        """Why the input that a run was begun with isn't one of the new version."""
        for name, field in self.new.input.items():
            if name not in self.old.input and not field.optional:
                return f"it has no input `{name}`"
        was, now = self.old_types.members(self.old.input), self.new_types.members(self.new.input)
        for name, field in self.old.input.items():
            after = self.new.input.get(name)
            if after is None:
                given = "if it was given one, " if field.optional else ""
                return f"{given}its input `{name}` is none any more"
            if field.optional and not after.optional:
                return f"if it wasn't given one, it has no input `{name}`"
            verdict = fit(was[name].type, now[name].type).verdict
            if verdict is not Verdict.ALL:
                may = "doesn't" if verdict is Verdict.NONE else "may not"
                return f"its input `{name}` {may} fit any more"
        return None

    def _fate(self, step: Step, good: int, was_good: int) -> tuple[Fate, str | None]:
        index = self.graph.index.get(step.id)
        if index is None:
            return Fate.GONE, "the step is gone"
        if type(self.new.steps[index].body) is not type(step.body):
            return Fate.CANNOT, f"the step is now {construct(self.new.steps[index])}"
        if not good >> index & 1 and was_good >> step.index & 1:
            return Fate.CANNOT, "no run that does this step can end well any more"
        needed = self.graph.before_masks[index]
        passed = self.passed[index]
        for other in members_of(needed & (self.unlike | ~passed)):
            before = self.new.steps[other]
            if passed >> other & 1:
                return Fate.BACK, self._unlike(before)
            first = self._comes_first(step, index, before)
            if first is not None:
                return Fate.BACK, first
        return Fate.GOES_ON, None

    def _comes_first(self, step: Step, index: int, before: Step) -> str | None:
        """That a run at a step has to do one first that it hasn't passed, unless every such run skips it."""
        is_new = ", which is new," if before.id not in self.was else ""
        if surely_runs(self.facts, before.index):
            return f"step `{before.id}`{is_new} comes first now"
        if not self._may_both(step, index, before):
            return None
        return f"step `{before.id}`{is_new} comes first now, if it isn't skipped"

    def _may_both(self, step: Step, index: int, before: Step) -> bool:
        """Whether it isn't proved that no run like one at the step, as it was before, runs another first."""
        from stratumc.proof.logic import conjunction

        if self._asked == _MOST_ASKED:
            return True
        self._asked += 1
        prover = self.facts.prover
        steps = prover.model.steps
        succeeded = [
            steps[self.graph.index[was.id]].ending.succeeds
            for was in (self.old.steps[one] for one in members_of(self._surely_passed(step)))
            if was.id in self.graph.index
        ]
        owners = sorted({*prover.model.owners(index), *self._routers(step)})
        return not prover.never(
            owners, conjunction(steps[index].runs, steps[before.index].runs, self._routed(step), *succeeded)
        )

    def _routers(self, step: Step) -> Iterator[int]:
        """What matters to the steps of the new version that led to a step of the old one."""
        for route in self.before.graph.routes_to[step.index]:
            source = self.graph.index.get(self.before.graph.ids[route.source])
            if source is not None:
                yield from self.facts.prover.model.owners(source)

    def _routed(self, step: Step) -> Formula:
        """That something of the new version ends as what led to a step of the old one."""
        from stratumc.proof.logic import disjunction

        ways = []
        for route in self.before.graph.routes_to[step.index]:
            name = self.before.graph.ids[route.source]
            source, was = self.new.step(name), self.was[name]
            if source is None or type(source.body) is not type(was.body):
                return True
            ways.append(self.facts.prover.model.steps[source.index].ending.takes(route.kind))
        return disjunction(*ways) if ways else True

    def _surely_passed(self, step: Step) -> int:
        """The steps that have succeeded in every old run at a step, by the graph alone."""
        return self.before.order.before(step.index) & self._plain

    @cached_property
    def _plain(self) -> int:
        return mask_of(
            one.index for one in self.old.steps if one.when is None and ends_plainly(self.before, one.index)
        )

    def _unlike(self, step: Step) -> str | None:
        """Why a run that has passed a step of the old flow has not done this one."""
        was = self.was.get(step.id)
        if was is None:
            return f"step `{step.id}` is new"
        if type(was.body) is not type(step.body):
            return f"step `{step.id}`, which it has passed, is now {construct(step)}"
        if not self._output_fits(was, step):
            return f"step `{step.id}`, which it has passed, now gives another output"
        return None

    def _output_fits(self, was: Step, needed: Step) -> bool:
        """Whether every output of the old step is one of the new step too."""
        old_name = output_contract(self.old_spec, was)
        new_name = output_contract(self.new_spec, needed)
        if old_name is None or new_name is None:
            return new_name is None
        return fit(self.old_types.of(old_name), self.new_types.of(new_name)).verdict is Verdict.ALL


def _before_by_new_index(old: FlowGraph, new: FlowGraph) -> tuple[int, ...]:
    """Per step of the new flow what comes before it in the old one, as masks of the new flow's indices."""
    names = (*new.ids, *(name for name in old.ids if name not in new.index))
    index = {name: number for number, name in enumerate(names)}
    before: list[tuple[int, ...]] = [()] * len(names)
    for number, sources in enumerate(old.predecessors):
        before[index[old.ids[number]]] = tuple(index[old.ids[source]] for source in sources)
    order = [index[old.ids[number]] for number in reversed(old.order)]
    return reach(order, before, acyclic=old.acyclic)
