"""Whether every way to a state enters another: proved, or refuted by a path that goes round it."""

from __future__ import annotations

from collections import deque

from stratumc.checks.workflow_facts import Move, Situation, WorkflowFacts
from stratumc.proof.results import Proved, Refuted, Result


def workflow_must_pass(facts: WorkflowFacts, start: str | None, goal: str, gate: str) -> Result:
    """Whether every path from `start` to `goal` enters `gate`.

    Without `start`, paths begin where a new project does: in the initial state, with no state before it.
    From a named state they begin with whatever state can have come before; where no project comes to that
    state, none has. The witness of a refutation is the list of hops, each with `from`, `event` or
    `condition`, `to`, and the `previous_state` that a null target was looked up by.
    """
    initial = facts.workflow.initial_state
    if gate in (initial if start is None else start, goal):
        return Proved()
    begins: tuple[Situation, ...] = (Situation(initial, None),)
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
                return Refuted([*_hops(came, situation), _hop(situation, move)])
    return Proved()


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
