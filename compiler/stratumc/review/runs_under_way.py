"""Whether a run at a step could go on under a new version of its flow."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.expr.fit import Verdict, fit
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_sets import mask_of, members_of, reach
from stratumc.review.going_on import Fate, GoingOn
from stratumc.review.good_runs import can_complete, steps_of_good_runs
from stratumc.review.step_output import construct, output_contract
from stratumc.spec.syntax import Flow, Spec, Step


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
        self.facts = new
        self.old, self.new = old.flow, new.flow
        self.old_spec, self.new_spec = old.proofs.spec, new.proofs.spec
        self.old_types, self.new_types = old.proofs.spec_facts.contracts, new.proofs.spec_facts.contracts
        self.graph = new.graph
        self.was = {step.id: step for step in self.old.steps}
        self.passed = _before_by_new_index(old.graph, self.graph)
        self.unlike = mask_of(step.index for step in self.new.steps if self._unlike(step) is not None)

    def verdicts(self) -> Iterator[GoingOn]:
        """One for each step of the old flow."""
        lacking = self._lacking_input()
        hopeless = lacking is None and not can_complete(self.facts)
        stopped = "no run of the flow can end well" if hopeless else lacking
        good = 0 if stopped else steps_of_good_runs(self.facts)
        for step in self.old.steps:
            fate, reason = (Fate.CANNOT, stopped) if stopped else self._fate(step, good)
            yield _step(step, self.old, fate, reason)

    def _lacking_input(self) -> str | None:
        for name, field in self.new.input.items():
            if name not in self.old.input and not field.optional:
                return f"it has no input `{name}`"
        return None

    def _fate(self, step: Step, good: int) -> tuple[Fate, str | None]:
        index = self.graph.index.get(step.id)
        if index is None:
            return Fate.GONE, "the step is gone"
        if type(self.new.steps[index].body) is not type(step.body):
            return Fate.CANNOT, f"the step is now {construct(self.new.steps[index])}"
        if not good >> index & 1:
            return Fate.CANNOT, "no run that does this step can end well"
        needed = self.graph.before_masks[index]
        unmet = needed & (self.unlike | ~self.passed[index])
        if not unmet:
            return Fate.GOES_ON, None
        first = self.new.steps[next(members_of(unmet))]
        return Fate.BACK, self._unlike(first) or f"step `{first.id}` comes first now"

    def _unlike(self, step: Step) -> str | None:
        """Why a run that has passed a step of the old flow has not done this one."""
        was = self.was.get(step.id)
        if was is None:
            return f"step `{step.id}`, which is new, comes first now"
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
