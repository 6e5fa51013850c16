"""Questions about one flow: can this happen in a run, and in which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from stratumc.proof.arithmetic import exact_rules, rounding_rules
from stratumc.proof.flow_model import FlowModel
from stratumc.proof.logic import Formula, conjunction, implication
from stratumc.proof.plain import plain_choices
from stratumc.proof.seeds import seeds
from stratumc.proof.solver import RESOURCE_LIMIT, Answer, Base, Effort, Query

_KEPT_MODELS = 32
"""Models of earlier answers are tried before the solver is asked: most questions have an easy yes."""


_LEAST_EFFORT = 7
"""So many times the effort is halved at most."""

_MOST_PLAIN = 300
"""Of more steps than this a model is taken as it comes: each wish for a plainer one is a question."""

_MOST_COMPARISONS = 2_000
"""With more pairs of an operation and a number, each is compared only with the numbers of its own step."""


@dataclass(slots=True)
class _KeptModel:
    """A model of what was known of some owners up to a place in the world's record of facts."""

    owners: frozenset[int]
    query: Query
    known: int


class Prover:
    """Answers questions about a flow; each goes to a fresh solver unless an earlier model answers it."""

    def __init__(self, model: FlowModel, effort: Effort) -> None:
        self.model = model
        self._effort = effort
        self._models: list[_KeptModel] = []
        self._numbers: dict[int, tuple[tuple[int, int], tuple[z3.ExprRef, ...]]] = {}
        self._seeded = False
        self._given_up = 0
        """How many questions were too hard; each halves the effort for the next: the sum is bounded."""
        self._fruitless: dict[tuple[frozenset[int], int, bool], tuple[Query, Formula]] = {}

    def possible(self, owners: Sequence[int], *formulas: Formula) -> Query | None:
        """A model of the formulas and of what is known of the owners; None when nothing was found."""
        formula = conjunction(*formulas)
        if formula is False:
            return None
        self._seed()
        wanted = frozenset(owners)
        for kept in self._models:
            if wanted <= kept.owners and kept.query.holds(formula) and self._is_still_good(kept):
                return kept.query
        query = self._ask(owners, formula, exact=True)
        if not query.satisfiable:
            return None
        self._keep(wanted, query)
        return query

    def shown(self, formulas: Sequence[Formula]) -> frozenset[int]:
        """The places of those of many formulas of which a run was found where they hold.

        One solver is asked of all, so that each question costs little, and a model answers several.
        """
        self._seed()
        everyone, world = self.model.everyone, self.model.world
        rules = (rule for owner in everyone for rule in exact_rules(world.roundings.get(owner, ())))
        found = {place for place, formula in enumerate(formulas) if formula is True}
        waiting = [place for place, formula in enumerate(formulas) if not isinstance(formula, bool)]
        wide = [kept for kept in self._models if len(kept.owners) == len(everyone)]
        for kept in wide:
            if waiting and self._is_still_good(kept):
                waiting = _without(waiting, formulas, kept.query, found)
        base = Base([*world.facts(everyone), *rules]) if waiting else None
        while base is not None and waiting and (limit := self._effort.take(RESOURCE_LIMIT)):
            place = waiting.pop()
            asked = world.boolean("asked")
            base.add([implication(asked, formulas[place])])
            query = Query(base, limit, (asked,))
            self._effort.spend(query.used)
            if query.satisfiable:
                found.add(place)
                waiting = _without(waiting, formulas, query, found)
        return frozenset(found)

    def _seed(self) -> None:
        """Asks for the first models, once."""
        if not self._seeded:
            self._seeded = True
            for wishes, splits in seeds(self.model):
                self._grant([wish for wish in wishes if not isinstance(wish, bool)], splits)

    def _keep(self, owners: frozenset[int], query: Query) -> None:
        kept = _KeptModel(owners, query, len(self.model.world.history))
        self._models = [kept, *self._models[: _KEPT_MODELS - 1]]

    def _is_still_good(self, kept: _KeptModel) -> bool:
        """Whether a model agrees with the facts that have been added since it was found."""
        history = self.model.world.history
        good = all(kept.query.truth(fact) for owner, fact in history[kept.known :] if owner in kept.owners)
        if good:
            kept.known = len(history)
        else:
            self._models.remove(kept)
        return good

    def _grant(self, wishes: list[Formula], splits: int) -> None:
        """Keeps a model of all wishes, or models of parts of them; none that an earlier model grants."""
        wished = conjunction(*wishes)
        if wished is True or any(kept.query.holds(wished) for kept in self._models):
            return
        query = self._ask(self.model.everyone, wished, exact=True)
        if query.satisfiable:
            self._keep(frozenset(self.model.everyone), query)
        elif splits and len(wishes) > 1:
            half = len(wishes) // 2
            self._grant(wishes[:half], splits - 1)
            self._grant(wishes[half:], splits - 1)

    def plainest(self, owners: Sequence[int], *formulas: Formula) -> Query | None:
        """A model as `possible` finds, with what a reader sees of it zero, empty or false where it can be."""
        formula = conjunction(*formulas)
        best = self.possible(owners, formula)
        if best is None or len(owners) > _MOST_PLAIN:
            return best
        pinned: list[Formula] = []
        for plain in plain_choices(self.model, owners):
            holds = best.truth(plain)
            if not holds:
                query = self._ask(owners, conjunction(formula, *pinned, plain), exact=True)
                if query.satisfiable:
                    best, holds = query, True
            if holds:
                pinned.append(plain)
        return best

    def never(self, owners: Sequence[int], *formulas: Formula) -> bool:
        """Whether it is proved that the formulas hold in no run, of exact numbers or of doubles."""
        return self.answer(owners, *formulas) is Answer.UNSATISFIABLE

    def answer(self, owners: Sequence[int], *formulas: Formula) -> Answer:
        """Whether the formulas can hold in a run; unknown where exact numbers and doubles may differ."""
        formula = conjunction(*formulas)
        if formula is False:
            return Answer.UNSATISFIABLE
        if self.possible(owners, formula) is not None:
            return Answer.SATISFIABLE
        exact = self._ask(owners, formula, exact=True)
        if not exact.unsatisfiable or not any(self.model.world.roundings.get(owner) for owner in owners):
            return exact.answer
        query = self._ask(owners, formula, exact=False)
        return Answer.UNSATISFIABLE if query.unsatisfiable else Answer.UNKNOWN

    def exactly(self, owners: Sequence[int], *formulas: Formula) -> Answer:
        """Whether the formulas can hold in a run that computes with exact numbers."""
        formula = conjunction(*formulas)
        if formula is False:
            return Answer.UNSATISFIABLE
        if self.possible(owners, formula) is not None:
            return Answer.SATISFIABLE
        return self._ask(owners, formula, exact=True).answer

    def _ask(self, owners: Sequence[int], formula: Formula, *, exact: bool) -> Query:
        """A fresh query; one that gave no model before is not asked again, since facts only grow."""
        term = self.model.world.terms.term(formula)
        key = (frozenset(owners), term.get_id(), exact)
        if key in self._fruitless:
            return self._fruitless[key][0]
        world = self.model.world
        assertions = [*world.facts(owners), term]
        if exact:
            for owner in owners:
                assertions.extend(exact_rules(world.roundings.get(owner, ())))
        else:
            assertions.extend(self._rounding_rules(owners, term))
        query = Query(assertions, self._effort.take(RESOURCE_LIMIT >> self._given_up))
        self._effort.spend(query.used)
        if not query.satisfiable:
            self._fruitless[key] = (query, term)
        if query.answer is Answer.UNKNOWN:
            self._given_up = min(self._given_up + 1, _LEAST_EFFORT)
        return query

    def _rounding_rules(self, owners: Sequence[int], term: Any) -> Iterator[Formula]:
        """What rounding guarantees among all numbers; if they are many, among those of each step."""
        world = self.model.world
        roundings = [rounding for owner in owners for rounding in world.roundings.get(owner, ())]
        asked = _numbers([term])
        near = dict.fromkeys(number for owner in owners for number in self._numbers_of(owner))
        if len(roundings) * len(near) <= _MOST_COMPARISONS:
            yield from rounding_rules(roundings, dict.fromkeys((*near, *asked)))
            return
        for owner in owners:
            own = world.roundings.get(owner, [])
            numbers = dict.fromkeys((*self._numbers_of(owner), *asked))
            if len(own) * len(numbers) <= _MOST_COMPARISONS:
                yield from rounding_rules(own, numbers)

    def _numbers_of(self, owner: int) -> tuple[z3.ExprRef, ...]:
        """The numbers in what is known of an owner, found anew when more is known."""
        world = self.model.world
        roundings = world.roundings.get(owner, [])
        size = (world.count(owner), len(roundings))
        if owner not in self._numbers or self._numbers[owner][0] != size:
            found = _numbers(world.facts((owner,)), [rounding.exact for rounding in roundings])
            self._numbers[owner] = (size, tuple(found))
        return self._numbers[owner][1]


def _without(waiting: Sequence[int], formulas: Sequence[Formula], query: Query, found: set[int]) -> list[int]:
    """The places of the formulas that don't hold in a model; those of the others are added to `found`."""
    found.update(place for place in waiting if query.holds(formulas[place]))
    return [place for place in waiting if place not in found]


def _numbers(*groups: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
    """The number variables and number literals of some formulas, each once, in order of occurrence."""
    found: dict[int, z3.ExprRef] = {}
    seen: set[int] = set()
    waiting = [term for group in reversed(groups) for term in reversed(group)]
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_arith(term) and term.num_args() == 0:
            found[term.get_id()] = term
        waiting.extend(reversed(term.children()))
    return list(found.values())
