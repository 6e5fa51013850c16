"""The pools of a table: each expression, template, contract, value and condition once, by index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from stratumc.expr import compile_text
from stratumc.spec.references import references
from stratumc.spec.syntax import (
    ArrayType,
    Contract,
    ContractType,
    EnumType,
    Field,
    Primitive,
    Reference,
    ReferenceKind,
    Template,
    Type,
    WithList,
    WithObject,
    WithScalar,
    WithValue,
)
from stratumc.workflow.syntax import (
    Always,
    Compare,
    Condition,
    ContextPath,
    Number,
    Operand,
    ThresholdName,
)

STEP_STATES = ("pending", "ready", "running", "waiting_gate", "succeeded", "failed", "skipped")
PENDING, READY, RUNNING, WAITING, SUCCEEDED, FAILED, SKIPPED = range(len(STEP_STATES))
RUN_STATES = ("in_progress", "complete", "failed", "killed", "budget_exhausted", "cancelled")


class Pool:
    """Entries in the order in which they first came, equal ones once."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._index: dict[str, int] = {}

    def add(self, entry: Any, key: str | None = None) -> int:
        """The index of an entry; `key` stands for it when it is costly to spell out."""
        key = json.dumps(entry, sort_keys=True) if key is None else key
        if key not in self._index:
            self._index[key] = len(self.entries)
            self.entries.append(entry)
        return self._index[key]


class Pools:
    """All pools of one table."""

    def __init__(self, contracts: Mapping[str, Contract] | None = None) -> None:
        self.states = Pool()
        self.expressions = Pool()
        self.templates = Pool()
        self.contracts = Pool()
        self.values = Pool()
        self.conditions = Pool()
        self.contract_index = {name: number for number, name in enumerate(contracts or {})}
        for contract in (contracts or {}).values():
            self.contracts.add(self._contract(contract.name, contract.fields), f"contract {contract.name}")

    def state_set(self, names: Iterable[str], final: Iterable[int]) -> int:
        """Named states, some of them final."""
        return self.states.add({"names": list(names), "final": list(final)})

    def step_states(self) -> int:
        """The states of a step."""
        return self.state_set(STEP_STATES, (SUCCEEDED, FAILED, SKIPPED))

    def expression(self, text: str) -> int:
        """An expression; one that doesn't parse always fails with `parse_error`."""
        if text in self.expressions._index:
            return self.expressions._index[text]
        return self.expressions.add({"text": text, "code": compile_text(text)}, text)

    def input_contract(self, flow: str, fields: Mapping[str, Field]) -> int:
        """The contract of a flow's input."""
        return self.contracts.add(self._contract(None, fields), f"input {flow}")

    def _contract(self, name: str | None, fields: Mapping[str, Field]) -> Any:
        return {
            "name": name,
            "fields": [
                [field.name, self._type(field.type), field.optional]
                for field in fields.values()
                if field.type is not None
            ],
        }

    def _type(self, kind: Type) -> Any:
        match kind:
            case Primitive():
                return kind.value
            case EnumType(members=members):
                return ["enum", list(members)]
            case ArrayType(element=element):
                return ["array", self._type(element)]
            case ContractType(name=name):
                return ["contract", self.contract_index[name]]
            case _:
                assert_never(kind)

    def condition(self, text: str, condition: Condition) -> int:
        """A trigger's condition."""
        match condition:
            case Always():
                code: Any = "always"
            case Compare(left=left, operator=operator, right=right):
                code = [_operand(left), operator.value, _operand(right)]
            case _:
                assert_never(condition)
        return self.conditions.add({"text": text, "code": code})

    def to_json(self) -> dict[str, list[Any]]:
        """The pools as the table holds them."""
        return {
            "states": self.states.entries,
            "expressions": self.expressions.entries,
            "templates": self.templates.entries,
            "contracts": self.contracts.entries,
            "values": self.values.entries,
            "conditions": self.conditions.entries,
        }


class Names:
    """What references of one flow lead to: the regions of its steps, the numbers of its carry variables."""

    def __init__(self, pools: Pools, regions: Mapping[str, int], carry: Mapping[str, int]) -> None:
        self.pools = pools
        self.regions = regions
        self.carry = carry

    def template(self, template: Template) -> int:
        """A rendered string, split at its references."""
        parts: list[Any] = []
        end = 0
        found = references(template.text) or ()
        for reference in found:
            if reference.start > end:
                parts.append(template.text[end : reference.start])
            parts.append(self._reference(reference))
            end = reference.end
        if end < len(template.text) or not parts:
            parts.append(template.text[end:])
        full = len(found) == 1 and found[0].full
        return self.pools.templates.add({"text": template.text, "parts": parts, "full": full})

    def value(self, value: WithValue) -> int:
        """An argument tree."""
        return self.pools.values.add(self._value(value))

    def _value(self, value: WithValue) -> Any:
        match value:
            case Template():
                return ["template", self.template(value)]
            case WithList(items=items):
                return ["list", [self._value(item) for item in items]]
            case WithObject(entries=entries):
                return ["object", [[key, self._value(item)] for key, item in entries.items()]]
            case WithScalar(value=scalar):
                return ["value", scalar]
            case _:
                assert_never(value)

    def _reference(self, reference: Reference) -> Any:
        path = list(reference.path)
        if reference.kind in (ReferenceKind.ITEM, ReferenceKind.PREV):
            return [reference.kind.value]
        if reference.kind is ReferenceKind.INPUT:
            return ["input", path]
        assert reference.name is not None
        table = self.regions if reference.kind is ReferenceKind.STEP else self.carry
        return [reference.kind.value, table[reference.name], path]


def _operand(operand: Operand) -> Any:
    match operand:
        case ContextPath(parts=parts):
            return ["path", list(parts)]
        case ThresholdName(name=name):
            return ["threshold", name]
        case Number(value=value):
            return ["number", value]
        case _:
            assert_never(operand)
