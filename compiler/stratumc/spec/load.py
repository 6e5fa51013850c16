"""From a tree to a spec and everything that is wrong with it: all of v1.md in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stratumc.diagnostics import Finding
from stratumc.read.shape import validate
from stratumc.read.tree import Node
from stratumc.spec.build import build
from stratumc.spec.damage import damage_of, without_consequences
from stratumc.spec.draft import Draft
from stratumc.spec.edges import StepGraph
from stratumc.spec.legacy import explain_old_keys, explain_version, legacy_version
from stratumc.spec.rules.carry import carry_rules
from stratumc.spec.rules.consumer import consumer_rules
from stratumc.spec.rules.contracts import circles, contract_rules, named_contract_rules
from stratumc.spec.rules.edges import circle_rules, target_rules
from stratumc.spec.rules.flows import duplicate_id_rules, entry_rules, output_rules
from stratumc.spec.rules.gates import gate_rules
from stratumc.spec.rules.references import reference_rules
from stratumc.spec.rules.subflows import call_rules, recursion_rules
from stratumc.spec.scope import Scope
from stratumc.spec.shape import SPEC
from stratumc.spec.syntax import Contract, Spec
from stratumc.spec.types import named_contract
from stratumc.text import Location
from stratumc.text.record import record


@record
class LoadedSpec:
    """A document, read: its syntax tree when every part could be read, and the faults of family rule."""

    spec: Spec | None
    findings: tuple[Finding, ...]


def load_spec(root: Node, reported: Iterable[Location] = ()) -> LoadedSpec:
    """Reads a tree as a v1 document and checks every rule of v1.md.

    `reported` are the places in the tree at which its reader found a fault.

    Every error that holds is reported, but for those that follow from another. In the syntax tree a
    field whose type was reported has no type. Of a v0.x document only the shape is judged, with what
    became of each old construct, and it has no syntax tree.
    """
    faults = validate(SPEC, root)
    damage = damage_of(reported, faults)
    shape = explain_old_keys(without_consequences(faults, root, damage))
    version = legacy_version(root)
    if version is not None:
        return LoadedSpec(None, explain_version(shape, root, version))
    draft = build(root, damage)
    findings = (*shape, *_rules(draft, root))
    spec = None if damage.holes else draft.spec()
    return LoadedSpec(None if spec is None else _with_sound_types(spec, draft), findings)


def _rules(draft: Draft, root: Node) -> Iterator[Finding]:
    yield from entry_rules(draft)
    yield from contract_rules(draft, root)
    yield from recursion_rules(draft)
    for flow in draft.flows.values():
        scope = Scope(draft, flow)
        graph = StepGraph(scope)
        yield from duplicate_id_rules(scope)
        yield from named_contract_rules(scope)
        yield from output_rules(scope)
        yield from reference_rules(scope)
        yield from target_rules(graph)
        yield from circle_rules(graph)
        yield from gate_rules(graph)
        yield from carry_rules(graph)
        yield from call_rules(scope)
        yield from consumer_rules(graph)


def _with_sound_types(spec: Spec, draft: Draft) -> Spec:
    """The tree without types that name unknown contracts or close a circle of contracts."""
    closing = {circle.closing.at for circle in circles(draft)}
    contracts: dict[str, Contract] = {}
    for name, contract in spec.contracts.items():
        fields = dict(contract.fields)
        for field in contract.fields.values():
            named = named_contract(field.type)
            if field.at in closing or (named is not None and named not in spec.contracts):
                fields[field.name] = replace(field, type=None)
        contracts[name] = replace(contract, fields=fields)
    return replace(spec, contracts=contracts)
