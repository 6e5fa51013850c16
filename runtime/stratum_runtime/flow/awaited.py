"""Which step a report or a decision speaks of: only what is out takes one, and with its newest token."""

from __future__ import annotations

import enum
from typing import assert_never

from stratum_runtime.configuration import EPOCH, STATE
from stratum_runtime.flow.answers import Answer, RefusedCallError, refusal, run_state
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell


class Awaited(enum.Enum):
    """What a run waits for."""

    REPORT = "report"
    DECISION = "decision"

    @property
    def pool(self) -> str:
        """The list of what is out."""
        return "ready" if self is Awaited.REPORT else "gates"

    @property
    def stale(self) -> str:
        """The refusal of a token that is spent."""
        return "stale_dispatch" if self is Awaited.REPORT else "stale_gate"


def awaited_place(run: Run, awaited: Awaited, step_id: str, token: str | None) -> Place:
    """The step that a call names, which is out; a token that is given has to be its newest.

    Raises RefusedCallError.
    """
    place = run.find(step_id)
    if place is None:
        message = f"flow `{run.machine.name}` has no step `{step_id}`"
        raise RefusedCallError(refusal("unknown_step", message, **run_state(run)))
    if not run.is_in(awaited.pool, place):
        raise RefusedCallError(_not_out(run, place, awaited, token))
    if token is not None and token != run.row(place)["token"]:
        raise RefusedCallError(refusal(awaited.stale, _not_newest(place, awaited), **run_state(run)))
    return place


def _not_newest(place: Place, awaited: Awaited) -> str:
    match awaited:
        case Awaited.REPORT:
            return f"the dispatch_token is not that of the newest issue of `{place.id}`"
        case Awaited.DECISION:
            return f"the gate_token is not the one that `{place.id}` waits with now"
        case _:
            assert_never(awaited)


def _not_out(run: Run, place: Place, awaited: Awaited, token: str | None) -> Answer:
    """The refusal of a call on what isn't out; of the stale kind when its token is spent."""
    row = run.row(place)
    cell = stored_cell(row)
    if token is None or not ("token" in row or cell[EPOCH]):
        what = "isn't a gate that waits" if awaited is Awaited.DECISION else "is not out to be worked on"
        return refusal("not_ready", f"`{place.id}` {what}", **run_state(run))
    state = run_state(run)
    succeeded = place.machine.regions[place.region].names.index("succeeded")
    if row.get("token") == token and cell[STATE] == succeeded:
        message = f"`{place.id}` was done with this very token; nothing is left to do there"
        return refusal(awaited.stale, message, already="accepted", **state)
    return refusal(awaited.stale, f"`{place.id}` is over: its token is spent", **state)
