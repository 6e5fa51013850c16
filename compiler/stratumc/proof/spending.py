"""How many dispatches a round spends, as a term; and its least and most over all good runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import z3

from stratumc.graph.bounds import Range, Spending, repeats_of, surely_run
from stratumc.proof.logic import Formula, Term, as_term, conjunction
from stratumc.proof.solver import Answer

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel
    from stratumc.proof.prover import Prover

UNLIMITED = 1_000_000
"""A good run that can spend more than this counts as without limit: some list has no greatest length."""


def _if(condition: Formula, amount: Term) -> Term:
    return z3.If(as_term(condition), amount, z3.IntVal(0))


def spent(model: FlowModel, spending: Sequence[Spending], steps: Iterable[int], *, most: bool) -> Term | None:
    """What some steps spend in one round, at least or at most; None when a subflow has no limit."""
    terms: list[Term] = []
    for index in steps:
        one, end = spending[index], model.steps[index].ending
        failed = conjunction(end.fails, end.readable)
        for ended, limits in ((end.succeeds, one.success), (failed, one.failure)):
            amount = limits.most if most else limits.least
            if amount is None:
                return None
            if amount:
                terms.append(_if(ended, z3.IntVal(amount)))
        if one.item is not None:
            terms.append(_items(model, index, one, most=most))
    return z3.Sum(terms) if terms else z3.IntVal(0)


def _items(model: FlowModel, index: int, one: Spending, *, most: bool) -> Term:
    formulas = model.steps[index]
    count = formulas.ending.items
    assert one.item is not None
    if most:
        total = count * (one.item.most or 0)
        if one.limit is not None:
            total = z3.If(total > one.limit, z3.IntVal(one.limit), total)
        return _if(formulas.runs, total)
    if one.accepted is None:
        return _if(formulas.ending.succeeds, count * one.item.least)
    needed = one.accepted * one.item.least + (count - one.accepted) * one.rejected
    return _if(formulas.ending.succeeds, needed)


def floor(model: FlowModel, spending: Sequence[Spending], steps: Iterable[int]) -> int:
    """What some steps spend at least in a good run, as far as the graph tells: those that surely succeed."""
    surely = frozenset(surely_run(model.flow, model.graph))
    return sum(spending[index].success.least for index in steps if index in surely)


def ceiling(spending: Sequence[Spending], steps: Iterable[int]) -> int | None:
    """What some steps spend at most when each of them runs; None when a list or a subflow has no limit."""
    total = 0
    for index in steps:
        one = spending[index]
        if one.item is not None and one.item.most and one.limit is None:
            return None
        if one.success.most is None or one.failure.most is None:
            return None
        total += max(one.success.most, one.failure.most, one.limit or 0 if one.item is not None else 0)
    return total


class Meter:
    """Asks about the dispatches of good runs of one flow."""

    def __init__(self, prover: Prover, spending: Sequence[Spending]) -> None:
        self._prover, self._model, self._spending = prover, prover.model, spending

    def term(self, steps: Iterable[int], *, most: bool) -> Term | None:
        """What some steps spend in one round."""
        return spent(self._model, self._spending, steps, most=most)

    def least(self, steps: Sequence[int], good: Formula) -> int:
        """The least that some steps spend in a good run; where the solver gives up, a lower bound of it."""
        term = self.term(steps, most=False)
        owners = self._model.everyone
        low = floor(self._model, self._spending, steps)
        if term is None:
            return low
        query = self._prover.possible(owners, good)
        if query is None:
            return low if self._prover.exactly(owners, good) is Answer.UNKNOWN else 0
        high = int(query.number(term))
        while low < high:
            middle = (low + high) // 2
            better = self._prover.possible(owners, good, term <= middle)
            if better is not None:
                high = int(better.number(term))
            elif self._prover.never(owners, good, term <= middle):
                low = middle + 1
            else:
                return low
        return low

    def most(self, steps: Sequence[int], good: Formula) -> Range:
        """The most that some steps spend in a round of a good run; an upper bound if the solver gives up."""
        term = self.term(steps, most=True)
        owners = self._model.everyone
        if term is None:
            return Range(0, None)
        query = self._prover.possible(owners, good)
        if query is None:
            undecided = self._prover.exactly(owners, good) is Answer.UNKNOWN
            return self._ceiling(steps) if undecided else Range(0, 0)
        if not self._prover.never(owners, good, term > UNLIMITED):
            found = self._prover.exactly(owners, good, term > UNLIMITED) is Answer.SATISFIABLE
            return Range(0, None) if found else self._ceiling(steps)
        low, high = int(query.number(term)), UNLIMITED
        while low < high:
            middle = min((low + high + 1) // 2, 2 * low + 8)
            better = self._prover.possible(owners, good, term >= middle)
            if better is not None:
                low = max(middle, int(better.number(term)))
            elif self._prover.exactly(owners, good, term >= middle) is Answer.UNSATISFIABLE:
                high = middle - 1
            else:
                return self._ceiling(steps)
        return Range(0, low)

    def _ceiling(self, steps: Iterable[int]) -> Range:
        return Range(0, ceiling(self._spending, steps), attained=False)

    def longest(self) -> Range:
        """The most dispatches of a good run, revises counted."""
        model, attained = self._model, True

        def weigh(steps: Iterable[int]) -> int | None:
            nonlocal attained
            found = self.most(list(steps), model.all_done)
            attained = attained and found.attained
            return found.most

        base = self.most(range(len(model.flow.steps)), model.completes)
        extra = repeats_of(model.flow, model.graph, weigh)
        attained = attained and base.attained
        return Range(0, None if base.most is None or extra is None else base.most + extra, attained)

    def shortest(self) -> int:
        """The least dispatches of a good run."""
        return self.least(range(len(self._model.flow.steps)), self._model.completes)
