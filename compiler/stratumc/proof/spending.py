"""How many dispatches a round spends, as a term; and its least and most over all good runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import z3

from stratumc.graph.bounds import Range, Spending, shared_out, surely_run
from stratumc.proof.earlier import Earlier
from stratumc.proof.logic import Formula, Term, conjunction, disjunction, negation
from stratumc.proof.solver import Answer
from stratumc.spec.syntax import Gate

if TYPE_CHECKING:
    from stratumc.graph.flow_graph import Revise
    from stratumc.proof.flow_model import FlowModel
    from stratumc.proof.prover import Prover
    from stratumc.proof.terms import Terms

UNLIMITED = 1_000_000
"""A good run that can spend more than this counts as without limit: some list has no greatest length."""


def _if(terms: Terms, condition: Formula, amount: Term) -> Term:
    return z3.If(terms.term(condition), amount, terms.integer(0))


def spent(model: FlowModel, spending: Sequence[Spending], steps: Iterable[int], *, most: bool) -> Term | None:
    """What some steps spend in one round, at least or at most; None when a subflow has no limit."""
    terms, parts = model.world.terms, list[Term]()
    for index in steps:
        one, end = spending[index], model.steps[index].ending
        failed = conjunction(end.fails, end.readable)
        for ended, limits in ((end.succeeds, one.success), (failed, one.failure)):
            amount = limits.most if most else limits.least
            if amount is None:
                return None
            if amount:
                parts.append(_if(terms, ended, terms.integer(amount)))
        if one.item is not None:
            parts.append(_items(model, index, one, most=most))
    return z3.Sum(parts) if parts else terms.integer(0)


def _items(model: FlowModel, index: int, one: Spending, *, most: bool) -> Term:
    formulas, terms = model.steps[index], model.world.terms
    count = formulas.ending.items
    assert one.item is not None
    if most:
        total = count * (one.item.most or 0)
        if one.limit is not None:
            total = z3.If(total > one.limit, terms.integer(one.limit), total)
        return _if(terms, formulas.runs, total)
    if one.accepted is None:
        return _if(terms, formulas.ending.succeeds, count * one.item.least)
    needed = one.accepted * one.item.least + (count - one.accepted) * one.rejected
    return _if(terms, formulas.ending.succeeds, needed)


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


def failing(model: FlowModel) -> Formula:
    """That a round ends the flow without success: a step fails for good, a gate is killed, or no output."""
    ways = [conjunction(model.all_done, negation(model.has_output))]
    for step in model.flow.steps:
        formulas = model.steps[step.index]
        if isinstance(step.body, Gate):
            ways.append(conjunction(formulas.runs, negation(formulas.done)))
        elif step.index not in model.graph.failure_regions:
            ways.append(formulas.ending.fails)
    return disjunction(*ways)


class Meter:
    """Asks what good runs of one flow spend: dispatches, or anything else that steps spend when they run.

    Each revise spends `own` beside what the steps of its earlier round do.
    """

    def __init__(
        self, prover: Prover, spending: Sequence[Spending], own: int = 0, *, good: Formula | None = None
    ) -> None:
        self._prover, self._model, self._spending, self._own = prover, prover.model, spending, own
        self._good = prover.model.completes if good is None else good
        """Which last rounds are looked at: those that end the flow well, if nothing else is said."""
        self._rounds: dict[Revise, Earlier] = {}

    def _term(self, steps: Iterable[int], *, most: bool) -> Term | None:
        return spent(self._model, self._spending, steps, most=most)

    def least(self, steps: Sequence[int], good: Formula) -> int:
        """The least that some steps spend in a good run; where the solver gives up, a lower bound of it."""
        term = self._term(steps, most=False)
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

    def shortest(self) -> int:
        """The least that a good run spends: no gate asks for a revise."""
        return self.least(range(len(self._model.flow.steps)), self._good)

    def most(self, steps: Sequence[int], good: Formula) -> Range:
        """The most that some steps spend in a round of a good run; an upper bound if the solver gives up."""
        return self._highest(good, self._term(steps, most=True), ceiling(self._spending, steps))

    def _highest(self, good: Formula, term: Term | None, limit: int | None) -> Range:
        """The most that a term comes to; `limit` is an upper bound that needs no solver."""
        owners, prover = self._model.everyone, self._prover
        unknown = Range(0, limit, attained=False)
        if term is None:
            return Range(0, None)
        query = prover.possible(owners, good)
        if query is None:
            return unknown if prover.exactly(owners, good) is Answer.UNKNOWN else Range(0, 0)
        low = int(query.number(term))
        if limit is None or limit > UNLIMITED:
            if not prover.never(owners, good, term > UNLIMITED):
                found = prover.exactly(owners, good, term > UNLIMITED) is Answer.SATISFIABLE
                return Range(0, None) if found else replace(unknown, reached=low)
            limit = UNLIMITED
        while low < limit:
            middle = min((low + limit + 1) // 2, 2 * low + 8)
            better = prover.possible(owners, good, term >= middle)
            if better is not None:
                low = max(middle, int(better.number(term)))
            elif prover.exactly(owners, good, term >= middle) is Answer.UNSATISFIABLE:
                limit = middle - 1
            else:
                return Range(0, limit, attained=False, reached=low)
        return Range(0, low)

    def longest(self) -> Range:
        """The most that a good run spends, revises counted."""
        everything = range(len(self._model.flow.steps))
        last = self.most(everything, self._good)
        if last.most is None:
            return last
        return self._with_revises(last, last.most)

    def _with_revises(self, last: Range, most: int) -> Range:
        """The last round and the earlier ones: each revise as often as it pays, jointly if that can be."""
        model = self._model
        weights: dict[Revise, int] = {}
        for revise in model.graph.revises:
            weighs = self._weight(revise)
            if weighs is None:
                return Range(0, None, attained=False, reached=most)
            if weighs:
                weights[revise] = weighs
        taken = {one: count for one, count in shared_out(model.flow, weights).items() if count}
        if not taken:
            return last
        limit = most + sum(weights[revise] * count for revise, count in taken.items())
        rounds = self._jointly(taken) if self._is_nested(taken) else None
        if rounds is None:
            first = next(iter(taken))
            rounds = self._jointly({first: taken[first]})
        if rounds is None:
            return Range(0, limit, attained=False, reached=most if last.attained else last.reached)
        good, term = rounds
        if self._prover.possible(model.everyone, good, term >= limit) is not None:
            return Range(0, limit)
        found = self._highest(good, term, limit)
        reached = max(one.most or 0 if one.attained else one.reached for one in (last, found))
        if len(taken) == 1 and found.attained and last.attained:
            return Range(0, reached)
        return Range(0, limit, attained=False, reached=reached)

    def _weight(self, revise: Revise) -> int | None:
        """The most that one revise adds to a good run; 0 when its gate can't ask in any."""
        model, round_ = self._model, self._earlier(revise)
        good = conjunction(self._good, round_.asks)
        if self._prover.never(model.everyone, good):
            return 0
        term = self._term(round_.steps, most=True)
        limit = ceiling(self._spending, round_.steps)
        if term is None:
            return None
        found = self._highest(good, round_.term(term), limit)
        return None if found.most is None else found.most + self._own

    def _earlier(self, revise: Revise) -> Earlier:
        if revise not in self._rounds:
            self._rounds[revise] = Earlier(self._model, revise)
        return self._rounds[revise]

    def _is_nested(self, taken: Iterable[Revise]) -> bool:
        """Whether of any two revises one puts back all that the other does: the wider ones come first."""
        masks = sorted((self._model.graph.closure_mask(one.target) for one in taken), key=int.bit_count)
        return all(small & ~large == 0 for small, large in pairwise(masks))

    def _jointly(self, taken: Mapping[Revise, int]) -> tuple[Formula, Term] | None:
        """Good runs with so many revises of each kind, and what they spend; None when none is."""
        model = self._model
        total = self._term(range(len(model.flow.steps)), most=True)
        good = [self._good]
        for revise, count in taken.items():
            round_ = self._earlier(revise)
            once = self._term(round_.steps, most=True)
            if once is None or total is None:
                return None
            total += count * (round_.term(once) + self._own)
            good.append(round_.asks)
        together = conjunction(*good)
        return None if self._prover.possible(model.everyone, together) is None else (together, total)
