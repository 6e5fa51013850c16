"""What makes a sequence of steps a path of one round, as formulas: each runs, and leads to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.logic import Formula, conjunction, disjunction, equivalence, implication, negation
from stratumc.review.paths.entries import Entry, ended, is_taken
from stratumc.review.paths.ways import Hop
from stratumc.spec.syntax import Set


class PathRules:
    """Of each step that a path from `start` comes to it in a round, without running others before.

    `said` says a formula of the model of that round. Between two steps of a path others may be skipped, if
    `through_skipped`.
    """

    def __init__(
        self,
        facts: FlowFacts,
        entries: tuple[tuple[Entry, ...], ...],
        start: int | None,
        avoid: frozenset[int],
        *,
        through_skipped: bool,
        said: Callable[[Formula], Formula] = lambda formula: formula,
    ) -> None:
        self._facts, self._entries, self._start, self._avoid = facts, entries, start, avoid
        self._model, self._said = facts.prover.model, said
        self._through_skipped = through_skipped
        self.rules: list[Formula] = []
        """What the variables of the other formulas stand for."""
        steps = range(len(facts.flow.steps))
        self._sudden = {index: fails for index in steps if (fails := self._fails_at_once(index)) is not False}
        is_ordered = bool(avoid or self._sudden)
        self._needed = [self._model.world.boolean("needed") if is_ordered else True for _ in steps]
        if is_ordered:
            self.rules += [implication(self._needed[index], self._justified(index)) for index in steps]
            self.rules += [negation(conjunction(self._needed[one], self._runs(one))) for one in avoid]
        self._over: list[Formula] = list(self._needed)
        """By step, that it has ended before the end of the path begins: needed for that, or by itself."""
        self.comes: list[Formula] = [False for _ in steps]
        """By step, that a path comes to it."""
        self._passes: list[Formula] = [False for _ in steps]
        for index in facts.graph.order:
            if self._sudden:
                self._over[index] = self._name(disjunction(self._needed[index], self._ends_by_itself(index)))
            self.comes[index] = self._name(self._comes(index, self.comes))
            self._passes[index] = self._name(self._skipped_on_the_way(index)) if through_skipped else False

    def lasts(self, goal: int) -> Formula:
        """That nothing ends the run before a path's end begins."""
        return conjunction(
            *(
                negation(conjunction(fails, self._is_called(index, self._over)))
                for index, fails in self._sudden.items()
                if index != goal and not self._facts.graph.is_before(goal, index)
            )
        )

    def within(self, goal: int, hops: int) -> Formula:
        """That a path of at most so many hops comes to a step; the rules grow with the number."""
        self._through_skipped = False
        reached = [self._begins(index) for index in range(len(self._entries))]
        for _ in range(hops):
            longer = [
                disjunction(reached[index], self._comes(index, reached)) for index in range(len(reached))
            ]
            reached = [self._name(one) for one in longer]
        return reached[goal]

    def along(self, hops: Sequence[Hop]) -> Formula:
        """That a run takes these hops."""
        index = self._facts.graph.index
        parts: list[Formula] = []
        for hop in hops:
            source, target = index[hop.source], index[hop.target]
            parts += [self._runs(source), self._runs(target)]
            parts.append(self._said(ended(self._model, source, hop.outcome)))
            parts += [self._is_skipped(index[one]) for one in hop.over]
        return conjunction(*parts)

    def _name(self, formula: Formula) -> Formula:
        if isinstance(formula, bool):
            return formula
        variable = self._model.world.boolean("path")
        self.rules.append(equivalence(variable, formula))
        return variable

    def _runs(self, index: int) -> Formula:
        return self._said(self._model.steps[index].runs)

    def _begins(self, index: int) -> Formula:
        """That a path begins with a step."""
        is_first = not self._facts.graph.predecessors[index] if self._start is None else index == self._start
        if not is_first or index in self._avoid:
            return False
        return conjunction(self._runs(index), self._begun(index))

    def _comes(self, index: int, before: list[Formula]) -> Formula:
        if index in self._avoid:
            return False
        if index == self._start:
            return self._begins(index)
        ways = [
            conjunction(
                before[entry.source], self._needed[entry.source], self._said(is_taken(self._model, entry))
            )
            for entry in self._entries[index]
            if before[entry.source] is not False
        ]
        if self._through_skipped and not self._facts.graph.routes_to[index]:
            ways += [self._passes[source] for source in self._facts.graph.dependencies[index]]
        here = conjunction(self._runs(index), self._begun(index))
        return disjunction(self._begins(index), conjunction(here, disjunction(*ways)))

    def _skipped_on_the_way(self, index: int) -> Formula:
        """That a step is skipped, and a path comes to what led to it."""
        graph = self._facts.graph
        ways = [self._passes[source] for source in graph.predecessors[index]]
        ways += [
            conjunction(self.comes[source], self._needed[source], self._said(self._goes_on(source)))
            for source in graph.predecessors[index]
            if self.comes[source] is not False
        ]
        if self._start is None and not graph.predecessors[index]:
            ways.append(True)
        return conjunction(self._is_skipped(index), self._needed[index], disjunction(*ways))

    def _is_skipped(self, index: int) -> Formula:
        return conjunction(negation(self._runs(index)), self._said(self._model.steps[index].done))

    def _goes_on(self, source: int) -> Formula:
        fails = ended(self._model, source, "fails") if source in self._facts.graph.failure_regions else False
        return disjunction(self._model.steps[source].ending.succeeds, fails)

    # --- what has ended before --------------------------------------------------------------------

    def _justified(self, index: int) -> Formula:
        """Of a step that has to end before the end of the path, that all it waits for does, too."""
        return disjunction(
            self._is_dropped(index, self._needed), self._begun(index), self._is_unrouted(index, self._needed)
        )

    def _begun(self, index: int) -> Formula:
        """That the turn of a step comes after what it needs."""
        if self._needed[index] is True:
            return True
        return conjunction(
            self._said(self._model.steps[index].begins),
            self._is_called(index, self._needed),
            *self._read_early(index),
        )

    def _is_called(self, index: int, ended_before: list[Formula]) -> Formula:
        """That the dependencies of a step have ended, and a router that leads to it, if it has some."""
        graph = self._facts.graph
        routed = [
            conjunction(
                self._said(ended(self._model, route.source, route.kind.outcome)), ended_before[route.source]
            )
            for route in graph.routes_to[index]
        ]
        waited = (ended_before[source] for source in graph.dependencies[index])
        return conjunction(*waited, disjunction(*routed) if routed else True)

    def _is_unrouted(self, index: int, ended_before: list[Formula]) -> Formula:
        """That all routers of a step have ended, and none has led to it."""
        routers = [route.source for route in self._facts.graph.routes_to[index]]
        if not routers:
            return False
        inactive = self._said(negation(self._model.steps[index].active))
        return conjunction(inactive, *(ended_before[router] for router in routers))

    def _is_dropped(self, index: int, ended_before: list[Formula]) -> Formula:
        """That a failure before a step has skipped it."""
        return disjunction(
            *(
                conjunction(
                    self._said(self._model.steps[region.failed].ending.fails), ended_before[region.failed]
                )
                for region in self._facts.graph.failure_regions.values()
                if region.skipped >> index & 1
            )
        )

    def _read_early(self, reader: int) -> Iterator[Formula]:
        for (source, other), early in self._model.early.items():
            if other == reader:
                yield implication(self._said(early), self._needed[source])

    # --- what happens by itself, at once ------------------------------------------------------------

    def _fails_at_once(self, index: int) -> Formula:
        """That a step ends the run as soon as its turn comes: a `set` that fails, or what can't be read."""
        if index in self._facts.graph.failure_regions:
            return False
        return self._said(self._breaks(index))

    def _breaks(self, index: int) -> Formula:
        formulas, body = self._model.steps[index], self._facts.flow.steps[index].body
        if isinstance(body, Set):
            return formulas.ending.fails
        return conjunction(formulas.runs, negation(formulas.ending.readable))

    def _ends_by_itself(self, index: int) -> Formula:
        """That a step has ended without anyone's doing, since what it waits for has."""
        steps, graph = self._model.steps, self._facts.graph
        at_once = [self._is_skipped(index)]
        if isinstance(self._facts.flow.steps[index].body, Set):
            at_once.append(self._said(steps[index].ending.succeeds))
        elif index in graph.failure_regions:
            at_once.append(self._said(self._breaks(index)))
        called = conjunction(disjunction(*at_once), self._is_called(index, self._over))
        return disjunction(called, self._is_unrouted(index, self._over), self._is_dropped(index, self._over))
