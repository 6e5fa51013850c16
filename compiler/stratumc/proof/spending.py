"""How many dispatches a round spends, as a term; and its least and most over all good runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import z3

from stratumc.graph.bounds import Spending, repeats_of
from stratumc.proof.logic import Formula, Term, as_term, conjunction

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
        return _if(formulas.runs, count * (one.item.most or 0))
    if one.accepted is None:
        return _if(formulas.ending.succeeds, count * one.item.least)
    needed = one.accepted * one.item.least + (count - one.accepted) * one.rejected
    return _if(formulas.ending.succeeds, needed)


class Meter:
    """Asks about the dispatches of good runs of one flow."""

    def __init__(self, prover: Prover, spending: Sequence[Spending]) -> None:
        self._prover, self._model, self._spending = prover, prover.model, spending

    def term(self, steps: Iterable[int], *, most: bool) -> Term | None:
        """What some steps spend in one round."""
        return spent(self._model, self._spending, steps, most=most)

    def least(self, steps: Sequence[int], good: Formula) -> int:
        """The least that some steps spend in a good run; a proved lower bound."""
        term = self.term(steps, most=False)
        owners = self._model.everyone
        query = self._prover.possible(owners, good)
        if term is None or query is None:
            return 0
        low, high = 0, int(query.number(term))
        while low < high:
            middle = (low + high) // 2
            if self._prover.never(owners, good, term <= middle):
                low = middle + 1
            else:
                better = self._prover.possible(owners, good, term <= middle)
                if better is None:
                    return low
                high = int(better.number(term))
        return low

    def most(self, steps: Sequence[int], good: Formula) -> int | None:
        """The most that some steps spend in a round of a good run; None when there is no limit."""
        term = self.term(steps, most=True)
        owners = self._model.everyone
        query = self._prover.possible(owners, good)
        if term is None:
            return None
        if query is None:
            return 0
        if not self._prover.never(owners, good, term > UNLIMITED):
            return None
        low, high = int(query.number(term)), UNLIMITED
        while low < high:
            middle = min((low + high + 1) // 2, 2 * low + 8)
            better = self._prover.possible(owners, good, term >= middle)
            if better is not None:
                low = max(middle, int(better.number(term)))
            else:
                high = middle - 1
        return low

    def longest(self) -> int | None:
        """The most dispatches of a good run, revises counted."""
        model = self._model
        base = self.most(range(len(model.flow.steps)), model.completes)
        extra = repeats_of(model.flow, model.graph, lambda steps: self.most(list(steps), model.all_done))
        return None if base is None or extra is None else base + extra

    def shortest(self) -> int:
        """The least dispatches of a good run."""
        return self.least(range(len(self._model.flow.steps)), self._model.completes)
