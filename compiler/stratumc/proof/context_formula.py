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
    """Every context at once: per object a boolean (present), per leaf a number, or the name of a string."""

    def __init__(self, conditions: Iterable[Condition], thresholds: Mapping[str, int | float]) -> None:
        self._thresholds = thresholds
        self._paths = tuple(dict.fromkeys(path for condition in conditions for path in paths_of(condition)))
        prefixes = (path[:length] for path in self._paths for length in range(1, len(path)))
        self._object = {path: z3.Bool(f"object {'.'.join(path)}") for path in dict.fromkeys(prefixes)}
        self._text = {path: z3.Bool(f"text {'.'.join(path)}") for path in self._paths}
        self._number = {path: self._new_number(path) for path in self._paths}

    @staticmethod
    def _new_number(path: Path) -> Any:
        name = ".".join(path)
        return z3.Int(name) if is_counter(path) else z3.Real(name)

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
            return z3.BoolVal(True)
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
            return z3.BoolVal(True)
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
        return self._text[operand.parts] if isinstance(operand, ContextPath) else z3.BoolVal(False)

    def _operand(self, operand: Operand) -> Any:
        match operand:
            case ContextPath(parts):
                return self._number[parts]
            case ThresholdName(name):
                return _constant(self._thresholds[name])
            case Number(value):
                return _constant(value)
            case _:
                assert_never(operand)

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


def _constant(value: int | float) -> Any:
    return z3.IntVal(value) if isinstance(value, int) else z3.RealVal(str(Fraction(value)))


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _put(context: Context, path: Path, value: Any) -> None:
    node = context
    for part in path[:-1]:
        node = node.setdefault(part, {})
    node.setdefault(path[-1], value)
