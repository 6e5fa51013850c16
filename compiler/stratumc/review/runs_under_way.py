"""Whether a run at a step could go on under a new version of its flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stratumc.checks.facts_types import ContractTypes
from stratumc.expr.fit import Verdict, fit
from stratumc.graph.flow_graph import FlowGraph, flow_graph
from stratumc.graph.step_sets import mask_of, members_of, reach
from stratumc.review.going_on import Fate, GoingOn
from stratumc.spec.syntax import Do, Evaluate, Fanout, Flow, Gate, Run, Set, Spec, Step, Text


def runs_under_way(old: Spec, new: Spec) -> Iterator[GoingOn]:
    """A verdict on each step of the old version at which a run can be.

    A run keeps the table that it was planned with (table.md, "Frozen"); this is what the new one would make
    of it.
    """
    for name, flow in old.flows.items():
        after = new.flows.get(name)
        if after is None:
            yield from (_step(step, flow, Fate.GONE, f"flow `{name}` is gone") for step in flow.steps)
        else:
            yield from _Comparison(old, flow, new, after).verdicts()


def _step(step: Step, flow: Flow, fate: Fate, reason: str | None) -> GoingOn:
    return GoingOn("step", step.id, flow.name, fate, reason)


class _Comparison:
    """Two versions of one flow."""

    def __init__(self, old_spec: Spec, old: Flow, new_spec: Spec, new: Flow) -> None:
        self.old, self.new = old, new
        self.old_spec, self.new_spec = old_spec, new_spec
        self.old_types, self.new_types = ContractTypes(old_spec), ContractTypes(new_spec)
        self.graph = flow_graph(new)
        self.was = {step.id: step for step in old.steps}
        self.passed = _before_by_new_index(flow_graph(old), self.graph)
        self.unlike = mask_of(step.index for step in new.steps if self._unlike(step) is not None)

    def verdicts(self) -> Iterator[GoingOn]:
        """One for each step of the old flow."""
        lacking = self._lacking_input()
        for step in self.old.steps:
            fate, reason = (Fate.CANNOT, lacking) if lacking else self._fate(step)
            yield _step(step, self.old, fate, reason)

    def _lacking_input(self) -> str | None:
        for name, field in self.new.input.items():
            if name not in self.old.input and not field.optional:
                return f"it has no input `{name}`"
        return None

    def _fate(self, step: Step) -> tuple[Fate, str | None]:
        index = self.graph.index.get(step.id)
        if index is None:
            return Fate.GONE, "the step is gone"
        if type(self.new.steps[index].body) is not type(step.body):
            return Fate.CANNOT, f"the step is now a `{_construct(self.new.steps[index])}`"
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
            return f"step `{step.id}`, which it has passed, is now a `{_construct(step)}`"
        if not self._output_fits(was, step):
            return f"step `{step.id}`, which it has passed, now gives another output"
        return None

    def _output_fits(self, was: Step, needed: Step) -> bool:
        """Whether every output of the old step is one of the new step too."""
        old_name, new_name = _contract(self.old_spec, was), _contract(self.new_spec, needed)
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


def _construct(step: Step) -> str:
    return type(step.body).__name__.lower()


def _contract(spec: Spec, step: Step) -> Text | None:
    """The contract of a step's output, of a fanout that of its items (v1.md section 4)."""
    match step.body:
        case Do(out=out) | Evaluate(out=out) | Set(out=out):
            return out
        case Fanout(stages=stages):
            return stages[-1].out if stages else None
        case Run(flow=flow):
            return spec.flows[flow.value].output.contract
        case Gate():
            return None
        case _:
            assert_never(step.body)
