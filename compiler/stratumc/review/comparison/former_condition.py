"""The `when` that a step had in the old version, as a condition on runs of the new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.expr import Expression, ParseFailure
from stratumc.expr.ast import Member, Name, Place, parts_of, places_read
from stratumc.review.comparison.step_output import output_contract
from stratumc.review.paths.given import Given
from stratumc.spec.syntax import (
    ArrayType,
    ContractType,
    EnumType,
    Fanout,
    Field,
    Primitive,
    Spec,
    Step,
    Text,
    Type,
)

if TYPE_CHECKING:
    from stratumc.proof.values import Outcome

_NUMBERS = (Primitive.INTEGER, Primitive.NUMBER)
_MOST_INSIDE = 40
"""What lies deeper inside counts as alike."""


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
    formula = new.prover.model.encoder(step, result=_results(new, tree, step)).predicate(tree)
    return Given(step, formula, when.value)


def _results(facts: FlowFacts, tree: Expression, step: int) -> Outcome:
    """`result` as the step's own `when` sees it: outputs only of steps that runs come to before it."""
    from stratumc.proof.values import Record, sure

    seen = facts.prover.model.results(step)
    place = {facts.graph.ids[index]: number for number, index in enumerate(facts.graph.order)}
    names = dict.fromkeys(one[1] for one in places_read(tree) if one[0] == "result" and one[1:])
    before = [name for name in names if name in place and place[name] < place[facts.graph.ids[step]]]
    ((_, record),) = seen
    if not isinstance(record, Record) or len(before) == len(names):
        return seen
    return sure(Record({name: record.slots[name] for name in before}))


def reads_the_same(old: FlowFacts, new: FlowFacts, when: Text) -> bool:
    """Whether all that an old `when` reads is there in the new version, of types that compare alike."""
    tree = old.proofs.parse(when)
    if isinstance(tree, ParseFailure):
        return False
    likeness = _Likeness(old, new)
    return all(map(likeness.places, _places(tree)))


def _places(tree: Expression) -> Iterator[Place]:
    """The places that an expression reads, those too that it reads as a whole."""
    inner: set[int] = set()
    for node in parts_of(tree):
        match node:
            case Member(Name() as operand, _):
                inner.add(id(operand))
            case Name(root) if id(node) not in inner:
                yield (root,)
            case _:
                pass
    yield from places_read(tree)


def _output_type(spec: Spec, step: Step) -> Type | None:
    contract = output_contract(spec, step)
    if contract is None:
        return None
    kind = ContractType(contract.value)
    return ArrayType(kind) if isinstance(step.body, Fanout) else kind


class _Likeness:
    """What of two versions of a flow compares alike, whatever else has changed around it."""

    def __init__(self, old: FlowFacts, new: FlowFacts) -> None:
        self.old, self.new = old, new

    def places(self, place: Place) -> bool:
        """Whether what is at a place of `input` or `result` is there in both, and alike."""
        match place:
            case ("input",):
                return self._fields(self.old.flow.input, self.new.flow.input, 0)
            case ("input", name, *members):
                return self._field(
                    self.old.flow.input.get(name), self.new.flow.input.get(name), tuple(members), 0
                )
            case ("result", name, *members):
                before, after = self.old.flow.step(name), self.new.flow.step(name)
                if before is None or after is None:
                    return before is after
                types = (
                    _output_type(self.old.proofs.spec, before),
                    _output_type(self.new.proofs.spec, after),
                )
                return self._types(*types, tuple(members), 0) if members else type(types[0]) is type(types[1])
            case _:
                return self.old.graph.ids == self.new.graph.ids

    def _field(self, before: Field | None, after: Field | None, path: Place, depth: int) -> bool:
        if before is None or after is None:
            return before is after
        return self._types(before.type, after.type, path, depth)

    def _types(self, before: Type | None, after: Type | None, path: Place, depth: int) -> bool:
        """Whether what is at a path inside of both compares alike: as strings, as numbers, as objects."""
        match before, after:
            case ContractType(name=first), ContractType(name=second):
                fields = (
                    self.old.proofs.spec.contracts[first].fields,
                    self.new.proofs.spec.contracts[second].fields,
                )
                if path:
                    one, other = (declared.get(path[0]) for declared in fields)
                    return self._field(one, other, path[1:], depth)
                return depth > _MOST_INSIDE or self._fields(*fields, depth + 1)
            case ArrayType(element=first), ArrayType(element=second):
                return self._types(first, second, (), depth + 1)
            case ((Primitive() | EnumType()), (Primitive() | EnumType())):
                return _kind(before) is _kind(after)
            case _:
                return before is after

    def _fields(self, before: Mapping[str, Field], after: Mapping[str, Field], depth: int) -> bool:
        return before.keys() == after.keys() and all(
            self._field(before[name], after[name], (), depth) for name in before
        )


def _kind(one: Primitive | EnumType) -> Primitive:
    """The kind of values by which operators tell them apart."""
    if isinstance(one, EnumType):
        return Primitive.STRING
    return Primitive.NUMBER if one in _NUMBERS else one
