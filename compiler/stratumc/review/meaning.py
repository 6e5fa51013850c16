"""What a change means: paths, skippable steps, gates, bounds, and runs under way."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stratumc.review.ways import Hop, Ways, walk_back


class MeaningKind(enum.Enum):
    """The questions that a reviewer asks of a change."""

    PATH_POSSIBLE = "path possible"
    PATH_IMPOSSIBLE = "path impossible"
    MAY_BE_SKIPPED = "may be skipped"
    GATE_PASSED_BY = "gate passed by"
    BOUNDS = "bounds"
    CANNOT_GO_ON = "cannot go on"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Meaning:
    """One consequence of a change."""

    kind: MeaningKind
    message: str
    """One line, the user's names in backticks."""
    shows: Any = None
    """JSON that shows it: the hops of a path, or a run (checks.md, "Flow findings")."""

    def to_dict(self) -> dict[str, Any]:
        """The consequence as a JSON object."""
        return {"kind": self.kind.value, "message": self.message, "shows": self.shows}


MOST_COMPARED = 600
"""Above so many steps or states, paths are compared from the starts only."""


def path_meanings(old: Ways, new: Ways) -> Iterator[Meaning]:
    """Paths between steps or states that both have, which only one of the two allows; the shortest of each
    kind.
    """
    common = [name for name in new.names if name in set(old.names)]
    sources = common
    if len(common) > MOST_COMPARED:
        sources = [name for name in new.starts if name in set(common)]
        yield Meaning(
            MeaningKind.NOT_COMPARED,
            f"{len(common)} places are many: paths are compared from where runs start only",
        )
    for kind, without, with_it in (
        (MeaningKind.PATH_POSSIBLE, old, new),
        (MeaningKind.PATH_IMPOSSIBLE, new, old),
    ):
        words = "is now possible" if kind is MeaningKind.PATH_POSSIBLE else "is no longer possible"
        for source, target, path in _only_there(sources, frozenset(common), without, with_it):
            hops = " then ".join(f"{hop.outcome} to `{hop.target}`" for hop in path)
            message = f"a path from `{source}` to `{target}` {words}: {hops}"
            yield Meaning(kind, message, [hop.to_dict() for hop in path])


def _only_there(
    sources: list[str], common: frozenset[str], without: Ways, with_it: Ways
) -> Iterator[tuple[str, str, tuple[Hop, ...]]]:
    """Pairs that only `with_it` joins, shortest first; a pair whose path holds one already told is left
    out.
    """
    found: list[tuple[str, str, tuple[Hop, ...]]] = []
    for source in sources:
        there = with_it.search((source,))
        lacking = without.search((source,))
        for target in there:
            if target != source and target in common and target not in lacking:
                found.append((source, target, walk_back(there, target)))
    told: set[tuple[str, str]] = set()
    for source, target, path in sorted(found, key=lambda pair: len(pair[2])):
        places = [source, *(hop.target for hop in path)]
        inner = ((places[i], places[j]) for i in range(len(places)) for j in range(i + 1, len(places)))
        if told.isdisjoint(inner):
            told.add((source, target))
            yield source, target, path


def bounds_meanings(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Meaning]:
    """Bounds of flows that both have and that differ."""
    for flow, bounds in new.items():
        for what, limits in bounds.items():
            before = old.get(flow, {}).get(what)
            if before is not None and before != limits:
                message = f"{what} of a good run of `{flow}` were {_range(before)}, now {_range(limits)}"
                yield Meaning(MeaningKind.BOUNDS, message, {"flow": flow, "old": before, "new": limits})


def _range(limits: dict[str, int | None]) -> str:
    least, most = limits["least"], limits["most"]
    if least == most:
        return str(least)
    return f"{least} to {'any number' if most is None else most}"
