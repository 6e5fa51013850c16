"""What a change means: paths, skippable steps, gates, bounds, and runs under way."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stratumc.review.paths.ways import Found, Hop, Place, Ways, nearest_places, walk_back


class MeaningKind(enum.Enum):
    """The questions that a reviewer asks of a change."""

    PATH_POSSIBLE = "path possible"
    PATH_IMPOSSIBLE = "path impossible"
    CANNOT_COMPLETE = "cannot complete"
    CAN_COMPLETE = "can complete"
    MAY_NOT_COMPLETE = "may not complete"
    MAY_BE_SKIPPED = "may be skipped"
    GATE_PASSED_BY = "gate passed by"
    GATE_ALWAYS_PASSED = "gate always passed"
    CHECK_PASSED_BY = "check passed by"
    NO_LONGER_RESET = "no longer reset"
    NOW_RESET = "now reset"
    BOUNDS = "bounds"
    START = "start"
    RESUMES = "resumes elsewhere"
    LEADS = "leads elsewhere"
    TRIGGER = "trigger fires"
    OFFERED = "events offered"
    EVENT = "event allowed"
    JUDGMENT = "judgment"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Meaning:
    """One consequence of a change."""

    kind: MeaningKind
    message: str
    """One line, the user's names in backticks."""
    shows: Any = None
    """JSON that shows it: the hops of a path, a run (checks.md, "Flow findings"), or names."""
    flow: str | None = None
    """The flow that it is about; None for a workflow."""

    def to_dict(self) -> dict[str, Any]:
        """The consequence as a JSON object."""
        flow = {} if self.flow is None else {"flow": self.flow}
        return {"kind": self.kind.value, **flow, "message": self.message, "shows": self.shows}


_MOST_COMPARED = 600
"""Above so many steps or states, paths are compared from the starts only."""

_MOST_WORK = 4_000_000
"""So many hops, of all places from each of them, are followed at most to compare all paths."""

MOST_TOLD = 40
"""Of each kind of path so many are told, the shortest; what remains is counted."""


_MOST_KEPT = 400
"""Ends of so many paths are looked for in longer ones."""


def are_many(common: Collection[str], old: Ways, new: Ways) -> bool:
    """Whether the places that both have are too many to compare the paths between any two of them."""
    return len(common) > _MOST_COMPARED or len(common) * max(old.size, new.size) > _MOST_WORK


def path_meanings(old: Ways, new: Ways) -> Iterator[Meaning]:
    """Paths between steps or states that both have, which only one of the two allows; the shortest of each
    kind.
    """
    if old == new:
        return
    had = frozenset(old.names)
    common = tuple(name for name in new.names if name in had)
    sources = common
    if are_many(common, old, new):
        sources = tuple(place.name for place in new.starts if place.name in had)
        yield Meaning(
            MeaningKind.NOT_COMPARED,
            f"{len(common)} places are many: paths are compared from where runs start only",
        )
    yield from _told(
        MeaningKind.PATH_POSSIBLE, "is now possible", sources=sources, common=common, without=old, with_it=new
    )
    yield from _told(
        MeaningKind.PATH_IMPOSSIBLE,
        "is no longer possible",
        sources=sources,
        common=common,
        without=new,
        with_it=old,
    )


def _told(
    kind: MeaningKind,
    words: str,
    *,
    sources: tuple[str, ...],
    common: tuple[str, ...],
    without: Ways,
    with_it: Ways,
) -> Iterator[Meaning]:
    count = 0
    for path in _only_there(sources, frozenset(common), without, with_it):
        count += 1
        if count <= MOST_TOLD:
            source, target = path[0].source, path[-1].target
            message = f"a path from `{source}` to `{target}` {words}: {path_words(path)}"
            yield Meaning(kind, message, [hop.to_dict() for hop in path])
    if count > MOST_TOLD:
        yield Meaning(kind, f"{count - MOST_TOLD} further paths: each {words}")


def path_words(path: tuple[Hop, ...]) -> str:
    """A path in one phrase, with the state that must have been before it where it begins by resuming."""
    before = path[0].previous if path else None
    begin = "" if before is None else f"when the state before was `{before}`, "
    return begin + " then ".join(f"{hop.outcome} to `{hop.target}`" for hop in path)


def _only_there(
    sources: tuple[str, ...], common: frozenset[str], without: Ways, with_it: Ways
) -> Iterator[tuple[Hop, ...]]:
    """Paths between pairs that only `with_it` joins, shortest first; none that has the ends of another in it.

    Of a source that `without` never comes to nothing is told but the path to it.
    """
    searches: dict[str, Found] = {}
    lacking: list[tuple[int, str, Place]] = []
    for source in sources:
        begins = without.places_of(source)
        if not begins:
            continue
        found = with_it.search(with_it.places_of(source))
        near = nearest_places(without.search(begins))
        distances: dict[Place, int] = {}
        for place, came in found.items():
            distances[place] = 0 if came is None else distances[came[0]] + 1
        for name, place in nearest_places(found).items():
            if name != source and name in common and name not in near:
                searches[source] = found
                lacking.append((distances[place], source, place))
    told: dict[str, list[str]] = {}
    kept = 0
    for _, source, place in sorted(lacking, key=lambda one: one[0]):
        path = walk_back(searches[source], place)
        at = {name: number for number, name in enumerate((source, *(hop.target for hop in path)))}
        if any(at.get(second, -1) > here for first, here in at.items() for second in told.get(first, ())):
            continue
        if kept < _MOST_KEPT:
            told.setdefault(source, []).append(place.name)
            kept += 1
        yield path


def bounds_meanings(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Meaning]:
    """Bounds of flows that both have and that differ; a flow that can't end well has none."""
    for flow, bounds in new.items():
        for what, limits in (bounds or {}).items():
            before = (old.get(flow) or {}).get(what)
            if before is not None and before != limits:
                words = f"were {range_words(before)}, now {range_words(limits)}"
                message = f"{what} of a good run of `{flow}` {words}"
                shown = {"flow": flow, "old": before, "new": limits}
                yield Meaning(MeaningKind.BOUNDS, message, shown, flow)


def range_words(limits: Mapping[str, int | None]) -> str:
    """A range of bounds in words: `3`, `3 to 7`, `3 or more`."""
    least, most = limits["least"], limits["most"]
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"
