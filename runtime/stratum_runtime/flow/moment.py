"""What is known while one event runs to completion: the report, what guards found, the audit trail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stratum_runtime.configuration import ATTEMPTS
from stratum_runtime.contract import ABSENT
from stratum_runtime.flow.command import Command, Ran
from stratum_runtime.flow.failures import Reason
from stratum_runtime.flow.judgment import flow_output
from stratum_runtime.flow.places import Place
from stratum_runtime.flow.rows import Address, key_of
from stratum_runtime.flow.run import Run
from stratum_runtime.flow.stored import stored_cell
from stratum_runtime.store import RunWriter

Commands = Mapping[Command, Ran]


class CommandWantedError(Exception):
    """The call waits for a command, which is run outside of the transaction; then it is repeated."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.text)
        self.command = command


class Moment:
    """Shared by the guards and effects of one event."""

    def __init__(
        self, run: Run, writer: RunWriter, now: float, new_token: Callable[[], str], commands: Commands
    ) -> None:
        self.run = run
        self.writer = writer
        self.now = now
        """When this is; it moves on by the time that commands took."""
        self.new_token = new_token
        self.commands = commands
        self.reported: Place | None = None
        """Of whom something was reported."""
        self.output: Any = ABSENT
        """The reported output."""
        self.fault: Reason | None = None
        """What is wrong with the report, when something is."""
        self.fresh = True
        """Whether the evidence changed since the attempt before."""
        self.usage: Any = None
        self.booked = True
        """Whether the usage had a shape that could be booked; if not, no budget is looked at."""
        self.decision: dict[str, Any] = {}
        """Of a gate: outcome, rationale, resolved_by, channel."""
        self.reason: Reason | None = None
        """The failure at hand: set by the guard that found it, or by the attempt that it failed."""
        self.ends: dict[Address, Reason] = {}
        """Why flows failed, by scope."""
        self.found: dict[str, Any] = {}
        """What guards computed for effects, by row: rendered task, output, input, items."""
        self.began: dict[str, float] = {}
        """When the commands of steps were started, by row."""
        self.call: dict[str, Any] = {}
        """The call itself, for the audit trail."""
        self.events: list[dict[str, Any]] = []
        """For the audit trail."""
        self.routed: list[tuple[Place, Place]] = []
        """Who routed to whom because it failed."""
        self.written: list[str] = []
        """The carry variables that were written."""
        self.was_reset: list[str] = []
        """The ids of the steps that were reset."""
        self._attempts: dict[str, int] = {}

    def attempts(self, place: Place) -> int:
        """How many attempts are recorded now."""
        known = self._attempts.get(place.key)
        return stored_cell(self.run.row(place))[ATTEMPTS] if known is None else known

    def count_attempts(self, place: Place, more: int) -> int:
        """Adds attempts; returns how many there are."""
        self._attempts[place.key] = total = self.attempts(place) + more
        return total

    def forget_attempts(self, place: Place) -> None:
        """After a reset there are none."""
        self._attempts[place.key] = 0

    def new_output(self, place: Place) -> Any:
        """The output that a place has just come to, or ABSENT."""
        construct = place.step["construct"]
        if place.is_item or construct == "do":
            return self.output
        if construct in ("set", "evaluate"):
            return self.found.get(place.key, ABSENT)
        if construct == "run":
            return flow_output(self.run, self.run.place((*place.address, 0), 0))
        if construct == "fanout":
            return self._item_outputs(place)
        return ABSENT

    def _item_outputs(self, place: Place) -> list[Any]:
        count = self.run.row(place)["count"]
        rows = (self.run.rows.row(key_of((*place.address, number, 0))) for number in range(count))
        return [row.get("output") if row.get("won") else None for row in rows]

    def tell(self, event: str, place: Place, **more: Any) -> None:
        """Adds to the audit trail."""
        self.events.append({"event": event, "step_id": place.id, **more})
