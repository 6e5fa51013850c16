"""Many questions about one flow that share rules of their own: one solver takes those in but once."""

from __future__ import annotations

from collections.abc import Iterable

from stratumc.proof.arithmetic import exact_rules
from stratumc.proof.logic import Formula, conjunction, equivalence
from stratumc.proof.prover import Prover
from stratumc.proof.solver import RESOURCE_LIMIT, Answer, Base, Effort, Query

_MOST_KEPT = 16


class Session:
    """Asks whether a run is possible in which some formulas hold, and some rules as well."""

    def __init__(self, prover: Prover, effort: Effort, rules: Iterable[Formula]) -> None:
        self._prover, self._effort = prover, effort
        world, everyone = prover.model.world, prover.model.everyone
        self._rules = [rule for rule in rules if rule is not True]
        exact = [rule for owner in everyone for rule in exact_rules(world.roundings.get(owner, ()))]
        self._base = Base([*world.facts(everyone), *exact, *map(world.terms.term, self._rules)])
        self._is_rounded = any(world.roundings.get(owner) for owner in everyone)
        self._kept: list[Query] = []

    def add(self, rules: Iterable[Formula]) -> None:
        """Adds rules; models found before need not keep them."""
        more = [rule for rule in rules if rule is not True]
        self._rules += more
        self._base.add(map(self._prover.model.world.terms.term, more))
        self._kept.clear()

    def possible(self, *formulas: Formula) -> tuple[Query | None, bool]:
        """A model in which they hold, or None; and whether that is sure, of exact numbers and of doubles."""
        formula = conjunction(*formulas)
        if formula is False:
            return None, True
        for kept in self._kept:
            if kept.holds(formula):
                return kept, True
        query = self._ask(formula)
        if query.satisfiable:
            self._kept = [query, *self._kept[: _MOST_KEPT - 1]]
            return query, True
        return None, query.answer is Answer.UNSATISFIABLE and self._is_sure(formula)

    def _ask(self, formula: Formula) -> Query:
        """One question, by a new variable that stands for the formula."""
        world = self._prover.model.world
        variable = world.boolean("asked")
        self._base.add([world.terms.term(equivalence(variable, formula))])
        query = Query(self._base, self._effort.take(RESOURCE_LIMIT), (variable,))
        self._effort.spend(query.used)
        return query

    def _is_sure(self, formula: Formula) -> bool:
        if not self._is_rounded:
            return True
        return self._prover.never(self._prover.model.everyone, *self._rules, formula)
