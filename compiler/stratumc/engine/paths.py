"""The answers of `flow_explain`: a path with its witnesses, what is reachable, or why there is no path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from stratum_runtime.workflow import ANY, Answer, AnyPrevious, PathQuestion
from stratumc.engine.witness import Context, Verdict, ask_solver, find_witness, with_given
from stratumc.graph.explain import CanFire, PathFinder, Query, Reached, Unknown
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
        self._without_context: dict[tuple[str, int], Context | Verdict] = {}
        self._finder = PathFinder(workflow_graph(workflow), lambda edge: self._fires(edge, {}))

    def answer(self, question: PathQuestion) -> Answer:
        """The answer of `flow_explain`.

        Where the state before the start isn't given, it is one that a project can have been in before. In a
        start that no project comes to there was none. An answer that holds for one of them only names it:
        `when_previous_state`.
        """
        query = self._query(question)
        if question.goal is None:
            answer = self._reachable(question, query)
        else:
            path = self._finder.shortest(query, question.goal)
            if path is None:
                answer = self._no_path(question, query, question.goal)
            else:
                answer = self._path(question, path)
        if question.previous is ANY and not self._finder.comes_to(question.start):
            answer["note"] = (
                f"no way is known from the initial state `{self._workflow.initial_state}` to "
                f"`{question.start}`: this is for a project that is put there, with no state before"
            )
        return answer

    def _path(self, question: PathQuestion, path: tuple[Edge, ...]) -> Answer:
        answer: Answer = {
            "from": question.start,
            "to": question.goal,
            "length": len(path),
            "path": [self._hop(edge, question) for edge in path],
        }
        if path and path[0].previous is not None and question.previous is ANY:
            answer["when_previous_state"] = path[0].previous
        return answer

    def _query(self, question: PathQuestion) -> Query:
        previous = Unknown.PREVIOUS if question.previous is ANY else question.previous
        assert not isinstance(previous, AnyPrevious)
        avoid = frozenset(question.avoid)
        return Query(question.start, previous, avoid, lambda edge: self._fires(edge, question.context))

    def _fires(self, edge: Edge, given: Context) -> bool:
        return not isinstance(self._witness(edge, given), Verdict)

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
        hop: Answer
        match edge.transition:
            case Transition() as transition:
                hop = {
                    "from": edge.source,
                    "to": edge.target,
                    "event": transition.event,
                    "action": transition.action,
                    "judgment": transition.judgment,
                }
                if edge.previous is not None:
                    hop["previous_state"] = edge.previous
            case Trigger() as trigger:
                hop = {
                    "from": edge.source,
                    "to": edge.target,
                    "condition": trigger.condition_text,
                    "action": trigger.action,
                    "judgment": False,
                    "witness": self._shown_witness(edge, question.context),
                }
        return hop

    def _reachable(self, question: PathQuestion, query: Query) -> Answer:
        found = self._finder.reached(query)
        missed = [state for state in self._workflow.states if state not in found and state != question.start]
        return {"from": question.start, "reachable": _listed(found), "unreachable": missed}

    def _no_path(self, question: PathQuestion, query: Query, goal: str) -> Answer:
        found = self._finder.reached(query)
        states = tuple(dict.fromkeys((question.start, *found)))
        near = self._finder.nearest(states, goal)
        reasons = list(self._reasons(question, query, goal, states))
        return {
            "from": question.start,
            "to": goal,
            "path": None,
            "message": f"there is no path from `{question.start}` to `{goal}`: {'; '.join(reasons)}",
            "reasons": reasons,
            "reachable": _listed(found),
            "nearest": list(near) or [question.start],
        }

    def _reasons(
        self, question: PathQuestion, query: Query, goal: str, states: tuple[str, ...]
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
        needed: dict[str, dict[str | None, None]] = {}
        for edge in self._finder.resuming(frozenset(states), goal):
            assert isinstance(edge.transition, Transition)
            needed.setdefault(edge.transition.event, {})[edge.previous] = None
        for event, before in needed.items():
            names = " or ".join(f"`{state}`" for state in before)
            yield f"event `{event}` leads to it only when the state before was {names}"
        if not needed:
            count = "the only state" if len(states) == 1 else f"the {len(states)} states"
            yield f"nothing leads to it from {count} that can be reached"

    def _blocked(self, edge: Edge, question: PathQuestion) -> str:
        assert isinstance(edge.transition, Trigger)
        trigger = f"trigger `{edge.transition.condition_text}` of state `{edge.source}`"
        if self._witness(edge, question.context) is Verdict.UNDECIDED:
            return f"whether the {trigger} can fire is not decided"
        return f"the {trigger} can't be the first to fire{' in this context' if question.context else ''}"


def _changed(query: Query, *, avoid: frozenset[str], can_fire: CanFire | None = None) -> Query:
    return Query(query.start, query.previous, avoid, can_fire or query.can_fire)


def _listed(found: dict[str, Reached]) -> list[Answer]:
    listed: list[Answer] = []
    for state, reached in found.items():
        listed.append({"state": state, "distance": reached.distance})
        if reached.previous is not None:
            listed[-1]["when_previous_state"] = reached.previous
    return listed


def _merged(given: Context, added: Context) -> Context:
    """Both contexts as one; where both have an object, its members."""
    merged: dict[str, Any] = dict(given)
    for name, value in added.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged
