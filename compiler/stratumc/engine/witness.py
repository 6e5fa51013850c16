"""Values of the context that make one trigger of a state the first to fire, or that there are none.

Conditions only compare, so it suffices to try finitely many values for each path (`proof.contexts`), and
paths that are never compared with each other can be tried apart. Objects that the trigger itself doesn't need
are left out: what reads them can't be resolved then, and doesn't fire.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stratum_runtime.condition import holds
from stratumc.proof.contexts import Path, Representatives, is_counter, paths_of
from stratumc.proof.results import Proved, Refuted, Undecided
from stratumc.proof.triggers import TriggerTable
from stratumc.workflow.syntax import (
    Always,
    Compare,
    Comparison,
    Condition,
    ContextPath,
    Number,
    Operand,
    ThresholdName,
    Trigger,
)

Context = dict[str, Any]
Thresholds = Mapping[str, int | float]

TRIES = 20_000
"""So many combinations of values are tried for one group of paths before the search gives up."""


class Verdict(enum.Enum):
    """Why there is no witness."""

    NEVER = "no context fires it first"
    UNDECIDED = "the search was given up"


_MIRRORED = {
    Comparison.GREATER_EQUAL: Comparison.LESS_EQUAL,
    Comparison.LESS_EQUAL: Comparison.GREATER_EQUAL,
    Comparison.GREATER: Comparison.LESS,
    Comparison.LESS: Comparison.GREATER,
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.NOT_EQUAL: Comparison.NOT_EQUAL,
}


def find_witness(
    triggers: Sequence[Trigger], index: int, thresholds: Thresholds, given: Context
) -> Context | Verdict:
    """What to add to the given context so that the trigger at `index` fires and none before it does."""
    wanted = triggers[index].condition
    earlier = [trigger.condition for trigger in triggers[:index]]
    context = json.loads(json.dumps(given))
    added: Context = {}
    for path in paths_of(wanted):
        if not _make_parents(context, added, path):
            return Verdict.NEVER
    readable = [
        condition for condition in earlier if all(_has_parent(context, path) for path in paths_of(condition))
    ]
    goals = [(wanted, True), *((condition, False) for condition in readable)]
    return _Search(goals, thresholds, context, added).run()


def with_given(triggers: Sequence[Trigger], index: int, given: Context, added: Context) -> Context:
    """A witness by itself: the additions, and what of the given context these triggers read up to `index`."""
    found: Context = json.loads(json.dumps(added))
    for trigger in triggers[: index + 1]:
        for path in paths_of(trigger.condition):
            _take(given, found, path)
    return found


def _take(given: Context, found: Context, path: Path) -> None:
    """Copies what is at a path, or as far along it as anything is."""
    here: Any = given
    for depth, name in enumerate(path, 1):
        if not isinstance(here, dict) or name not in here:
            return
        here = here[name]
        if depth == len(path) or not isinstance(here, dict):
            found[name] = json.loads(json.dumps(here))
            return
        found = found.setdefault(name, {})


def ask_solver(triggers: Sequence[Trigger], index: int, thresholds: Thresholds) -> Context | Verdict:
    """The same question to z3, for the rare trigger that is too entangled with others for trying."""
    table = TriggerTable(triggers[: index + 1], thresholds)
    match table.no_context(1 << index, (1 << index) - 1):
        case Refuted(witness):
            context: Context = witness
            return context
        case Proved():
            return Verdict.NEVER
        case Undecided():
            return Verdict.UNDECIDED


def _make_parents(context: Context, added: Context, path: Path) -> bool:
    """Puts the objects that a path needs into both contexts; false when something else is in the way."""
    here, beside = context, added
    for name in path[:-1]:
        if not isinstance(here.setdefault(name, {}), dict):
            return False
        here, beside = here[name], beside.setdefault(name, {})
    return True


def _has_parent(context: Context, path: Path) -> bool:
    here: Any = context
    for name in path[:-1]:
        here = here.get(name) if isinstance(here, dict) else None
    return isinstance(here, dict)


def _find(context: Context, path: Path) -> tuple[bool, Any]:
    """Whether something is at a path whose parent is there, and what."""
    here: Any = context
    for name in path[:-1]:
        here = here[name]
    return path[-1] in here, here.get(path[-1])


def _put(context: Context, path: Path, value: Any) -> None:
    for name in path[:-1]:
        context = context.setdefault(name, {})
    context[path[-1]] = value


class _Search:
    """Assigns values to free paths, group by group."""

    def __init__(
        self, goals: list[tuple[Condition, bool]], thresholds: Thresholds, context: Context, added: Context
    ) -> None:
        self._goals = goals
        self._thresholds = thresholds
        self._context = context
        self._added = added
        self._tries = 0

    def run(self) -> Context | Verdict:
        """The additions to the context, or why there are none."""
        free = list(dict.fromkeys(path for goal, _ in self._goals for path in self._free_paths(goal)))
        if not all(self._is_met(goal) for goal in self._goals if not self._free_paths(goal[0])):
            return Verdict.NEVER
        candidates = Representatives(
            [kept for goal, _ in self._goals if (kept := self._with_fixed_values(goal)) is not None],
            self._thresholds,
        )
        texts = tuple(self._fixed_texts())
        done: set[Path] = set()
        for path in free:
            if path in done:
                continue
            group = [member for member in candidates.group(path) if member in free]
            done.update(group)
            goals = [goal for goal in self._goals if any(member in group for member in paths_of(goal[0]))]
            self._tries = 0
            values = [
                (*candidates.values(member), *(() if is_counter(member) else texts)) for member in group
            ]
            if not self._assign(group, values, goals):
                return Verdict.UNDECIDED if self._tries > TRIES else Verdict.NEVER
        return self._added

    def _assign(
        self, group: list[Path], values: list[tuple[Any, ...]], goals: list[tuple[Condition, bool]]
    ) -> bool:
        """Backtracks over the paths of a group; a goal is asked as soon as all its paths have values."""
        ready = [
            [goal for goal in goals if self._is_last(goal[0], group, depth)] for depth in range(len(group))
        ]
        choices: list[Iterator[Any]] = [iter(values[0])]
        while choices:
            depth = len(choices) - 1
            for value in choices[-1]:
                self._tries += 1
                if self._tries > TRIES:
                    return False
                _put(self._context, group[depth], value)
                if all(self._is_met(goal) for goal in ready[depth]):
                    break
            else:
                choices.pop()
                continue
            if depth + 1 == len(group):
                for path in group:
                    _put(self._added, path, _find(self._context, path)[1])
                return True
            choices.append(iter(values[depth + 1]))
        return False

    def _is_last(self, condition: Condition, group: list[Path], depth: int) -> bool:
        places = [group.index(path) for path in paths_of(condition) if path in group]
        return max(places) == depth

    def _is_met(self, goal: tuple[Condition, bool]) -> bool:
        condition, wanted = goal
        return (holds(_code(condition), self._context, self._thresholds) is True) is wanted

    def _free_paths(self, condition: Condition) -> list[Path]:
        return [path for path in paths_of(condition) if not _find(self._context, path)[0]]

    def _with_fixed_values(self, condition: Condition) -> Condition | None:
        """The condition with numbers for the paths that the context fixes; None when nothing is free."""
        free = self._free_paths(condition)
        if isinstance(condition, Always) or not free:
            return None
        left, right = condition.left, condition.right
        if isinstance(left, ContextPath) and left.parts not in free:
            assert not isinstance(right, Number)
            return self._compared(right, _MIRRORED[condition.operator], left)
        if isinstance(right, ContextPath) and right.parts not in free:
            return self._compared(left, condition.operator, right)
        return condition

    def _compared(
        self, free: ContextPath | ThresholdName, operator: Comparison, fixed: ContextPath
    ) -> Condition:
        value = _find(self._context, fixed.parts)[1]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return Compare(free, operator, Number(value if is_number else 0))

    def _fixed_texts(self) -> Iterable[str]:
        """Texts of the given context that a free path may have to equal."""
        for condition, _ in self._goals:
            for path in paths_of(condition):
                is_there, value = _find(self._context, path)
                if is_there and isinstance(value, str):
                    yield value


def _code(condition: Condition) -> Any:
    """The condition as the runtime evaluates it (docs/table-format.md)."""
    if isinstance(condition, Always):
        return "always"
    return [_operand(condition.left), condition.operator.value, _operand(condition.right)]


def _operand(operand: Operand) -> list[Any]:
    match operand:
        case ContextPath(parts):
            return ["path", list(parts)]
        case ThresholdName(name):
            return ["threshold", name]
        case Number(value):
            return ["number", value]
