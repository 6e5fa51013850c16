"""Whether every way to a state enters another: proved, or refuted by a path that goes round it."""

from __future__ import annotations

from collections import deque

from stratumc.checks.workflow_facts import Move, Situation, WorkflowFacts
from stratumc.proof.results import Proved, Refuted, Result


def workflow_must_pass(facts: WorkflowFacts, start: str | None, goal: str, gate: str) -> Result:
    """Whether every path from `start` to `goal` enters `gate`; vacuously so when there is none.

    Without `start`, paths begin where a new project does: in the initial state, with no state before it;
    that state itself is come to by no hop. From a named state they begin with whatever state can have come
    before, and have at least one hop; where no project comes to that state, none has. The witness of a
    refutation is the list of hops, each with `from`, `event` or `condition`, `to`, and the `previous_state`
    that a null target was looked up by.
    """
    initial = facts.workflow.initial_state
    if start is None and goal == initial and gate != goal:
        return Refuted([])
    if gate not in (initial if start is None else start, goal):
        way = _way(facts, start, goal, gate)
        if way is not None:
            return Refuted(way)
    is_come_to = goal in facts.situations if start is None else _way(facts, start, goal, None) is not None
    return Proved(vacuous=not is_come_to)


def _way(facts: WorkflowFacts, start: str | None, goal: str, gate: str | None) -> list[dict[str, str]] | None:
    """The shortest path from the start, or from where projects begin, to the goal round a gate."""
    begins: tuple[Situation, ...] = (Situation(facts.workflow.initial_state, None),)
    if start is not None:
        begins = facts.situations.get(start) or (Situation(start, None),)
    came: dict[Situation, tuple[Situation, Move] | None] = dict.fromkeys(begins)
    queue = deque(begins)
    while queue:
        situation = queue.popleft()
        for move in facts.moves(situation):
            after = Situation(move.target, situation.state)
            if after not in came and move.target != gate:
                came[after] = (situation, move)
                queue.append(after)
            if move.target == goal:
                return [*_hops(came, situation), _hop(situation, move)]
    return None


def _hops(came: dict[Situation, tuple[Situation, Move] | None], end: Situation) -> list[dict[str, str]]:
    """How the search came to a situation."""
    hops: list[dict[str, str]] = []
    entry = came[end]
    while entry is not None:
        hops.append(_hop(*entry))
        entry = came[entry[0]]
    return hops[::-1]


def _hop(situation: Situation, move: Move) -> dict[str, str]:
    resumes = {} if move.previous is None else {"previous_state": move.previous}
    return {"from": situation.state, **move.by, "to": move.target, **resumes}
