"""Reads a tree into a draft of the syntax tree: total on any tree, faulty or not."""

from __future__ import annotations

from stratumc.read.tree import Mapping, Node, Scalar, Sequence
from stratumc.spec.build_step import build_step, step_id_of
from stratumc.spec.damage import Damage
from stratumc.spec.draft import Draft, FlowDraft
from stratumc.spec.parts import Parts, read_template
from stratumc.spec.shape import RESERVED_NAMES, STEP_ID_PATTERN
from stratumc.spec.syntax import CarryVariable, Contract, Field, Output, Step, Template
from stratumc.spec.types import parse_type
from stratumc.text import Location

_SOUND = Damage()


def build(root: Node, damage: Damage = _SOUND, *, any_names: bool = False) -> Draft:
    """What can be read of a document; nothing is concluded from what a damaged mapping lacks.

    `any_names` lets references to steps be names that no step can have.
    """
    at = Location()
    parts = Parts()
    document = root if isinstance(root, Mapping) else None
    contracts = parts.mapping(document, "contracts") if document is not None else None
    flows = parts.mapping(document, "flows") if document is not None else None
    built_contracts, unread_contracts = _build_contracts(contracts, at.child("contracts"), damage)
    built_flows, unread_flows = _build_flows(flows, at.child("flows"), damage, any_names)
    if ("contracts",) in damage.holes:
        contracts = None
    if ("flows",) in damage.holes:
        flows = None
    return Draft(
        built_contracts,
        None if contracts is None else unread_contracts,
        parts.text(flows, "entry", at.child("flows")) if flows is not None else None,
        built_flows,
        None if flows is None else unread_flows,
        at,
    )


def _build_contracts(
    node: Mapping | None, at: Location, damage: Damage
) -> tuple[dict[str, Contract], frozenset[str]]:
    built: dict[str, Contract] = {}
    unread = []
    for entry in node or ():
        fields = _build_fields(entry.value, at.child(entry.name), damage)
        if fields is None:
            unread.append(entry.name)
        else:
            built[entry.name] = Contract(entry.name, fields, at.child(entry.name))
    return built, frozenset(unread)


def _build_fields(node: Node, at: Location, damage: Damage) -> dict[str, Field] | None:
    """The declared fields; None when a reserved name or damage hides some or there is no mapping."""
    if not isinstance(node, Mapping) or any(entry.name in RESERVED_NAMES for entry in node):
        return None
    if at.path in damage.holes:
        return None
    fields = {}
    for entry in node:
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        parsed = parse_type(value) if isinstance(value, str) else None
        fields[entry.name] = Field(
            entry.name,
            parsed.type if parsed is not None else None,
            parsed.optional if parsed is not None else False,
            at.child(entry.name),
        )
    return fields


def _build_flows(
    node: Mapping | None, at: Location, damage: Damage, any_names: bool
) -> tuple[dict[str, FlowDraft], frozenset[str]]:
    built: dict[str, FlowDraft] = {}
    unread = []
    for entry in node or ():
        if entry.name == "entry":
            continue
        if isinstance(entry.value, Mapping):
            parts = Parts(any_names=any_names)
            built[entry.name] = _build_flow(parts, entry.name, entry.value, at.child(entry.name), damage)
        else:
            unread.append(entry.name)
    return built, frozenset(unread)


def _build_flow(parts: Parts, name: str, node: Mapping, at: Location, damage: Damage) -> FlowDraft:
    steps: list[Step] = []
    unread: list[str | None] = []
    loose = []
    listed = node.get("steps")
    if listed is None or not isinstance(listed.value, Sequence):
        unread.append(None)
    for index, (item, place) in enumerate(parts.items(node, "steps", at, required=True)):
        before = parts.unreadable
        step = build_step(parts, item, index, place)
        if step is None:
            unread.append(step_id_of(item))
            continue
        steps.append(step)
        if parts.unreadable > before or damage.is_at(place.path):
            loose.append(index)
        if not STEP_ID_PATTERN.fullmatch(step.id):
            unread.append(None)
    given = node.get("input")
    return FlowDraft(
        name,
        _build_fields(given.value, at.child("input"), damage) if given is not None else None,
        _build_output(parts, node, at),
        tuple(steps),
        tuple(unread),
        frozenset(loose),
        parts.budget(node, at),
        parts.count(node, "max_rounds"),
        node.get("max_rounds") is not None,
        _build_carry(parts, node, at),
        node.get("carry") is not None,
        parts.unreadable == 0,
        at,
    )


def _build_output(parts: Parts, node: Mapping, at: Location) -> Output | None:
    below, place = parts.mapping(node, "output", required=True), at.child("output")
    if below is None:
        return None
    source = parts.template(below, "from", place, required=True)
    contract = parts.text(below, "contract", place, required=True)
    return None if source is None or contract is None else Output(source, contract, place)


def _build_carry(parts: Parts, node: Mapping, at: Location) -> dict[str, CarryVariable] | None:
    if node.get("carry") is None:
        return {}
    below, place = parts.mapping(node, "carry"), at.child("carry")
    if below is None:
        return None
    if any(entry.name in RESERVED_NAMES for entry in below):
        parts.unreadable += 1
        return None
    built: dict[str, CarryVariable] = {}
    for entry in below:
        variable = _build_variable(parts, entry.name, entry.value, place.child(entry.name))
        if variable is None:
            parts.unreadable += 1
            return None
        built[entry.name] = variable
    return built


def _build_variable(parts: Parts, name: str, node: Node, at: Location) -> CarryVariable | None:
    initial = parts.template(node, "initial", at) if isinstance(node, Mapping) else None
    if initial is None or not isinstance(node, Mapping):
        return None
    on_revise: dict[str, Template] = {}
    below, place = parts.mapping(node, "on_revise"), at.child("on_revise")
    for entry in below or ():
        value = parts.string(entry.value)
        if value is not None:
            on_revise[entry.name] = read_template(value, place.child(entry.name))
    return CarryVariable(name, initial, on_revise, at)
