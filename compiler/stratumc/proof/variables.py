"""Which variables stand in what is known of each step, found once for all that ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import z3

from stratumc.proof.arithmetic import exact_rules
from stratumc.proof.logic import Formula
from stratumc.proof.step_formulas import StepFormulas
from stratumc.proof.world import World

Variables = dict[str, Any]
"""By name, in order of occurrence."""


class KnownVariables:
    """The variables of a flow's owners; found anew where more has become known."""

    def __init__(self, world: World, steps: Mapping[int, StepFormulas]) -> None:
        self._world = world
        self._steps = steps
        self._found: dict[int, tuple[tuple[int, int], Variables, Variables]] = {}

    def of_facts(self, owner: int) -> Variables:
        """Those in the facts about an owner."""
        return self._of(owner)[1]

    def of_step(self, step: int) -> Variables:
        """Those in the facts about a step, in the rules of its arithmetic, and in its formulas."""
        return self._of(step)[2]

    def _of(self, owner: int) -> tuple[tuple[int, int], Variables, Variables]:
        world = self._world
        roundings = world.roundings.get(owner, ())
        size = (world.count(owner), len(roundings))
        if owner not in self._found or self._found[owner][0] != size:
            facts = _constants(world.facts((owner,)))
            more = (*exact_rules(roundings), *_parts(self._steps.get(owner)))
            self._found[owner] = (size, facts, facts | _constants(map(world.terms.term, more)))
        return self._found[owner]


def _parts(formulas: StepFormulas | None) -> Iterator[Formula]:
    if formulas is None:
        return
    end = formulas.ending
    yield from (formulas.runs, end.succeeds, end.fails, end.readable, end.gives)
    yield from (guard for guard, _ in end.output)
    if end.items is not None:
        yield end.items


def _constants(terms: Iterable[Any]) -> Variables:
    """The variables in some terms by their names."""
    found: Variables = {}
    seen: set[int] = set()
    waiting: list[Any] = list(terms)
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.decl().name()] = term
        waiting.extend(term.children())
    return found
