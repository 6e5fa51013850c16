"""Whether an event may be applied where a project stands, and what may be done instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stratum_runtime.configuration import WorkflowConfiguration
from stratum_runtime.event import Fired
from stratum_runtime.step import step
from stratum_runtime.table import Row
from stratum_runtime.workflow.offers import AUTO, Offers
from stratum_runtime.workflow.refusals import Answer, RefusalError


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller of `transition` wants, its arguments checked."""

    event: str
    context: dict[str, Any]
    updates: dict[str, str]
    """Further fields of the state file, as JSON texts."""
    reason: str | None
    expected: str | None


def fire(offers: Offers, at: WorkflowConfiguration, wish: Wish) -> Row:
    """The row that the event takes. Raises RefusalError with what may be done instead."""
    state, event, context, expected = at.state_name, wish.event, wish.context, wish.expected
    if expected is not None and expected != state:
        message = f"the project is in state `{state}`, not in `{expected}`"
        raise RefusalError("state_conflict", message, state=state, **_moves(offers, at, context))
    own = offers.option(at, event)
    if own is not None and own["target"] is None:
        message = f"event `{event}` resumes by the previous state, {_not_resumable(offers, at)}"
        raise RefusalError("not_resumable", message, state=state, **_moves(offers, at, context))
    result = step(offers.table, at, event, context)
    if isinstance(result, Fired):
        return result.rows[0]
    if event == AUTO:
        message = f"no trigger of state `{state}` fires in this context"
        raise RefusalError("no_trigger", message, state=state, **_moves(offers, at, context))
    names = ", ".join(f"`{name}`" for name in offers.events(at)) or "none"
    message = f"event `{event}` is not allowed in state `{state}`; valid events: {names}"
    raise RefusalError("event_not_allowed", message, state=state, **_moves(offers, at, context))


def _not_resumable(offers: Offers, at: WorkflowConfiguration) -> str:
    if at.previous < 0:
        return "and no previous state of this workflow is recorded"
    return f"and the previous state `{offers.states[at.previous]}` has no resumption target"


def _moves(offers: Offers, at: WorkflowConfiguration, context: dict[str, Any]) -> Answer:
    """The legal next moves, as a refusal tells them."""
    found = offers.look(at, context)
    moves: Answer = {"valid_events": offers.events(at)}
    if "auto_action" in found:
        moves["auto_action"] = found["auto_action"]
    if found["unresolved"]:
        moves["unresolved"] = found["unresolved"]
    return moves
