"""What a change of a workflow means for its events: resuming, globals, judgments, where projects begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stratumc.checks.workflow_facts import Situation
from stratumc.review.meaning import Meaning, MeaningKind, path_words
from stratumc.review.ways import Hop
from stratumc.review.workflow_side import Side, example, listed

Path = tuple[Hop, ...]


def start_meanings(old: Side, new: Side) -> Iterator[Meaning]:
    """That projects begin elsewhere, and how they come to where they began before."""
    was, now = old.facts.workflow.initial_state, new.facts.workflow.initial_state
    if was == now:
        return
    message, path = f"new projects begin in `{now}`, no longer in `{was}`", None
    if new.ways.places_of(was):
        path = new.way_to(was)
        message += f", which they come to by {path_words(path)}"
    elif was in new.facts.workflow.states:
        message += ", which they never come to"
    yield Meaning(MeaningKind.START, message, _shown("new", path, old=was, new=now))


def resumption_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """Where events without a target lead now: of each state before, with all the places it matters in."""
    changed: dict[tuple[str, str | None, str | None], list[tuple[str, str]]] = {}
    for state in states:
        had, has = old.offered(state), new.offered(state)
        events = [
            name for name in has if has[name].target is None and name in had and had[name].target is None
        ]
        reached = frozenset(new.facts.situations[state]) if events else frozenset()
        for situation in old.facts.situations[state] if events else ():
            previous = situation.previous
            if previous is None or Situation(state, previous) not in reached:
                continue
            before, after = old.facts.resume(previous), new.facts.resume(previous)
            if before != after:
                where = changed.setdefault((previous, before, after), [])
                where.extend((state, event) for event in events)
    for (previous, before, after), where in changed.items():
        yield _resumption(new, previous, before, after, where)


def _resumption(
    new: Side, previous: str, before: str | None, after: str | None, where: list[tuple[str, str]]
) -> Meaning:
    state, event = where[0]
    path = new.way_to(state, previous)
    if after is not None:
        path = (*path, Hop(state, after, event, previous))
    leads = "nowhere" if after is None else f"to `{after}`"
    led = "nowhere" if before is None else f"to `{before}`"
    message = (
        f"{listed(event for _, event in where)} in {listed(state for state, _ in where)} now leads {leads} "
        f"when the state before was `{previous}`; before, it led {led}{example(path)}"
    )
    places = [{"state": state, "event": event} for state, event in where]
    more = {"previous_state": previous, "old": before, "new": after, "where": places}
    return Meaning(MeaningKind.RESUMES, message, _shown("new", path, **more))


def global_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """States in which a global event can be applied now, or no longer."""
    both = (*new.facts.workflow.global_transitions, *old.facts.workflow.global_transitions)
    for event in dict.fromkeys(item.transition.event for item in both):
        for there, elsewhere, can in ((new, old, "can now"), (old, new, "can no longer")):
            ways = {
                state: way
                for state in states
                if event in there.offered(state)
                and event not in elsewhere.offered(state)
                and (way := there.way_by(state, event)) is not None
            }
            if ways:
                path = next(iter(ways.values()))
                message = f"event `{event}` {can} be applied in {listed(ways)}{example(path)}"
                shows = _shown(there.name, path, event=event, states=list(ways))
                yield Meaning(MeaningKind.EVENT, message, shows)


def judgment_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """Events that are choices to be weighed now, or no longer."""
    changed: dict[tuple[str, bool], list[str]] = {}
    for state in states:
        had = old.offered(state)
        for event, transition in new.offered(state).items():
            if event in had and had[event].judgment is not transition.judgment:
                changed.setdefault((event, transition.judgment), []).append(state)
    for (event, is_judgment), places in changed.items():
        ways = (new.way_by(state, event) for state in places)
        path = next((way for way in ways if way is not None), None)
        words = "is now a judgment" if is_judgment else "is no longer a judgment"
        message = f"`{event}` in {listed(places)} {words}{example(path or ())}"
        shows = _shown("new", path, event=event, states=places, judgment=is_judgment)
        yield Meaning(MeaningKind.JUDGMENT, message, shows)


def _shown(version: str, path: Path | None, **more: Any) -> dict[str, Any]:
    """What shows a consequence: a path of the version named, from where projects begin."""
    return {"version": version, "path": None if path is None else [hop.to_dict() for hop in path], **more}
