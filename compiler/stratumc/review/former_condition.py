"""The `when` that a step had in the old version, as a condition on runs of the new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stratumc.checks.flow_facts import FlowFacts
from stratumc.expr import Expression, ParseFailure
from stratumc.expr.ast import Binary, BinaryOperator, Literal, Member, Name, parts_of
from stratumc.review.given import Given
from stratumc.review.step_output import output_contract
from stratumc.spec.syntax import ArrayType, ContractType, Fanout, Field, Spec, Text, Type


def present_condition(facts: FlowFacts, step: int) -> Given | None:
    """A step's `when` as a condition; None for a step without one."""
    when = facts.flow.steps[step].when
    if when is None:
        return None
    return Given(step, facts.prover.model.steps[step].wanted, when.value)


def former_condition(old: FlowFacts, new: FlowFacts, when: Text, step: int) -> Given | None:
    """An old `when` of the new version's step; None when what it reads isn't there any more as it was."""
    tree = old.proofs.parse(when)
    if isinstance(tree, ParseFailure) or not reads_the_same(old, new, when):
        return None
    model = new.prover.model
    formula = model.encoder(step, result=model.results(step)).predicate(tree)
    return Given(step, formula, when.value)


def reads_the_same(old: FlowFacts, new: FlowFacts, when: Text) -> bool:
    """Whether all that an old `when` reads is there in the new version, of the same types."""
    tree = old.proofs.parse(when)
    if isinstance(tree, ParseFailure):
        return False
    specs = (old.proofs.spec, new.proofs.spec)
    for root, name in _reads(tree):
        if root == "result":
            if name is None or not _same_output(old, new, name):
                return False
        elif name is None:
            if not _same_fields(*specs, old.flow.input, new.flow.input, frozenset()):
                return False
        elif not _same_field(*specs, old.flow.input.get(name), new.flow.input.get(name), frozenset()):
            return False
    return True


def _reads(tree: Expression) -> Iterator[tuple[str, str | None]]:
    """What an expression reads, as `input` or `result` and a name in it; None when it reads the whole."""
    inner: set[int] = set()
    for node in parts_of(tree):
        match node:
            case Member(Name(root) as operand, name):
                inner.add(id(operand))
                yield root, name
            case Binary(BinaryOperator.IN, Literal(str() as name), Name(root) as operand):
                inner.add(id(operand))
                yield root, name
            case Name(root) if id(node) not in inner:
                yield root, None
            case _:
                pass


def _same_output(old: FlowFacts, new: FlowFacts, name: str) -> bool:
    before, after = old.flow.step(name), new.flow.step(name)
    if before is None or after is None:
        return False
    if isinstance(before.body, Fanout) is not isinstance(after.body, Fanout):
        return False
    specs = (old.proofs.spec, new.proofs.spec)
    contracts = [output_contract(spec, step) for spec, step in zip(specs, (before, after), strict=True)]
    if contracts[0] is None or contracts[1] is None:
        return contracts == [None, None] and type(before.body) is type(after.body)
    first, second = (ContractType(contract.value) for contract in contracts if contract is not None)
    return _same_type(*specs, first, second, frozenset())


def _same_fields(
    old: Spec, new: Spec, before: Mapping[str, Field], after: Mapping[str, Field], inside: frozenset[str]
) -> bool:
    return before.keys() == after.keys() and all(
        _same_field(old, new, before[name], after[name], inside) for name in before
    )


def _same_field(
    old: Spec, new: Spec, before: Field | None, after: Field | None, inside: frozenset[str]
) -> bool:
    if before is None or after is None:
        return before is after
    return before.optional == after.optional and _same_type(old, new, before.type, after.type, inside)


def _same_type(old: Spec, new: Spec, before: Type | None, after: Type | None, inside: frozenset[str]) -> bool:
    match before, after:
        case ArrayType(element=first), ArrayType(element=second):
            return _same_type(old, new, first, second, inside)
        case ContractType(name=first), ContractType(name=second):
            if f"{first} {second}" in inside:
                return True
            fields = (old.contracts[first].fields, new.contracts[second].fields)
            return _same_fields(old, new, *fields, inside | {f"{first} {second}"})
        case _:
            return before == after
