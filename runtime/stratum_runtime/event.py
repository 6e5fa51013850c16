"""What goes into a step and comes out: events, what the host is asked, and the two answers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from stratum_runtime.configuration import Configuration
    from stratum_runtime.table import Row

EXTERNAL = frozenset(("result", "approve", "revise", "kill", "cancel"))
"""The events that a caller may send to a flow."""

START = "start"
"""The event of a control region with which a flow begins; `start` sends it."""


class Event:
    """An event for one region of a run, by address.

    `verdict` and `fresh` are what the caller found when it judged a result (runs.md section 3).
    """

    __slots__ = ("address", "fresh", "name", "verdict")

    name: str
    address: tuple[int, ...]
    verdict: str | None
    fresh: bool

    def __init__(
        self, name: str, address: tuple[int, ...], verdict: str | None = None, *, fresh: bool = True
    ) -> None:
        self.name = name
        self.address = address
        self.verdict = verdict
        self.fresh = fresh

    def __repr__(self) -> str:
        return f"Event({self.name!r}, {self.address}, {self.verdict!r})"


class Host:
    """What the core asks of its surroundings while a run moves; this one agrees to everything.

    `scope` is the address of a machine: () for the entry's, else a region and the number of its child.
    """

    # ruff: noqa: ARG002 (the arguments are there for subclasses)

    def holds(self, scope: tuple[int, ...], region: int, guard: str, arguments: tuple[Any, ...]) -> bool:
        """Whether a guard that needs outputs, ledgers or files holds for a region."""
        return guard not in ("unless", "refused", "over")

    def perform(
        self, scope: tuple[int, ...], region: int, effect: str, arguments: tuple[Any, ...]
    ) -> int | None:
        """Carries out an effect, in order; for `enter` of a fanout it answers how many items there are."""
        return None


class Fired:
    """The event was taken: the new configuration, the effects in order, the rows taken.

    Of a workflow `effects` are those of its one row; of a run they are tuples of an address, a name
    and arguments, and `changed` holds the addresses whose cells changed, in order.
    """

    __slots__ = ("changed", "configuration", "effects", "rows")

    def __init__(
        self,
        configuration: Configuration,
        effects: tuple[Any, ...],
        rows: tuple[Row, ...],
        changed: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self.configuration = configuration
        self.effects = effects
        self.rows = rows
        self.changed = changed

    def __repr__(self) -> str:
        return f"Fired({self.configuration!r}, {self.rows!r})"


class Refused:
    """The event was not taken and nothing changed; `accepted` are the events that have rows there.

    `code` is `not_accepted` (no row for the event), `guarded` (rows, but none whose guards hold),
    `ended`, `unknown_region`, or `endless` (the table goes round in circles).
    """

    __slots__ = ("accepted", "code", "guard", "message")

    def __init__(self, code: str, message: str, accepted: tuple[str, ...] = (), guard: str = "") -> None:
        self.code = code
        self.message = message
        self.accepted = accepted
        self.guard = guard
        """Of a `guarded` refusal: the guard that failed in the last row that was tried."""

    def __repr__(self) -> str:
        return f"Refused({self.code!r}, {self.message!r})"
