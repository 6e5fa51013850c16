"""Which triggers of a workflow can fire, which fire first, and where they go round in circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stratumc.proof.contexts import Context, Representatives, holds
from stratumc.proof.leaf_patterns import LeafPatterns, leaf_patterns
from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.proof.truth_patterns import truth_patterns
from stratumc.workflow.syntax import Condition, Trigger

CONTEXT_LIMIT = 4_000
"""Above so many representative contexts the questions go to z3."""

MOST_LOOPS = 16
"""So many loops among the same states are reported; to name every one could be exponential."""


@dataclass(frozen=True, slots=True)
class Loop:
    """States that lead to each other by first-firing triggers, all in one context."""

    steps: tuple[tuple[str, int], ...]
    """State and the index of its trigger, in the order in which they fire."""
    context: Context


class TriggerTable:
    """The triggers of one state: each question is that no context has a certain property."""

    def __init__(self, triggers: Sequence[Trigger], thresholds: Mapping[str, int | float]) -> None:
        self._conditions = tuple(trigger.condition for trigger in triggers)
        self._thresholds = thresholds

    @cached_property
    def _patterns(self) -> dict[int, Context] | None:
        """Which sets of triggers can hold together, each with a context; None when too many to try."""
        return truth_patterns(self._conditions, self._thresholds, CONTEXT_LIMIT)

    @cached_property
    def _leaves(self) -> LeafPatterns | None:
        return leaf_patterns(self._conditions, self._thresholds, CONTEXT_LIMIT)

    def no_context(self, true: int, false: int) -> Result:
        """That the triggers of mask `true` never hold all at once while those of mask `false` don't."""
        if self._leaves is not None:
            return self._leaves.no_context(true, false)
        if self._patterns is None:
            return self._ask(true, false)
        for pattern, context in self._patterns.items():
            if pattern & true == true and not pattern & false:
                return Refuted(context)
        return Proved()

    def _ask(self, true: int, false: int) -> Result:
        import z3

        from stratumc.proof.context_formula import SymbolicContext
        from stratumc.proof.solver import Query

        wanted = [index for index in range(len(self._conditions)) if (true | false) >> index & 1]
        symbolic = SymbolicContext([self._conditions[index] for index in wanted], self._thresholds)
        formulas = {index: symbolic.holds(self._conditions[index]) for index in wanted}
        query = Query(
            [
                *symbolic.domain(),
                *(formula if true >> index & 1 else z3.Not(formula) for index, formula in formulas.items()),
            ]
        )
        if query.unsatisfiable:
            return Proved()
        context = symbolic.context(query) if query.satisfiable else None
        if context is not None and all(
            holds(self._conditions[index], context, self._thresholds) == bool(true >> index & 1)
            for index in wanted
        ):
            return Refuted(context)
        return Undecided("the solver reached its limit")

    @cached_property
    def never_fires(self) -> tuple[Result, ...]:
        """Per trigger, that its condition holds in no context."""
        return tuple(self.no_context(1 << index, 0) for index in range(len(self._conditions)))

    @cached_property
    def never_first(self) -> tuple[Result, ...]:
        """Per trigger, that it fires in no context, the earlier ones being tried before it."""
        return tuple(self.no_context(1 << index, (1 << index) - 1) for index in range(len(self._conditions)))

    def implies(self, first: int, second: int) -> Result:
        """That whenever trigger `first` holds, `second` holds too."""
        return self.no_context(1 << first, 1 << second)


Group = Mapping[str, Sequence[Trigger]]


def loops(group: Group, thresholds: Mapping[str, int | float]) -> Iterator[Loop]:
    """The loops among some states, each set of states once; triggers that leave the group end a walk."""
    conditions = [trigger.condition for triggers in group.values() for trigger in triggers]
    contexts = Representatives(conditions, thresholds)
    if contexts.count * len(conditions) <= 8 * CONTEXT_LIMIT:
        yield from _loops_tried(group, thresholds, contexts)
    else:
        yield from _loops_asked(group, thresholds, conditions)


def _loops_tried(
    group: Group, thresholds: Mapping[str, int | float], contexts: Representatives
) -> Iterator[Loop]:
    seen: set[frozenset[str]] = set()
    for context in contexts:
        for steps in circles_in(group, context, thresholds):
            states = frozenset(state for state, _ in steps)
            if states not in seen and len(seen) < MOST_LOOPS:
                seen.add(states)
                yield Loop(steps, context)


def circles_in(
    group: Group, context: Context, thresholds: Mapping[str, int | float]
) -> Iterator[tuple[tuple[str, int], ...]]:
    """The circles that one context goes round, each beginning with its first state in document order."""
    following = {state: _first(triggers, context, thresholds) for state, triggers in group.items()}
    order = {state: place for place, state in enumerate(group)}
    done: set[str] = set()
    for start in group:
        walk: dict[str, int] = {}
        state = start
        while state in following and state not in done and state not in walk:
            index = following[state]
            if index is None:
                break
            walk[state] = index
            state = group[state][index].target
        if state in walk:
            steps = list(walk.items())
            circle = steps[list(walk).index(state) :]
            first = min(range(len(circle)), key=lambda place: order[circle[place][0]])
            yield (*circle[first:], *circle[:first])
        done.update(walk, (start,))


def _first(
    triggers: Sequence[Trigger], context: Context, thresholds: Mapping[str, int | float]
) -> int | None:
    for index, trigger in enumerate(triggers):
        if holds(trigger.condition, context, thresholds):
            return index
    return None


def _loops_asked(
    group: Group, thresholds: Mapping[str, int | float], conditions: Sequence[Condition]
) -> Iterator[Loop]:
    """Asks for a context and states each of which leads into the set; forbids each answer in turn."""
    import z3

    from stratumc.proof.context_formula import SymbolicContext
    from stratumc.proof.solver import Query

    symbolic = SymbolicContext(conditions, thresholds)
    member = {state: symbolic.unknown(f"member {state}") for state in group}
    fires: dict[tuple[str, int], Any] = {}
    rules = [*symbolic.domain(), z3.Or(*member.values())]
    for state, triggers in group.items():
        earlier: list[Any] = []
        ways: list[Any] = []
        for index, trigger in enumerate(triggers):
            formula = symbolic.holds(trigger.condition)
            if trigger.target in member:
                fires[state, index] = z3.And(*map(z3.Not, earlier), formula)
                ways.append(z3.And(fires[state, index], member[trigger.target]))
            earlier.append(formula)
        rules.append(z3.Implies(member[state], z3.Or(*ways, symbolic.known(False))))
    seen: set[frozenset[str]] = set()
    for _ in range(MOST_LOOPS):
        query = Query(rules)
        if not query.satisfiable:
            return
        context = symbolic.context(query)
        members = {state: group[state] for state in group if query.truth(member[state])}
        found = list(circles_in(members, context, thresholds))
        if not found:
            return
        for steps in found:
            states = frozenset(state for state, _ in steps)
            if states not in seen:
                seen.add(states)
                yield Loop(steps, context)
            rules.append(z3.Not(z3.And(*(z3.And(member[step[0]], fires[step]) for step in steps))))
