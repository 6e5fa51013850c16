"""Rows under construction: one machine's, in the order in which they are tried."""

from __future__ import annotations

from typing import Any

from stratumc.text import Location, format_path

Guard = list[Any]
Effect = list[Any]


class RowList:
    """The rows of one machine; `at` is called once for each region and state, in ascending order."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._region = 0
        self._state = 0
        self._origin: list[Any] = [0, ""]

    def at(self, region: int, state: int, place: Location) -> None:
        """Where the next rows start from, and where they come from."""
        self._region, self._state, self._origin = region, state, origin_of(place)

    def add(
        self,
        event: str,
        guards: list[Guard],
        target: int,
        effects: list[Effect],
        place: Location | None = None,
    ) -> None:
        """One more row; from `place` if it has a place of its own."""
        origin = self._origin if place is None else origin_of(place)
        self.rows.append([self._region, self._state, event, guards, target, effects, origin])


def origin_of(place: Location) -> list[Any]:
    """A place as the table holds it."""
    return [place.source, format_path(place.path)]
