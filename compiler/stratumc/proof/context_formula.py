"""Conditions over a symbolic context, for z3: the general way where the representatives are too many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, assert_never

import z3

from stratumc.proof.contexts import Context, Path, is_counter, paths_of
from stratumc.proof.solver import Query
from stratumc.workflow.syntax import (
    Always,
    Comparison,
    Condition,
    ContextPath,
    Number,
    Operand,
    ThresholdName,
)


class SymbolicContext:
    """Every context at once: per object a boolean (present), per leaf a number, or the name of a string.

    All is said in a z3 context of its own: in a shared one the model found depends on what was asked before.
    """

    def __init__(self, conditions: Iterable[Condition], thresholds: Mapping[str, int | float]) -> None:
        self._z3 = z3.Context()
        self._thresholds = thresholds
        self._paths = tuple(dict.fromkeys(path for condition in conditions for path in paths_of(condition)))
        prefixes = (path[:length] for path in self._paths for length in range(1, len(path)))
        self._object = {path: self.unknown(f"object {'.'.join(path)}") for path in dict.fromkeys(prefixes)}
        self._text = {path: self.unknown(f"text {'.'.join(path)}") for path in self._paths}
        self._number = {path: self._new_number(path) for path in self._paths}

    def unknown(self, name: str) -> Any:
        """A boolean of that name."""
        return z3.Bool(name, self._z3)

    def _new_number(self, path: Path) -> Any:
        name = ".".join(path)
        return z3.Int(name, self._z3) if is_counter(path) else z3.Real(name, self._z3)

    def known(self, truth: bool) -> Any:
        """One of the two constants."""
        return z3.BoolVal(truth, self._z3)

    def domain(self) -> list[Any]:
        """What holds in every context."""
        facts = [
            z3.Implies(self._object[path], self._object[path[:-1]]) for path in self._object if len(path) > 1
        ]
        for path in self._paths:
            if is_counter(path):
                facts += [z3.Not(self._text[path]), self._number[path] >= 0]
            if path in self._object:
                facts.append(z3.Not(z3.And(self._object[path], self._text[path])))
        return facts

    def holds(self, condition: Condition) -> Any:
        """The formula for `contexts.holds`."""
        if isinstance(condition, Always):
            return self.known(True)
        left, right = condition.left, condition.right
        resolved = [
            self._object[operand.parts[:-1]]
            for operand in (left, right)
            if isinstance(operand, ContextPath) and len(operand.parts) > 1
        ]
        return z3.And(*resolved, self._compare(condition.operator, left, right))

    def _compare(self, operator: Comparison, left: Operand, right: Operand) -> Any:
        first, second = self._operand(left), self._operand(right)
        plain = z3.Not(z3.Or(self._is_text(left), self._is_text(right), *self._objects(left, right)))
        match operator:
            case Comparison.EQUAL:
                return self._equal(left, right)
            case Comparison.NOT_EQUAL:
                return z3.Not(self._equal(left, right))
            case Comparison.GREATER_EQUAL:
                return z3.And(plain, first >= second)
            case Comparison.LESS_EQUAL:
                return z3.And(plain, first <= second)
            case Comparison.GREATER:
                return z3.And(plain, first > second)
            case Comparison.LESS:
                return z3.And(plain, first < second)
            case _:
                assert_never(operator)

    def _equal(self, left: Operand, right: Operand) -> Any:
        if left == right:
            return self.known(True)
        kinds = [self._is_text(left) == self._is_text(right)]
        return z3.And(
            *kinds, *map(z3.Not, self._objects(left, right)), self._operand(left) == self._operand(right)
        )

    def _objects(self, *operands: Operand) -> list[Any]:
        """Booleans that say that an operand is itself an object; two objects count as unequal."""
        return [
            self._object[operand.parts]
            for operand in operands
            if isinstance(operand, ContextPath) and operand.parts in self._object
        ]

    def _is_text(self, operand: Operand) -> Any:
        return self._text[operand.parts] if isinstance(operand, ContextPath) else self.known(False)

    def _operand(self, operand: Operand) -> Any:
        match operand:
            case ContextPath(parts):
                return self._number[parts]
            case ThresholdName(name):
                return self._constant(self._thresholds[name])
            case Number(value):
                return self._constant(value)
            case _:
                assert_never(operand)

    def _constant(self, value: int | float) -> Any:
        if isinstance(value, int):
            return z3.IntVal(value, self._z3)
        return z3.RealVal(str(Fraction(value)), self._z3)

    def context(self, query: Query) -> Context:
        """The context of a satisfied query's model."""
        context: Context = {}
        for path, present in self._object.items():
            if query.truth(present):
                _put(context, path, {})
        for path in self._paths:
            parent_present = len(path) == 1 or query.truth(self._object[path[:-1]])
            if parent_present and not (path in self._object and query.truth(self._object[path])):
                number = query.number(self._number[path])
                _put(context, path, f"text {number}" if query.truth(self._text[path]) else _plain(number))
        return context


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _put(context: Context, path: Path, value: Any) -> None:
    node = context
    for part in path[:-1]:
        node = node.setdefault(part, {})
    node.setdefault(path[-1], value)
