"""Contexts of a workflow's triggers: what a condition says of one, and which few stand for all.

Semantics: workflow.md section 1, "Conditions", and the domains of checks.md, "Workflow findings".
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from stratumc.workflow.syntax import (
    Always,
    Compare,
    Comparison,
    Condition,
    ContextPath,
    Number,
    Operand,
    ThresholdName,
)

Path = tuple[str, ...]
Context = dict[str, Any]

_COMPARE: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.NOT_EQUAL: operator.ne,
    Comparison.GREATER_EQUAL: operator.ge,
    Comparison.LESS_EQUAL: operator.le,
    Comparison.GREATER: operator.gt,
    Comparison.LESS: operator.lt,
}
_EQUALITIES = (Comparison.EQUAL, Comparison.NOT_EQUAL)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A path that can't be looked up: a parent is missing or is no object."""


def is_counter(path: Path) -> bool:
    """Whether a path is an integer from 0: a leaf of an object whose name ends in `counters`."""
    return len(path) > 1 and path[-2].endswith("counters")


def look_up(path: Path, context: Context) -> Any:
    """The value at a path: a missing leaf is 0, a missing parent `Unresolved`."""
    node: Any = context
    for part in path[:-1]:
        node = node.get(part)
        if node.__class__ is not dict:
            return _UNRESOLVED
    return node.get(path[-1], 0)


_UNRESOLVED = Unresolved()


def holds(condition: Condition, context: Context, thresholds: Mapping[str, int | float]) -> bool:
    """Whether a condition fires in a context of numbers, strings and objects."""
    return test_of(condition, thresholds)(context)


def test_of(condition: Condition, thresholds: Mapping[str, int | float]) -> Callable[[Context], bool]:
    """`holds` for one condition, ready to be asked about many contexts."""
    if isinstance(condition, Always):
        return lambda _context: True
    left, right = _reader(condition.left, thresholds), _reader(condition.right, thresholds)
    compare = _COMPARE[condition.operator]
    equality = condition.operator in _EQUALITIES

    def test(context: Context) -> bool:
        a, b = left(context), right(context)
        if a is _UNRESOLVED or b is _UNRESOLVED:
            return False
        if equality or (a.__class__ in _NUMBERS and b.__class__ in _NUMBERS):
            return compare(a, b)
        return False

    return test


_NUMBERS = (int, float)


def _reader(operand: Operand, thresholds: Mapping[str, int | float]) -> Callable[[Context], Any]:
    match operand:
        case ContextPath(parts):
            return functools.partial(look_up, parts)
        case ThresholdName(name):
            known = thresholds[name]
        case Number(value):
            known = value
        case _:
            assert_never(operand)
    return lambda _context: known


def paths_of(condition: Condition) -> Iterator[Path]:
    """The context paths a condition reads, left to right."""
    if isinstance(condition, Compare):
        for operand in (condition.left, condition.right):
            if isinstance(operand, ContextPath):
                yield operand.parts


class Representatives:
    """A finite set of contexts such that every context agrees with one of them on every given condition.

    Conditions only compare, so a value matters by its order among the constants and variables it is
    compared with: for `k` variables compared with each other it suffices to try the constants
    and `k` values in each gap between them, `k` different strings, and each object present or absent.
    """

    def __init__(self, conditions: Iterable[Condition], thresholds: Mapping[str, int | float]) -> None:
        self._paths: dict[Path, None] = {}
        self._constants: dict[Path, set[int | float]] = {}
        self._group: dict[Path, list[Path]] = {}
        for condition in conditions:
            self._add(condition, thresholds)
        self._prefixes = {path[:length] for path in self._paths for length in range(1, len(path))}
        self._children: dict[Path, dict[str, None]] = {}
        for path in self._paths:
            for length in range(len(path)):
                self._children.setdefault(path[:length], {})[path[length]] = None
        self._values = {path: self._values_of(path) for path in self._paths}

    def _add(self, condition: Condition, thresholds: Mapping[str, int | float]) -> None:
        paths = list(paths_of(condition))
        for path in paths:
            self._paths.setdefault(path)
            self._group.setdefault(path, [path])
            self._constants.setdefault(path, {0})
        if len(paths) == 2 and self._group[paths[0]] is not self._group[paths[1]]:
            joined = self._group[paths[0]] + self._group[paths[1]]
            for path in joined:
                self._group[path] = joined
        if isinstance(condition, Compare):
            for operand in (condition.left, condition.right):
                if not isinstance(operand, ContextPath):
                    self._constants_of(paths).add(_constant(operand, thresholds))

    def _constants_of(self, paths: list[Path]) -> set[int | float]:
        return self._constants[paths[0]] if paths else set()

    def _values_of(self, path: Path) -> tuple[int | float | str, ...]:
        group = self._group[path]
        constants = sorted({value for member in group for value in self._constants[member]})
        whole = _integers(constants, len(group))
        if is_counter(path):
            return tuple(whole)
        if any(map(is_counter, group)):
            constants = sorted({*constants, *whole})
        numbers = sorted(_reals(constants, len(group)), key=lambda value: (abs(value), -value))
        return (*numbers, *(f"text{number or ''}" for number in range(len(group))))

    def values(self, path: Path) -> tuple[int | float | str, ...]:
        """The values that a path is tried with, simplest first."""
        return self._values[path]

    def group(self, path: Path) -> tuple[Path, ...]:
        """The paths that are compared with a path, directly or by way of others, itself included."""
        return tuple(self._group[path])

    @property
    def count(self) -> int:
        """How many contexts there are."""
        return self._count(())

    def _count(self, path: Path) -> int:
        """Choices for what is at a path: its values when it is a leaf, its contents when it is a parent."""
        inside = math.prod(self._count((*path, name)) for name in self._children.get(path, ()))
        if not path:
            return inside
        leaf = len(self._values[path]) if path in self._paths else 1
        return leaf + inside if path in self._prefixes else leaf

    def __iter__(self) -> Iterator[Context]:
        return iter(self._objects(()))

    def _objects(self, path: Path) -> Iterator[Context]:
        names = list(self._children.get(path, ()))
        for choice in itertools.product(*(tuple(self._choices((*path, name))) for name in names)):
            yield {name: value for name, value in zip(names, choice, strict=True) if value is not None}

    def _choices(self, path: Path) -> Iterator[Any]:
        """Simplest first, so that the first context that shows something reads well."""
        if path in self._prefixes:
            yield from self._objects(path)
        if path in self._paths:
            yield from self._values[path]
        elif path in self._prefixes:
            yield None


def _constant(operand: ThresholdName | Number, thresholds: Mapping[str, int | float]) -> int | float:
    return thresholds[operand.name] if isinstance(operand, ThresholdName) else operand.value


def _reals(constants: list[int | float], count: int) -> list[int | float]:
    """The constants and `count` numbers below, between and above them."""
    numbers: list[int | float] = list(constants)
    numbers += [math.floor(constants[0]) - step for step in range(1, count + 1)]
    numbers += [math.ceil(constants[-1]) + step for step in range(1, count + 1)]
    for low, high in itertools.pairwise(constants):
        whole = [
            value for value in range(math.floor(low) + 1, math.floor(low) + count + 1) if low < value < high
        ]
        gap = [low + (high - low) * step / (count + 1) for step in range(1, count + 1)]
        numbers += whole if len(whole) == count else [value for value in gap if low < value < high]
    return numbers


def _integers(constants: list[int | float], count: int) -> list[int]:
    """The integers from 0 among the constants, and up to `count` in each gap between them; ascending."""
    bounds = [math.floor(value) for value in constants if value >= 0]
    return sorted({value for low in (-1, *bounds) for value in range(max(low, 0), low + count + 1)})
