"""Why something can't happen: the few predicates of steps which together rule it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stratumc.proof.arithmetic import exact_rules
from stratumc.proof.logic import Formula, implication
from stratumc.proof.solver import Query
from stratumc.spec.syntax import Do, EnsureExpression, Text

if TYPE_CHECKING:
    from stratumc.proof.flow_model import FlowModel

_MOST_PREDICATES = 40
"""With more of them no reason is looked for."""


def reasons(model: FlowModel, owners: Sequence[int], formula: Formula) -> tuple[tuple[int, Text], ...]:
    """The ensures and `until`s, with their steps, without any of which an impossible formula could hold.

    Nothing when they don't decide it, or when it isn't known.
    """
    listed = [
        (index, text, fact) for index in owners if index >= 0 for text, fact in _predicates(model, index)
    ]
    if len(listed) > _MOST_PREDICATES or not _rules_out(model, owners, formula, frozenset()):
        return ()
    dropped: frozenset[int] = frozenset()
    for _, _, fact in listed:
        without = dropped | {fact.get_id()}
        if _rules_out(model, owners, formula, without):
            dropped = without
    return tuple((index, text) for index, text, fact in listed if fact.get_id() not in dropped)


def _predicates(model: FlowModel, index: int) -> Iterator[tuple[Text, Formula]]:
    """What must hold of the output of a task, each with the fact that says so."""
    body, end = model.flow.steps[index].body, model.steps[index].ending
    if not isinstance(body, Do):
        return
    for ensure, formula in zip(body.ensure, end.ensures, strict=True):
        if isinstance(ensure, EnsureExpression) and formula is not None:
            yield ensure.expression, model.world.terms.term(implication(end.succeeds, formula))
    if body.iterate is not None:
        yield body.iterate.until, model.world.terms.term(implication(end.succeeds, end.until))


def _rules_out(model: FlowModel, owners: Sequence[int], formula: Formula, without: frozenset[int]) -> bool:
    """Whether what is known, but for some facts, says that a formula can't hold."""
    world = model.world
    facts = [fact for owner in owners for fact in world.facts_of(owner) if fact.get_id() not in without]
    rules = [rule for owner in owners for rule in exact_rules(world.roundings.get(owner, ()))]
    return Query([*facts, *rules, world.terms.term(formula)]).unsatisfiable
