"""Findings about what a document declares and never uses, and orders that are implied (checks.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stratumc.checks.check import check
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.diagnostics import Finding
from stratumc.expr import Binary, BinaryOperator, Expression, Literal, Member, Name, ParseFailure
from stratumc.graph.step_text import expressions_of, templates_of
from stratumc.spec.syntax import (
    ArrayType,
    ContractType,
    Do,
    Evaluate,
    Fanout,
    Field,
    Flow,
    ReferenceKind,
    Run,
    Set,
    Spec,
    Step,
    Template,
)


@check("CONTRACT_UNUSED")
def contract_unused(facts: ProofFacts) -> Iterator[Finding]:
    """A contract that no step, flow output, input or other contract names."""
    spec = facts.spec
    used = set(_contracts_used(spec))
    for contract in spec.contracts.values():
        if contract.name not in used:
            yield Finding("CONTRACT_UNUSED", contract.at.key, f"nothing uses contract `{contract.name}`")


def _contracts_used(spec: Spec) -> Iterator[str]:
    for contract in spec.contracts.values():
        yield from (name for name in _in_fields(contract.fields.values()) if name != contract.name)
    for flow in spec.flows.values():
        yield from _in_fields(flow.input.values())
        yield flow.output.contract.value
        for step in flow.steps:
            match step.body:
                case Do(out=out) | Set(out=out) | Evaluate(out=out) if out is not None:
                    yield out.value
                case Fanout(stages=stages):
                    yield from (stage.out.value for stage in stages if stage.out is not None)
                case _:
                    pass


def _in_fields(fields: Iterable[Field]) -> Iterator[str]:
    for field in fields:
        type_ = field.type
        while isinstance(type_, ArrayType):
            type_ = type_.element
        if isinstance(type_, ContractType):
            yield type_.name


@check("FLOW_UNUSED")
def flow_unused(facts: ProofFacts) -> Iterator[Finding]:
    """A flow that is not the entry and that no step runs."""
    spec = facts.spec
    called = {
        step.body.flow.value
        for flow in spec.flows.values()
        for step in flow.steps
        if isinstance(step.body, Run)
    }
    for flow in spec.flows.values():
        if flow.name != spec.entry and flow.name not in called:
            yield Finding("FLOW_UNUSED", flow.at.key, f"no step runs flow `{flow.name}`")


@check("INPUT_UNUSED")
def input_unused(facts: ProofFacts) -> Iterator[Finding]:
    """An input field that no string of its flow reads."""
    for flow in facts.spec.flows.values():
        used = _inputs_used(facts, flow)
        for name, field in flow.input.items():
            if used is not None and name not in used:
                yield Finding(
                    "INPUT_UNUSED", field.at.key, f"flow `{flow.name}` never reads its input `{name}`"
                )


def _inputs_used(facts: ProofFacts, flow: Flow) -> set[str] | None:
    """The input fields that are read; None when some expression may read any of them."""
    used = {
        str(reference.path[0])
        for template in _templates(flow)
        for reference in template.references
        if reference.kind is ReferenceKind.INPUT
    }
    for step in flow.steps:
        for text in expressions_of(step):
            tree = facts.spec_facts.parsed(text)
            if isinstance(tree, ParseFailure):
                return None
            names = _inputs_in(tree)
            if names is None:
                return None
            used |= names
    return used


def _templates(flow: Flow) -> Iterator[Template]:
    for variable in flow.carry.values():
        yield variable.initial
        yield from variable.on_revise.values()
    for step in flow.steps:
        yield from templates_of(step)


def _inputs_in(tree: Expression) -> set[str] | None:
    """The input fields that an expression names; None when it uses `input` as a whole."""
    from stratumc.expr.ast import parts_of

    found: set[str] = set()
    plain, whole = 0, 0
    for node in parts_of(tree):
        match node:
            case Member(Name("input"), name):
                found.add(name)
                plain += 1
            case Binary(BinaryOperator.IN, Literal(str() as name), Name("input")):
                found.add(name)
                plain += 1
            case Name("input"):
                whole += 1
            case _:
                pass
    return found if plain == whole else None


@check("CARRY_UNUSED")
def carry_unused(facts: ProofFacts) -> Iterator[Finding]:
    """A carry variable that no step reads."""
    for flow in facts.spec.flows.values():
        read = {
            reference.name
            for step in flow.steps
            for template in templates_of(step)
            for reference in template.references
            if reference.kind is ReferenceKind.CARRY
        }
        for variable in flow.carry.values():
            if variable.name not in read:
                yield Finding(
                    "CARRY_UNUSED", variable.at.key, f"no step reads carry variable `{variable.name}`"
                )


@check("AFTER_REDUNDANT")
def after_redundant(facts: ProofFacts) -> Iterator[Finding]:
    """An entry of `after` whose order follows from references, routes or other entries."""
    for flow in facts.flows.values():
        for step in flow.flow.steps:
            yield from _redundant_entries(flow, step)


def _redundant_entries(flow: FlowFacts, step: Step) -> Iterator[Finding]:
    read = {
        reference.name
        for template in templates_of(step)
        for reference in template.references
        if reference.kind is ReferenceKind.STEP
    }
    seen: set[str] = set()
    for entry in step.after:
        name = entry.value
        if name in seen:
            why = "it is listed twice"
        elif name in read:
            why = "the step reads its output"
        elif flow.order.implied_without(step.index, flow.graph.index[name]):
            why = "it follows from the other steps before this one"
        else:
            seen.add(name)
            continue
        seen.add(name)
        yield Finding("AFTER_REDUNDANT", entry.at, f"step `{step.id}` comes after `{name}` anyway: {why}")
