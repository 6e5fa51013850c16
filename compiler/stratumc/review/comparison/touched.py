"""Which steps of a flow a change touches: runs come to the others as they did."""

from __future__ import annotations

from typing import Any

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.step_sets import mask_of
from stratumc.review.comparison.step_output import contracts_named
from stratumc.spec.syntax import ArrayType, Contract, ContractType, Run, Spec, Step, Type
from stratumc.text import Location

_LAYOUT = ("at", "index", "start", "end")


def bare(value: Any) -> Any:
    """A part of a syntax tree as nested tuples, without the places in its text."""
    match value:
        case Location():
            return None
        case dict():
            return tuple((name, bare(inner)) for name, inner in value.items())
        case tuple() | list():
            return tuple(map(bare, value))
        case _ if hasattr(value, "__record_values__"):
            names = (name for name in value.__match_args__ if name not in _LAYOUT)
            return (type(value).__name__, *(bare(getattr(value, name)) for name in names))
        case _:
            return value


def untouched(old: FlowFacts, new: FlowFacts) -> int:
    """The steps, as a mask by new index, that mean the same in both versions, with all that comes before."""
    specs = (old.proofs.spec, new.proofs.spec)
    if bare(old.flow.input) != bare(new.flow.input):
        return 0
    contracts = _changed_contracts(*specs)
    calls_same = not contracts and all(
        bare(flow) == bare(specs[1].flows.get(name))
        for name, flow in specs[0].flows.items()
        if name != old.flow.name
    )
    touched = mask_of(
        step.index
        for step in new.flow.steps
        if not _is_same(old.flow.step(step.id), step)
        or _sources(old, step.id) != _sources(new, step.id)
        or (isinstance(step.body, Run) and not calls_same)
        or any(name in contracts for name in contracts_named(specs[1], step))
    )
    return mask_of(
        index
        for index in range(len(new.flow.steps))
        if not (new.graph.before_masks[index] | 1 << index) & touched
    )


def _is_same(before: Step | None, after: Step) -> bool:
    return before is not None and bare(before) == bare(after)


def _sources(facts: FlowFacts, step: str) -> frozenset[str]:
    """What leads straight to a step, routes of others included."""
    graph = facts.graph
    return frozenset(graph.ids[index] for index in graph.predecessors[graph.index[step]])


def _changed_contracts(old: Spec, new: Spec) -> frozenset[str]:
    """The contracts whose objects are others now, for their own fields or those of what they hold."""
    changed = {name for name, one in new.contracts.items() if bare(one) != bare(old.contracts.get(name))}
    grown = True
    while grown:
        more = {name for name, one in new.contracts.items() if name not in changed and _held(one) & changed}
        grown = bool(more)
        changed |= more
    return frozenset(changed)


def _held(contract: Contract) -> set[str]:
    """The contracts that a contract's fields name."""
    found = set()
    for field in contract.fields.values():
        kind: Type | None = field.type
        while isinstance(kind, ArrayType):
            kind = kind.element
        if isinstance(kind, ContractType):
            found.add(kind.name)
    return found
