"""Paths between steps that some run takes: the prover finds the run, and it is replayed before it is told."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.graph.flow_graph import Revise
from stratumc.review.paths.entries import entries_of
from stratumc.review.paths.good_runs import surely_runs
from stratumc.review.paths.played_paths import Came, PathWalk, PlayedRound, play, trace
from stratumc.review.paths.ways import Hop

if TYPE_CHECKING:
    from stratumc.proof.earlier import Earlier
    from stratumc.proof.logic import Formula
    from stratumc.proof.session import Session
    from stratumc.proof.solver import Query
    from stratumc.review.paths.path_rules import PathRules

REVISE = "revise"

_MOST_REVISES = 24
"""Paths over so many revises, or pairs of them, are looked for."""

_MOST_ASKED, _MOST_RULES = 12_000, 1_000
"""So many steps are asked about, and given rules, in all searches for paths over revises."""

_MOST_LAYERED = 20_000
"""A path isn't made shorter where that takes so many formulas."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path and a run that takes it, round by round; no rounds where every run does."""

    hops: tuple[Hop, ...]
    rounds: tuple[PlayedRound, ...] = ()


@dataclass(frozen=True, slots=True)
class NoPath:
    """That none was found."""

    is_sure: bool
    """Whether there is none."""


class PathFinder:
    """Looks for paths from one step, or from where runs begin, on which some steps don't run before."""

    def __init__(self, facts: FlowFacts, start: int | None, avoid: frozenset[int]) -> None:
        self.facts, self.start, self.avoid = facts, start, avoid
        self.entries = entries_of(facts)
        self.walk = PathWalk(facts, self.entries, avoid)
        self._asked = 0
        self._sessions: dict[tuple[bool, tuple[Revise, ...]], _Search] = {}

    def path(self, goal: int, *, plainly: bool = False) -> FoundPath | NoPath:
        """A path without a revise, if there is one, and over no skipped steps if there is; with few hops.

        `plainly` asks for a run that is as plain as may be.
        """
        if goal in self.avoid or self.start in self.avoid:
            return NoPath(is_sure=True)
        if self.facts.is_plain:
            return self._plain_path(goal)
        if any(self._surely_runs_before(one, goal) for one in self.avoid):
            return NoPath(is_sure=True)
        is_sure = True
        for through_skipped, revises in self._shapes(goal):
            if revises and not self._may_ask((through_skipped, revises)):
                return NoPath(is_sure=False)
            search = self._search(through_skipped, revises)
            found = search.path(goal)
            if isinstance(found, FoundPath):
                return search.plain(found, goal) if plainly else found
            is_sure &= found.is_sure
        return NoPath(is_sure)

    def _surely_runs_before(self, step: int, goal: int) -> bool:
        """Whether the graph alone shows that a step has run when another begins, in any round."""
        return bool(self.facts.order.before(goal) >> step & 1) and surely_runs(self.facts, step)

    def _may_ask(self, key: tuple[bool, tuple[Revise, ...]]) -> bool:
        """Whether a path over revises may still be looked for: each takes the rules of the flow twice."""
        self._asked += 1
        steps = len(self.facts.flow.steps)
        return self._asked * steps < _MOST_ASKED and (
            key in self._sessions or len(self._sessions) * steps < _MOST_RULES
        )

    def _shapes(self, goal: int) -> Iterator[tuple[bool, tuple[Revise, ...]]]:
        if goal in self._distances:
            yield False, ()
        if self._may_come(self.start, goal):
            yield True, ()
        for revises in self._chains(goal):
            yield True, revises

    def _chains(self, goal: int) -> Iterator[tuple[Revise, ...]]:
        """Revises that may lie on a path, one after the other, few first."""
        revises = self.facts.graph.revises
        most = min(2, self.facts.flow.max_rounds or 1)
        chains = (chain for length in range(1, most + 1) for chain in itertools.permutations(revises, length))
        fit = (chain for chain in itertools.islice(chains, 20 * _MOST_REVISES) if self._fits(chain, goal))
        yield from itertools.islice(fit, _MOST_REVISES)

    def _fits(self, chain: tuple[Revise, ...], goal: int) -> bool:
        start = self.start
        for revise in chain:
            if revise.gate in self.avoid or revise.target in self.avoid:
                return False
            if not self._may_come(start, revise.gate):
                return False
            start = revise.target
        return self._may_come(start, goal)

    def _may_come(self, start: int | None, goal: int) -> bool:
        return start is None or start == goal or self.facts.graph.is_before(start, goal)

    def _search(self, through_skipped: bool, revises: tuple[Revise, ...]) -> _Search:
        key = (through_skipped, revises)
        if key not in self._sessions:
            self._sessions[key] = _Search(self, through_skipped=through_skipped, revises=revises)
        return self._sessions[key]

    @cached_property
    def _distances(self) -> dict[int, int]:
        """How many hops lead to a step at least, when no step between is skipped."""
        distances: dict[int, int] = {}
        for step, came in self._leading_from(self.start).items():
            distances[step] = 0 if came is None else distances[came[0]] + 1
        return distances

    def distance(self, goal: int) -> int:
        """The fewest hops that could lead to a step within a round."""
        return self._distances.get(goal, 0)

    def _leading_from(self, start: int | None) -> Came:
        """What hops could lead to, whether or not some run takes them all, nearest first."""
        if start in self._led:
            return self._led[start]
        graph = self.facts.graph
        begins = [i for i in graph.order if not graph.predecessors[i]] if start is None else [start]
        found: Came = {begin: None for begin in begins if begin not in self.avoid}
        queue = deque(found)
        while queue:
            source = queue.popleft()
            for target in graph.successors[source]:
                leading = [entry for entry in self.entries[target] if entry.source == source]
                if leading and target not in found and target not in self.avoid:
                    found[target] = (source, Hop(graph.ids[source], graph.ids[target], leading[0].outcome))
                    queue.append(target)
        return self._led.setdefault(start, found)

    @cached_property
    def _led(self) -> dict[int | None, Came]:
        return {}

    def _plain_path(self, goal: int) -> FoundPath | NoPath:
        """A path where nothing is ever skipped or routed: what is before a step runs before it."""
        hops = self._plain_hops(self.start, goal)
        if hops is not None:
            return FoundPath(hops)
        ids = self.facts.graph.ids
        for chain in self._chains(goal):
            parts: list[Hop] = []
            start = self.start
            for revise in chain:
                before = self._plain_hops(start, revise.gate)
                if before is None:
                    break
                parts += [*before, Hop(ids[revise.gate], ids[revise.target], REVISE)]
                start = revise.target
            else:
                after = self._plain_hops(start, goal)
                if after is not None:
                    return FoundPath((*parts, *after))
        return NoPath(is_sure=True)

    def _plain_hops(self, start: int | None, goal: int) -> tuple[Hop, ...] | None:
        if any(self.facts.graph.before_masks[goal] >> one & 1 for one in self.avoid):
            return None
        came = self._leading_from(start)
        return trace(came, goal) if goal in came else None


class _Search:
    """Paths of one shape: over these revises, with steps skipped on the way or not."""

    def __init__(self, finder: PathFinder, *, through_skipped: bool, revises: tuple[Revise, ...]) -> None:
        from stratumc.proof.session import Session

        self._finder, self._revises = finder, revises
        self._through_skipped = through_skipped
        facts, self._earlier = finder.facts, self._rounds_before(revises)
        rules: list[Formula] = []
        starts = [finder.start, *(revise.target for revise in revises)]
        for number, revise in enumerate(revises):
            before = self._path_rules(starts[number], number)
            rules += [*before.rules, before.comes[revise.gate], before.lasts(revise.gate)]
            rules.append(self._said(number + 1, self._earlier[number].asks))
        self._rules = self._path_rules(starts[-1], len(revises))
        self._starts = starts
        self._session: Session = Session(facts.prover, facts.proofs.effort, [*rules, *self._rules.rules])

    def plain(self, found: FoundPath, goal: int) -> FoundPath:
        """The same path in a plainer run; of one over revises as it is."""
        if self._revises:
            return found
        finder, walk = self._finder, self._finder.walk
        rules = self._rules
        formula = [*rules.rules, rules.comes[goal], rules.lasts(goal), rules.along(found.hops)]
        prover = finder.facts.prover
        query = prover.plainest(prover.model.everyone, *formula)
        one = play(finder.facts, query) if query is not None else None
        if one is None or walk.path(one, finder.start, goal) != found.hops:
            return found
        return FoundPath(found.hops, (one,))

    def _rounds_before(self, revises: tuple[Revise, ...]) -> list[Earlier]:
        from stratumc.proof.earlier import Earlier

        return [Earlier(self._finder.facts.prover.model, revise) for revise in revises]

    def _said(self, number: int, formula: Formula) -> Formula:
        """A formula of the last round, said of the round of that number."""
        for earlier in self._earlier[number:]:
            formula = earlier.term(formula)
        return formula

    def _path_rules(self, start: int | None, number: int) -> PathRules:
        from stratumc.review.paths.path_rules import PathRules

        finder = self._finder
        return PathRules(
            finder.facts,
            finder.entries,
            start,
            finder.avoid,
            through_skipped=self._through_skipped,
            said=lambda formula: self._said(number, formula),
        )

    def path(self, goal: int) -> FoundPath | NoPath:
        from stratumc.proof.logic import conjunction, negation

        well = negation(self._finder.facts.prover.model.steps[goal].ending.fails)
        comes = conjunction(self._rules.comes[goal], self._rules.lasts(goal))
        query, is_sure = self._session.possible(comes, well)
        if query is None:
            query, is_sure = self._session.possible(comes)
        if query is None:
            return NoPath(is_sure and not (self._revises and self._finder.facts.prover.model.world.roundings))
        found = self._replayed(query, goal)
        if found is None:
            return NoPath(is_sure=False)
        return found if self._revises else self._shorter(found, goal)

    def _shorter(self, found: FoundPath, goal: int) -> FoundPath:
        """The path itself, or one with fewer hops."""
        least = self._finder.distance(goal)
        size = sum(map(len, self._finder.entries)) + len(self._finder.entries)
        while (
            not self._through_skipped and least < len(found.hops) and len(found.hops) * size < _MOST_LAYERED
        ):
            known = len(self._rules.rules)
            within = self._rules.within(goal, len(found.hops) - 1)
            self._session.add(self._rules.rules[known:])
            query, _ = self._session.possible(within, self._rules.lasts(goal))
            shorter = self._replayed(query, goal) if query is not None else None
            if shorter is None or len(shorter.hops) >= len(found.hops):
                break
            found = shorter
        return found

    def _replayed(self, query: Query, goal: int) -> FoundPath | None:
        """The path in the rounds that a model speaks of."""
        facts, ids = self._finder.facts, self._finder.facts.graph.ids
        ends = [*(revise.gate for revise in self._revises), goal]
        hops: list[Hop] = []
        rounds: list[PlayedRound] = []
        for number, end in enumerate(ends):
            last = number == len(self._revises)
            one = play(facts, query if last else query.renamed(partial(self._said, number)))
            part = self._finder.walk.path(one, self._starts[number], end) if one is not None else None
            if one is None or part is None:
                return None
            hops += part
            rounds.append(one)
            if not last:
                hops.append(Hop(ids[end], ids[self._starts[number + 1] or 0], REVISE))
        return FoundPath(tuple(hops), tuple(rounds))
