"""The answers of `flow_explain`: a path with its witnesses, what is reachable, or why there is no path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from stratum_runtime.workflow import ANY, Answer, AnyPrevious, PathQuestion
from stratumc.engine.witness import Context, Verdict, ask_solver, find_witness, with_given
from stratumc.graph.explain import CanFire, PathFinder, Query, Unknown
from stratumc.graph.workflow_graph import Edge, EdgeKind, workflow_graph
from stratumc.workflow.syntax import Transition, Trigger, Workflow

Replay = Callable[[Edge, Context], bool]
"""Whether the runtime takes a trigger's edge first in a context."""


class Explainer:
    """Path queries on one workflow. `replay` has the last word on every witness."""

    def __init__(self, workflow: Workflow, replay: Replay) -> None:
        self._workflow = workflow
        self._replay = replay
        self._thresholds = {name: threshold.value for name, threshold in workflow.thresholds.items()}
        self._finder = PathFinder(workflow_graph(workflow))
        self._without_context: dict[tuple[str, int], Context | Verdict] = {}

    def answer(self, question: PathQuestion) -> Answer:
        """The answer of `flow_explain`."""
        query = self._query(question)
        if question.goal is None:
            return self._reachable(question, query)
        path = self._finder.shortest(query, question.goal)
        if path is None:
            return self._no_path(question, query, question.goal)
        return {
            "from": question.start,
            "to": question.goal,
            "length": len(path),
            "path": [self._hop(edge, question) for edge in path],
        }

    def _query(self, question: PathQuestion) -> Query:
        def can_fire(edge: Edge) -> bool:
            return not isinstance(self._witness(edge, question.context), Verdict)

        previous = Unknown.PREVIOUS if question.previous is ANY else question.previous
        assert not isinstance(previous, AnyPrevious)
        return Query(question.start, previous, frozenset(question.avoid), can_fire)

    def _witness(self, edge: Edge, given: Context) -> Context | Verdict:
        if given:
            return self._replayed(edge, given)
        key = (edge.source, edge.index)
        if key not in self._without_context:
            self._without_context[key] = self._replayed(edge, given)
        return self._without_context[key]

    def _shown_witness(self, edge: Edge, given: Context) -> Context:
        """The witness of a hop, a copy that stands by itself."""
        found = self._witness(edge, given)
        assert not isinstance(found, Verdict)
        return with_given(self._workflow.states[edge.source].triggers, edge.index, given, found)

    def _replayed(self, edge: Edge, given: Context) -> Context | Verdict:
        triggers = self._workflow.states[edge.source].triggers
        found = find_witness(triggers, edge.index, self._thresholds, given)
        if found is Verdict.UNDECIDED and not given:
            found = ask_solver(triggers, edge.index, self._thresholds)
        if isinstance(found, Verdict) or self._replay(edge, _merged(given, found)):
            return found
        return Verdict.UNDECIDED

    def _hop(self, edge: Edge, question: PathQuestion) -> Answer:
        hop: Answer = {"from": edge.source, "to": edge.target}
        match edge.transition:
            case Trigger() as trigger:
                hop |= {"condition": trigger.condition_text, "action": trigger.action, "judgment": False}
                hop["witness"] = self._shown_witness(edge, question.context)
            case Transition() as transition:
                hop |= {
                    "event": transition.event,
                    "action": transition.action,
                    "judgment": transition.judgment,
                }
        if edge.previous is not None:
            hop["previous_state"] = edge.previous
        return hop

    def _reachable(self, question: PathQuestion, query: Query) -> Answer:
        hops = self._finder.distances(query)
        missed = [state for state in self._workflow.states if state not in hops and state != question.start]
        return {"from": question.start, "reachable": _listed(hops), "unreachable": missed}

    def _no_path(self, question: PathQuestion, query: Query, goal: str) -> Answer:
        hops = self._finder.distances(query)
        near = self._finder.nearest({question.start: 0, **hops}, goal)
        reasons = list(self._reasons(question, query, goal, hops))
        return {
            "from": question.start,
            "to": goal,
            "path": None,
            "message": f"there is no path from `{question.start}` to `{goal}`: {'; '.join(reasons)}",
            "reasons": reasons,
            "reachable": _listed(hops),
            "nearest": list(near) or [question.start],
        }

    def _reasons(
        self, question: PathQuestion, query: Query, goal: str, hops: dict[str, int]
    ) -> Iterator[str]:
        """What stands in the way: states to avoid, triggers that don't fire, or simply no edge."""
        for end in dict.fromkeys((question.start, goal)):
            if end in query.avoid:
                yield f"`{end}` itself is to be avoided"
                return
        around = self._finder.shortest(_changed(query, avoid=frozenset()), goal)
        if around is not None:
            met = ", ".join(f"`{edge.target}`" for edge in around if edge.target in query.avoid)
            yield f"paths there are lead through states to avoid ({met})"
            return
        unguarded = self._finder.shortest(_changed(query, avoid=frozenset(), can_fire=lambda _: True), goal)
        if unguarded is not None:
            for edge in unguarded:
                if edge.kind is EdgeKind.TRIGGER and not query.can_fire(edge):
                    yield self._blocked(edge, question)
            return
        count = len(hops) + 1
        states = "the 1 state" if count == 1 else f"the {count} states"
        yield f"nothing leads to it from {states} that can be reached"

    def _blocked(self, edge: Edge, question: PathQuestion) -> str:
        assert isinstance(edge.transition, Trigger)
        trigger = f"trigger `{edge.transition.condition_text}` of state `{edge.source}`"
        if self._witness(edge, question.context) is Verdict.UNDECIDED:
            return f"whether the {trigger} can fire is not decided"
        return f"the {trigger} can't be the first to fire{' in this context' if question.context else ''}"


def _changed(query: Query, *, avoid: frozenset[str], can_fire: CanFire | None = None) -> Query:
    return Query(query.start, query.previous, avoid, can_fire or query.can_fire)


def _listed(hops: dict[str, int]) -> list[Answer]:
    return [{"state": state, "distance": distance} for state, distance in hops.items()]


def _merged(given: Context, added: Context) -> Context:
    """Both contexts as one; where both have an object, its members."""
    merged: dict[str, Any] = dict(given)
    for name, value in added.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged
