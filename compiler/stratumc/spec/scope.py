"""What the names of one flow mean: steps, their outputs, inputs, carry variables.

Each fact is computed once and shared by the rules; what depends on something that could not be read
or was reported elsewhere is unknown, and the rules keep silent about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from stratumc.diagnostics.nearest import Names
from stratumc.spec.draft import Draft, FlowDraft
from stratumc.spec.shape import STEP_ID_PATTERN
from stratumc.spec.syntax import (
    ArrayType,
    ContractType,
    Fanout,
    Gate,
    Reference,
    ReferenceKind,
    Run,
    Step,
    Text,
    Type,
)
from stratumc.spec.walk import Use, uses
from stratumc.text import Location
from stratumc.text.record import record


@record
class Output:
    """The type of a step's output: None when it isn't known, or when there is `none` at all."""

    type: Type | None = None
    none: bool = False


class Scope:
    """The names of one flow."""

    def __init__(self, draft: Draft, flow: FlowDraft) -> None:
        self.draft = draft
        self.flow = flow

    @cached_property
    def positions(self) -> dict[str, int]:
        """Position among the flow's readable steps of the first step of each id."""
        found: dict[str, int] = {}
        for position, step in enumerate(self.flow.steps):
            found.setdefault(step.id, position)
        return found

    @cached_property
    def repeated(self) -> frozenset[str]:
        """Ids that more than one step has, so that it isn't known which one a name means."""
        seen: set[str] = set()
        twice: set[str] = set()
        for name in (*(step.id for step in self.flow.steps), *self.flow.unread):
            if name is not None:
                (twice if name in seen else seen).add(name)
        return frozenset(twice)

    @cached_property
    def step_names(self) -> Names:
        """The ids of the flow's steps that can be named."""
        return Names(name for name in self.positions if STEP_ID_PATTERN.fullmatch(name))

    @cached_property
    def carry_names(self) -> Names:
        """The names of the flow's carry variables."""
        return Names(self.flow.carry or ())

    @cached_property
    def input_names(self) -> Names:
        """The names of the flow's inputs."""
        return Names(self.flow.input or ())

    @cached_property
    def contract_names(self) -> Names:
        """The names of all contracts."""
        return Names(self.draft.contracts)

    def step(self, name: str) -> Step | None:
        """The readable step of that id."""
        position = self.positions.get(name)
        return None if position is None else self.flow.steps[position]

    def may_be_step(self, name: str) -> bool:
        """Whether a step has that id, or may have it: a step that can't be read, or one without an id."""
        return name in self.positions or name in self._unread or not self.flow.has_all_steps

    @cached_property
    def _unread(self) -> frozenset[str | None]:
        return frozenset(self.flow.unread)

    def is_carry(self, name: str) -> bool:
        """Whether a carry variable has that name."""
        return self.flow.carry is not None and name in self.flow.carry

    @cached_property
    def uses(self) -> tuple[tuple[Use, ...], ...]:
        """The scanned strings of each readable step that hold a `${`."""
        return tuple(
            tuple(use for use in uses(step) if "${" in use.template.text) for step in self.flow.steps
        )

    def output(self, step: Step) -> Output:
        """The type of a step's output (v1.md section 4)."""
        if step.id in self.repeated:
            return Output()
        match step.body:
            case Gate():
                return Output(none=True)
            case Fanout(stages=stages):
                output = self._declared(step, stages[-1].out) if stages else Output()
                return Output(ArrayType(output.type)) if output.type is not None else output
            case Run(flow=callee):
                called = self.draft.flows.get(callee.value)
                if called is None or called.output is None:
                    return Output()
                return Output(ContractType(called.output.contract.value))
            case body:
                return self._declared(step, body.out)

    def _declared(self, step: Step, out: Text | None) -> Output:
        if out is not None:
            return Output(ContractType(out.value))
        return Output(none=step.index not in self.flow.loose)

    def typed(self, reference: Reference) -> tuple[Type | None, tuple[str | int, ...]]:
        """The type of what a reference reads before a path, None when it isn't known, and that path."""
        name, path = reference.name or "", reference.path
        match reference.kind:
            case ReferenceKind.INPUT:
                field = (self.flow.input or {}).get(str(path[0]))
                return (None if field is None else field.type), path[1:]
            case ReferenceKind.STEP:
                step = self.step(name)
                return (None if step is None else self.output(step).type), path
            case ReferenceKind.CARRY | ReferenceKind.ITEM | ReferenceKind.PREV:
                return None, path

    def readings(self) -> Iterator[tuple[Reference, Location]]:
        """Every reference of the flow, with the string that holds it."""
        templates = [use.template for step_uses in self.uses for use in step_uses]
        if self.flow.output is not None:
            templates.append(self.flow.output.source)
        for variable in (self.flow.carry or {}).values():
            templates += (variable.initial, *variable.on_revise.values())
        for template in templates:
            for reference in template.references:
                yield reference, template.at
