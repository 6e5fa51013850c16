"""The types of one flow: its inputs, its steps' outputs, its references, and the scope of each expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import assert_never

from stratumc.checks.contract_types import EVALUATION, ContractTypes, follow
from stratumc.checks.expressions import Expressions
from stratumc.checks.guards import Guards
from stratumc.expr.judge import HYPHEN
from stratumc.expr.knowledge import NOTHING, Knowledge
from stratumc.expr.outcome import Scope
from stratumc.expr.types import (
    NEVER,
    UNKNOWN,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    Type,
    array_of,
    join,
    join_all,
    or_null,
)
from stratumc.graph.flow_graph import FlowGraph, flow_graph
from stratumc.spec.syntax import (
    Do,
    Evaluate,
    Fanout,
    Flow,
    Gate,
    Quorum,
    Reference,
    ReferenceKind,
    Run,
    Set,
    Spec,
    Step,
    Text,
)


class FlowTypes:
    """Types of one flow, each computed when first asked for."""

    def __init__(self, spec: Spec, contracts: ContractTypes, strings: Expressions, flow: Flow) -> None:
        self.spec = spec
        self.contracts = contracts
        self.flow = flow
        self._strings = strings
        self._carry: dict[str, MemberType] = {}

    @cached_property
    def graph(self) -> FlowGraph:
        """The flow's graph."""
        return flow_graph(self.flow)

    @cached_property
    def guards(self) -> Guards:
        """What is known at each of the flow's strings."""
        return Guards(self._strings, self)

    @cached_property
    def input(self) -> Type:
        """The flow's input, a strict object."""
        members = self.contracts.members(self.flow.input)
        return Type(objects=(ObjectType(ObjectKind.INPUT, self.flow.name, members),))

    @cached_property
    def steps(self) -> dict[str, Step]:
        """By id, the first step of each."""
        return {step.id: step for step in reversed(self.flow.steps)}

    @cached_property
    def _hyphened(self) -> tuple[str, ...]:
        return tuple(step_id for step_id in self.steps if "-" in step_id)

    # --- outputs and references ----------------------------------------------------------------------

    def output_of(self, step: Step) -> Type:
        """The type of a step's output (v1.md section 4); nothing for a gate."""
        body = step.body
        match body:
            case Do() | Set():
                return self.contracts.of(body.out)
            case Gate():
                return NEVER
            case Fanout():
                item = self.contracts.of(body.stages[-1].out) if body.stages else UNKNOWN
                return array_of(item if body.require is Quorum.ALL else or_null(item))
            case Run():
                callee = self.spec.flows.get(body.flow.value)
                return UNKNOWN if callee is None else self.contracts.of(callee.output.contract)
            case Evaluate():
                return EVALUATION if body.out is None else self.contracts.of(body.out)
            case _:
                assert_never(body)

    def reference(
        self, reference: Reference, step: Step | None = None, stage: int | None = None
    ) -> MemberType:
        """What a reference in a string of a step stands for, or in a stage of a fanout step.

        The output of a step is taken to be there: that it may not be is a matter of proofs.
        """
        known = NOTHING if step is None else self.guards.running(step)
        if step is not None and stage is not None:
            known = self.guards.in_stage(step, stage)
        match reference.kind:
            case ReferenceKind.INPUT:
                return follow(MemberType(self.input), reference.path, known, ("input",))
            case ReferenceKind.STEP:
                name = reference.name or ""
                source = self.steps.get(name)
                start = MemberType(UNKNOWN if source is None else self.output_of(source))
                known = known.both(self.guards.taught_by(name))
                return follow(start, reference.path, known, ("result", name))
            case ReferenceKind.CARRY:
                return follow(self.carry(reference.name or ""), reference.path)
            case ReferenceKind.ITEM:
                return self._in_stage(step, stage, known, "item")
            case ReferenceKind.PREV:
                return self._in_stage(step, stage, known, "prev")

    def _in_stage(self, step: Step | None, stage: int | None, known: Knowledge, name: str) -> MemberType:
        if step is None or stage is None or not isinstance(step.body, Fanout):
            return MemberType(UNKNOWN)
        found = self.item_of(step, step.body) if name == "item" else self.prev_of(step.body, stage)
        return follow(MemberType(found or UNKNOWN), (), known, (name,))

    def carry(self, name: str) -> MemberType:
        """A carry variable: what its initial source or any of its gates writes."""
        if name not in self._carry:
            variable = self.flow.carry.get(name)
            self._carry[name] = MemberType(UNKNOWN)
            if variable is not None:
                sources = [variable.initial, *variable.on_revise.values()]
                found = [self.reference(one.full) for one in sources if one.full is not None]
                if len(found) == len(sources):
                    self._carry[name] = _joined(found)
        return self._carry[name] if self.guards.finished else self._carry.pop(name)

    def item_of(self, step: Step, fanout: Fanout) -> Type:
        """The items that a fanout goes over."""
        full = fanout.over.full
        if full is None:
            return UNKNOWN
        over = self.reference(full, step).type
        return over.element or UNKNOWN

    def prev_of(self, fanout: Fanout, number: int) -> Type | None:
        """The output of the stage before stage `number`; None before the first.

        A stage with a `when` may be passed over, and then what came before it stays.
        """
        found: Type | None = None
        for stage in fanout.stages[:number]:
            out = self.contracts.of(stage.out)
            found = out if found is None or stage.when is None else join(found, out)
        return found

    # --- scopes --------------------------------------------------------------------------------------

    def scope_before(self, step: Step) -> Scope:
        """What `when` and `set` can name: `result` holds the outputs of the steps that have one."""
        steps = Type(objects=(ObjectType(ObjectKind.STEPS, "result", _StepMembers(self, step)),))
        return Scope({"input": self.input, "result": steps}, self._hint_before)

    def scope_after(self, out: Text | None) -> Scope:
        """What `ensure` and `until` can name: `result` is the output under test."""
        result = self.contracts.of(out)

        def hint(name: str) -> str | None:
            if any(name in one.members for one in result.objects):
                return f"write `result.{name}`"
            return self._hint(name)

        return Scope({"input": self.input, "result": result}, hint)

    def _hint_before(self, name: str) -> str | None:
        if name in self.steps:
            return f"write `result.{name}`, which is the step's output"
        for step_id in self._hyphened:
            if step_id.endswith(f"-{name}") or f"-{name}-" in step_id:
                return f"`{step_id}` {HYPHEN}; an id without a hyphen can"
        return self._hint(name)

    def _hint(self, name: str) -> str | None:
        if name == "prev":
            return "`prev` is bound in the stages of a fanout after the first"
        if name == "item":
            return "`item` is bound in the stages of a fanout"
        return f"write `input.{name}`" if name in self.flow.input else None


def _joined(found: list[MemberType]) -> MemberType:
    optional = any(one.presence is not Presence.ALWAYS for one in found)
    return MemberType(join_all(one.type for one in found), Presence.OPTIONAL if optional else Presence.ALWAYS)


class _StepMembers(Mapping[str, MemberType]):
    """The outputs of a flow's steps as one step sees them before it runs, looked up one by one."""

    def __init__(self, types: FlowTypes, reader: Step) -> None:
        self._types = types
        self._reader = reader

    def __getitem__(self, step_id: str) -> MemberType:
        step = self._types.steps[step_id]
        return MemberType(self._types.output_of(step), self._presence(step))

    def __contains__(self, step_id: object) -> bool:
        return step_id in self._types.steps

    def __iter__(self) -> Iterator[str]:
        return (step.id for step in self._types.flow.steps)

    def __len__(self) -> int:
        return len(self._types.steps)

    def _presence(self, step: Step) -> Presence:
        if isinstance(step.body, Gate):
            return Presence.NEVER
        if step.index == self._reader.index:
            return Presence.LATER
        graph = self._types.graph
        if graph.is_before(step.index, self._reader.index):
            return Presence.ALWAYS
        return Presence.LATER if graph.is_before(self._reader.index, step.index) else Presence.UNORDERED
