"""What a change of a workflow means for its events: where they lead, judgments, where projects begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from stratumc.review.comparison.meaning import Meaning, MeaningKind, path_words
from stratumc.review.comparison.workflow_side import Side, example, listed
from stratumc.review.paths.ways import Hop

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


def leading_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """Where events lead now that they led elsewhere before, if that isn't what their transition says.

    That is: where one has no target of its own, by each state before and with all the places it matters in;
    and where a state's own transition stands before a global one, or does no longer.
    """
    changed: dict[tuple[_Leads, tuple[str, ...]], list[str]] = {}
    for state in states:
        events: dict[_Leads, list[str]] = {}
        had = old.offered(state)
        for event in new.offered(state):
            for leads in _leads_elsewhere(old, new, state, event) if event in had else ():
                events.setdefault(leads, []).append(event)
        for leads, those in events.items():
            changed.setdefault((leads, tuple(those)), []).append(state)
    for (leads, same_events), places in changed.items():
        yield _leading(new, leads, same_events, places)


class _Leads(NamedTuple):
    """Where an event led and leads; nowhere when None."""

    depends: bool
    """Whether on the state before."""
    previous: str | None
    before: str | None
    after: str | None


def _leads_elsewhere(old: Side, new: Side, state: str, event: str) -> Iterator[_Leads]:
    was, now = old.offered(state)[event], new.offered(state)[event]
    if was.target is not None and now.target is not None:
        if was.target != now.target and old.is_own(state, event) is not new.is_own(state, event):
            yield _Leads(False, None, was.target, now.target)
        return
    reached = frozenset(new.facts.situations[state])
    for situation in old.facts.situations[state]:
        if situation in reached:
            previous = situation.previous
            before, after = was.target or old.facts.resume(previous), now.target or new.facts.resume(previous)
            if before != after:
                yield _Leads(True, previous, before, after)


def _leading(new: Side, leads: _Leads, events: tuple[str, ...], states: list[str]) -> Meaning:
    state, event = states[0], events[0]
    path = new.way_to(state, leads.previous)
    if leads.after is not None:
        by_state_before = leads.previous if new.offered(state)[event].target is None else None
        path = (*path, Hop(state, leads.after, event, by_state_before))
    verb, pronoun = ("lead", "they") if len(events) > 1 else ("leads", "it")
    message = (
        f"{listed(events)} in {listed(states)} now {verb} {_to(leads.after)}{_when(leads)}; "
        f"before, {pronoun} led {_to(leads.before)}{example(path)}"
    )
    where = [{"state": state, "event": event} for state in states for event in events]
    more = {"previous_state": leads.previous, "old": leads.before, "new": leads.after, "where": where}
    kind = MeaningKind.RESUMES if leads.depends else MeaningKind.LEADS
    return Meaning(kind, message, _shown("new", path, **more))


def _to(target: str | None) -> str:
    return "nowhere" if target is None else f"to `{target}`"


def _when(leads: _Leads) -> str:
    if not leads.depends:
        return ""
    return " where it began" if leads.previous is None else f" when the state before was `{leads.previous}`"


def event_meanings(old: Side, new: Side, states: tuple[str, ...]) -> Iterator[Meaning]:
    """States in which an event can be applied now, or no longer: a global one, or one without a target."""
    both = (*new.facts.workflow.global_transitions, *old.facts.workflow.global_transitions)
    everywhere = dict.fromkeys(item.transition.event for item in both)
    resuming = (
        event
        for side in (new, old)
        for state in states
        for event, transition in side.offered(state).items()
        if transition.target is None
    )
    for event in dict.fromkeys((*everywhere, *resuming)):
        for there, elsewhere, can in ((new, old, "can now"), (old, new, "can no longer")):
            ways = {
                state: way
                for state in states
                if event in there.offered(state)
                and event not in elsewhere.offered(state)
                and (event in everywhere or there.offered(state)[event].target is None)
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
