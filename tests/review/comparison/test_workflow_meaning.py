"""What a change of a workflow means, against the runtime: what is said is true, and nothing is missing."""

from __future__ import annotations

import functools
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.checks.workflow_facts import WorkflowFacts
from stratumc.review.comparison.going_on import Fate
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.comparison.projects_under_way import projects_under_way
from stratumc.review.comparison.workflow_meaning import workflow_meanings
from support.workflow_player import CONTEXTS, Json, Place, Player
from support.workflows_random import busy_workflow, edited


class Pair:
    """Two versions, what is said of them, and what the runtime makes of each."""

    def __init__(self, old: Json, new: Json) -> None:
        self.documents = {"old": old, "new": new}
        self.old, self.new = Player(old), Player(new)
        facts = (WorkflowFacts(self.old.workflow), WorkflowFacts(self.new.workflow))
        self.meanings = tuple(workflow_meanings(*facts))
        self.going_on = tuple(projects_under_way(*facts))
        self.places = (
            self.old.distances([self.old.begin]).keys(),
            self.new.distances([self.new.begin]).keys(),
        )
        here, there = ({state for state, _ in places} for places in self.places)
        self.both = [state for state in self.new.workflow.states if state in here & there]

    def of(self, kind: MeaningKind) -> list[Meaning]:
        """What is said of a kind; nothing is counted only, so small are the workflows."""
        return [one for one in self.meanings if one.kind is kind]

    def arrives(self, meaning: Meaning) -> Place:
        """Where the path that shows a meaning leads a new project of its version."""
        player = self.old if meaning.shows["version"] == "old" else self.new
        place = player.follows(player.begin, meaning.shows["path"])
        assert place is not None, meaning
        return place


@functools.cache
def pair(seed: int) -> Pair:
    pick = random.Random(seed)
    old = busy_workflow(pick)
    return Pair(old, edited(pick, old))


def null_events(document: Json, state: str) -> set[str]:
    """The events of a state that have no target of their own."""
    events = {one["event"]: one["target"] for one in document["states"][state]["transitions"]}
    for one in document.get("global_transitions", ()):
        if state not in one["except"]:
            events.setdefault(one["event"], one["target"])
    return {event for event, target in events.items() if target is None}


def options(player: Player, state: str) -> dict[str, Any]:
    """What `flow_check` would list of a state, by event."""
    at = player.offers.configuration(state, None)
    assert at is not None
    return {one["event"]: one for one in player.offers.options(at)}


SEEDS = st.integers(0, 250)


def own_target(document: Json, state: str, event: str) -> str | None:
    """The target that a state's own transition names; None when it has no such event, or no target."""
    events = {one["event"]: one["target"] for one in document["states"][state]["transitions"]}
    return events.get(event)


def global_target(document: Json, state: str, event: str) -> str | None:
    """The target that a global transition names where a state hasn't that event itself."""
    if any(one["event"] == event for one in document["states"][state]["transitions"]):
        return None
    found = (one for one in document.get("global_transitions", ()) if one["event"] == event)
    return next((one["target"] for one in found if state not in one["except"]), None)


@given(SEEDS)
@settings(max_examples=100)
def test_where_events_without_a_target_lead(seed: int) -> None:
    """Of every situation of both versions, if the event is there in both and one of them has no target."""
    both = pair(seed)
    old, new = both.documents.values()
    expected = {
        (state, event, previous, before, after)
        for state, previous in both.places[0] & both.places[1]
        for event in null_events(old, state) | null_events(new, state)
        if event in options(both.old, state) and event in options(both.new, state)
        if (before := both.old.moves((state, previous)).get(event))
        != (after := both.new.moves((state, previous)).get(event))
    }
    told = set()
    for one in both.of(MeaningKind.RESUMES):
        shows = one.shows
        for where in shows["where"]:
            told.add((where["state"], where["event"], shows["previous_state"], shows["old"], shows["new"]))
        first, previous, after = shows["where"][0]["state"], shows["previous_state"], shows["new"]
        hops = shows["path"] if after is None else shows["path"][:-1]
        assert both.new.follows(both.new.begin, hops) == (first, previous)
        assert after is None or both.arrives(one) == (after, first)
        came = "where it began" if previous is None else f"when the state before was `{previous}`"
        assert came in one.message
    assert told == expected


@given(SEEDS)
@settings(max_examples=100)
def test_where_events_lead_that_stand_before_a_global_one(seed: int) -> None:
    both = pair(seed)
    old, new = both.documents.values()
    expected = set()
    for state in both.both:
        for event in options(both.old, state).keys() & options(both.new, state).keys():
            pairs = (
                (own_target(old, state, event), global_target(new, state, event)),
                (global_target(old, state, event), own_target(new, state, event)),
            )
            for before, after in pairs:
                if before is not None and after is not None and before != after:
                    expected.add((state, event, before, after))
    told = set()
    for one in both.of(MeaningKind.LEADS):
        shows = one.shows
        told |= {(where["state"], where["event"], shows["old"], shows["new"]) for where in shows["where"]}
        assert both.arrives(one) == (shows["new"], shows["where"][0]["state"])
    assert told == expected


@given(SEEDS)
@settings(max_examples=100)
def test_which_trigger_fires_first(seed: int) -> None:
    both = pair(seed)

    def target(player: Player, state: str, context: Json) -> str | None:
        fired = player.trigger((state, None), context)
        return None if fired is None else fired[1]

    expected = set()
    for state in both.both:
        for context in CONTEXTS:
            ends = (target(both.old, state, context), target(both.new, state, context))
            if ends[0] != ends[1]:
                expected.add((state, *ends))
    told = set()
    for one in both.of(MeaningKind.TRIGGER):
        state, context = one.shows["state"], one.shows["context"]
        assert target(both.old, state, context) == one.shows["old"]
        assert target(both.new, state, context) == one.shows["new"]
        told.add((state, one.shows["old"], one.shows["new"]))
        assert both.arrives(one)[0] == (one.shows["new"] or state)
    assert told == expected


@given(SEEDS)
@settings(max_examples=100)
def test_which_events_are_offered(seed: int) -> None:
    both = pair(seed)

    def fires_always(player: Player, state: str) -> bool:
        return all(player.trigger((state, None), context) is not None for context in CONTEXTS)

    expected = {
        (state, not fires_always(both.new, state))
        for state in both.both
        if fires_always(both.new, state) != fires_always(both.old, state)
        and options(both.old, state).keys() & options(both.new, state).keys()
    }
    assert {(one.shows["state"], one.shows["offered"]) for one in both.of(MeaningKind.OFFERED)} == expected
    for one in both.of(MeaningKind.OFFERED):
        place = both.arrives(one)
        assert place[0] == one.shows["state"]
        assert all(event in options(both.new, place[0]) for event in one.shows["events"])


@given(SEEDS)
@settings(max_examples=100)
def test_where_events_can_be_applied_that_are_global_or_have_no_target(seed: int) -> None:
    both = pair(seed)
    everywhere = {
        one["event"] for document in both.documents.values() for one in document.get("global_transitions", ())
    }
    expected = set()
    sides = ((both.new, both.old, both.places[1], "new"), (both.old, both.new, both.places[0], "old"))
    for there, elsewhere, places, version in sides:
        for state in both.both:
            for event in everywhere | null_events(both.documents[version], state):
                leads = any(event in there.moves(place) for place in places if place[0] == state)
                if leads and event not in options(elsewhere, state):
                    expected.add((version, event, state))
    found = both.of(MeaningKind.EVENT)
    assert {(o.shows["version"], o.shows["event"], s) for o in found for s in o.shows["states"]} == expected
    for one in found:
        both.arrives(one)
        last = one.shows["path"][-1]
        assert (last["by"], last["from"]) == (one.shows["event"], one.shows["states"][0])


@given(SEEDS)
@settings(max_examples=100)
def test_which_events_are_judgments(seed: int) -> None:
    both = pair(seed)
    expected = {
        (event, state, option["judgment"])
        for state in both.both
        for event, option in options(both.new, state).items()
        if event in options(both.old, state)
        and options(both.old, state)[event]["judgment"] != option["judgment"]
    }
    found = both.of(MeaningKind.JUDGMENT)
    told = {(o.shows["event"], s, o.shows["judgment"]) for o in found for s in o.shows["states"]}
    assert told == expected
    for one in found:
        if one.shows["path"] is not None:
            both.arrives(one)
            assert one.shows["path"][-1]["by"] == one.shows["event"]


@given(SEEDS)
@settings(max_examples=60)
def test_where_projects_begin(seed: int) -> None:
    both = pair(seed)
    was, now = both.old.begin[0], both.new.begin[0]
    found = both.of(MeaningKind.START)
    assert len(found) == (was != now)
    for one in found:
        comes = any(state == was for state, _ in both.places[1])
        assert (one.shows["path"] is not None) is comes
        assert comes is ("which they come to" in one.message)
        if comes:
            assert both.arrives(one)[0] == was


def joined(player: Player, names: set[str]) -> set[tuple[str, str]]:
    """The pairs of states of which projects that are in the first can come to the second."""
    pairs = set()
    for source in names:
        reached = player.nearest(player.situations(source))
        pairs |= {(source, target) for target in names & reached.keys() if source != target}
    return pairs


@given(SEEDS)
@settings(max_examples=60)
def test_which_paths_are_possible(seed: int) -> None:
    """Each path told joins states that the other version doesn't, and is a shortest one; none is told only
    where there is none.
    """
    both = pair(seed)
    names = set(both.old.workflow.states) & set(both.new.workflow.states)
    before, after = joined(both.old, names), joined(both.new, names)
    kinds = (
        (MeaningKind.PATH_POSSIBLE, after - before, both.old),
        (MeaningKind.PATH_IMPOSSIBLE, before - after, both.new),
    )
    for kind, differing, without in kinds:
        expected = {ends for ends in differing if without.situations(ends[0])}
        told = {(one.shows[0]["from"], one.shows[-1]["to"]) for one in both.of(kind)}
        assert told <= expected
        assert bool(told) is bool(expected)
        there = both.new if kind is MeaningKind.PATH_POSSIBLE else both.old
        for one in both.of(kind):
            needed = one.shows[0].get("previous_state")
            begins = there.situations(one.shows[0]["from"])
            able = [place for place in begins if needed is None or place[1] == needed]
            assert able
            assert all(there.follows(place, one.shows) is not None for place in able)
            assert len(one.shows) == there.nearest(begins)[one.shows[-1]["to"]]


@given(SEEDS)
@settings(max_examples=60)
def test_which_states_can_be_passed_by(seed: int) -> None:
    both = pair(seed)
    reached = {state for state, _ in both.places[0]}
    expected = set()
    for state in reached - {both.old.begin[0], both.new.begin[0]}:
        round_before = both.old.nearest([both.old.begin], [state])
        round_now = both.new.nearest([both.new.begin], [state])
        if any(goal in round_now and goal not in round_before for goal in reached):
            expected.add((state, state not in both.new.workflow.states))
    found = [one.message.partition(":")[0] for one in both.of(MeaningKind.GATE_PASSED_BY)]
    told = [message.rpartition("without `")[2].partition("`") for message in found]
    assert {(state, rest == ", which is gone") for state, _, rest in told} == expected


def finals(player: Player, document: Json) -> set[str]:
    """States that are never left: no null target, and nothing leads to another state."""
    return {
        state
        for state in document["states"]
        if not null_events(document, state) and set(player.moves((state, None)).values()) <= {state}
    }


def fates(both: Pair, place: Place) -> set[Fate]:
    """What becomes of a project in a situation, by trying all."""
    state, previous = place
    documents = both.documents
    now = (state, previous if previous in both.new.workflow.states else None)
    moves = (both.old.moves(place), both.new.moves(now))
    if any(target != state for target in moves[0].values()) and set(moves[1].values()) <= {state}:
        return {Fate.STUCK}
    found = set()
    ends = {one for one, _ in both.old.distances([place])} & finals(both.old, documents["old"])
    if ends and not ends & {one for one, _ in both.new.distances([now])}:
        found.add(Fate.ENDLESS)
    resumes = null_events(documents["new"], state)
    if any(event in moves[0] and event not in moves[1] for event in resumes):
        found.add(Fate.FORGETS)
    return found


@given(SEEDS)
@settings(max_examples=150)
def test_what_becomes_of_projects(seed: int) -> None:
    both = pair(seed)
    places = both.places[0]
    verdicts = {one.name: one for one in both.going_on}
    assert verdicts.keys() == {state for state, _ in places}
    for state, verdict in verdicts.items():
        if state not in both.new.workflow.states:
            assert verdict.fate is Fate.GONE
            continue
        expected = {fate for place in places if place[0] == state for fate in fates(both, place)}
        worst = next((f for f in (Fate.STUCK, Fate.ENDLESS, Fate.FORGETS) if f in expected), Fate.GOES_ON)
        assert verdict.fate is worst
        reason = verdict.reason or ""
        assert (Fate.STUCK in expected) is ("no way leads out any more" in reason)
        assert (Fate.ENDLESS in expected) is ("can't come to" in reason)
        assert (Fate.FORGETS in expected) is ("leads nowhere" in reason)
