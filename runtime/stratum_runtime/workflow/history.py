"""Questions to the log: filtered entries, counts, time per state, judgments that always go one way."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from stratum_runtime.workflow.log import Entry

SAME_WAY = 5
"""So many judgments in one state, all alike, could be a trigger."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries are asked for; None asks for all."""

    event: str | None = None
    from_state: str | None = None
    to_state: str | None = None
    project: str | None = None
    since: datetime.datetime | None = None
    until: datetime.datetime | None = None

    def admits(self, entry: Entry) -> bool:
        """Whether an entry is asked for; one without a readable time is in no span of time."""
        pairs = (
            ("event", self.event),
            ("from", self.from_state),
            ("to", self.to_state),
            ("project", self.project),
        )
        if any(wanted is not None and entry[key] != wanted for key, wanted in pairs):
            return False
        if self.since is None and self.until is None:
            return True
        when = time_of(entry)
        if when is None:
            return False
        return (self.since is None or self.since <= when) and (self.until is None or when <= self.until)


def time_of(entry: Entry) -> datetime.datetime | None:
    """When an entry was written; None when that can't be read."""
    try:
        when = datetime.datetime.fromisoformat(entry["time"])
    except (TypeError, ValueError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=datetime.UTC)


def summarize(entries: tuple[Entry, ...], wanted: Filter) -> dict[str, Any]:
    """Counts, seconds per state, and judgments that always went the same way, over the entries asked for.

    A stay in a state belongs to the entry that ended it.
    """
    stays = dict(_stays(entries))
    chosen = [(index, entry) for index, entry in enumerate(entries) if wanted.admits(entry)]
    spent: dict[str, float] = {}
    for index, entry in chosen:
        if index in stays:
            spent[entry["from"]] = spent.get(entry["from"], 0.0) + stays[index]
    only = [entry for _, entry in chosen]
    return {
        "transitions": len(only),
        "states": dict(Counter(entry["to"] for entry in only)),
        "events": dict(Counter(entry["event"] for entry in only)),
        "judgments": dict(Counter(entry["event"] for entry in only if entry["judgment"] is True)),
        "seconds_in_state": {state: round(seconds, 3) for state, seconds in spent.items()},
        "always_the_same": list(_always_the_same(only)),
    }


def _stays(entries: Iterable[Entry]) -> Iterator[tuple[int, float]]:
    """By the index of the entry that ended it, the seconds of each stay; 0 when the clock went back."""
    entered: dict[Any, datetime.datetime | None] = {}
    for index, entry in enumerate(entries):
        now, before = time_of(entry), entered.get(entry["project"])
        if now is not None and before is not None:
            yield index, max(0.0, (now - before).total_seconds())
        entered[entry["project"]] = now


def _always_the_same(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    by_state: dict[str, Counter[str]] = {}
    for entry in entries:
        if entry["judgment"] is True:
            by_state.setdefault(entry["from"], Counter())[entry["event"]] += 1
    for state, events in by_state.items():
        (event, times), *others = events.items()
        if not others and times >= SAME_WAY:
            yield {"state": state, "event": event, "times": times}
