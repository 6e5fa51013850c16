"""Paths where ways on depend on the state before: told are those that a project can take, and when."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

import stratumc
from stratum_runtime.workflow import ANY, PathQuestion
from support.workflow_player import Json, Player
from support.workflows_random import busy_workflow

PAUSING: Json = {
    "initial_state": "idle",
    "states": {
        "idle": {"transitions": [{"event": "go", "target": "work"}, {"event": "resume", "target": None}]},
        "work": {
            "transitions": [{"event": "pause", "target": "idle"}, {"event": "done", "target": "review"}]
        },
        "review": {"transitions": [{"event": "ok", "target": "closed"}]},
        "closed": {},
        "lost": {"transitions": [{"event": "found", "target": "idle"}, {"event": "resume", "target": None}]},
    },
    "resumption_targets": {"work": "work", "review": "review", "lost": "closed"},
}


def explain(document: Json, start: str | None = None, goal: str | None = None) -> Json:
    return stratumc.explain_path(json.dumps(document), start, goal).answer


def test_what_no_project_can_resume_is_no_way() -> None:
    """`review` has an entry, but nothing leads from it to `idle`; `lost` leads there and is never entered."""
    answer = explain(PAUSING, "idle", "closed")
    assert [hop["event"] for hop in answer["path"]] == ["go", "done", "ok"]
    assert "when_previous_state" not in answer
    assert "note" not in answer


def test_what_depends_on_the_state_before_is_told_so() -> None:
    document = {**PAUSING, "resumption_targets": {"work": "review"}}
    answer = explain(document, "idle", "closed")
    assert [hop["event"] for hop in answer["path"]] == ["resume", "ok"]
    assert answer["when_previous_state"] == "work"
    assert explain(document, "idle")["reachable"] == [
        {"state": "work", "distance": 1},
        {"state": "review", "distance": 1, "when_previous_state": "work"},
        {"state": "closed", "distance": 2, "when_previous_state": "work"},
    ]
    begun = explain(document, None, "closed")
    assert [hop["event"] for hop in begun["path"]] == ["go", "done", "ok"]
    assert "when_previous_state" not in begun


def test_later_on_the_path_itself_says_what_was_before() -> None:
    document = {**PAUSING, "resumption_targets": {"work": "closed"}}
    document["states"] = {**PAUSING["states"], "review": {}}
    answer = explain(document, "work", "closed")
    assert [(hop["event"], hop.get("previous_state")) for hop in answer["path"]] == [
        ("pause", None),
        ("resume", "work"),
    ]
    assert "when_previous_state" not in answer


def test_a_start_that_no_project_comes_to_is_told_so() -> None:
    answer = explain(PAUSING, "lost", "closed")
    assert [hop["event"] for hop in answer["path"]] == ["found", "resume"]
    assert answer["note"] == (
        "no way is known from the initial state `idle` to `lost`: "
        "this is for a project that is put there, with no state before"
    )
    only = {**PAUSING, "resumption_targets": {"lost": "lost"}}
    assert explain(only, "idle", "lost")["reasons"] == [
        "event `resume` leads to it only when the state before was `lost`"
    ]


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_every_path_is_one_that_a_project_can_take_and_the_shortest(seed: int) -> None:
    """Against a search that tries every event and context on the runtime, in every situation."""
    pick = random.Random(seed)
    player = Player(busy_workflow(pick))
    states = list(player.workflow.states)
    for start in states:
        begins = player.situations(start) or [(start, None)]
        avoid = tuple(pick.sample(states, pick.choice((0, 0, 1))))
        nearest = player.nearest(begins, avoid)
        for goal in states:
            answer = player.explainer.answer(PathQuestion(start, ANY, goal, {}, avoid))
            assert ("note" in answer) is (not player.situations(start))
            if answer["path"] is None:
                assert goal not in nearest
                continue
            assert len(answer["path"]) == answer["length"] == nearest[goal]
            assert not any(hop["to"] in avoid for hop in answer["path"])
            needed = answer.get("when_previous_state")
            able = [place for place in begins if needed is None or place[1] == needed]
            assert able
            for place in able:
                after = player.walks(place, answer["path"])
                assert after is not None
                assert after[0] == goal
            if needed is not None:
                assert player.nearest([(start, None)], avoid).get(goal) != nearest[goal]


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_what_is_reachable_is_told_with_its_distance_and_on_what_it_depends(seed: int) -> None:
    pick = random.Random(seed)
    player = Player(busy_workflow(pick))
    states = list(player.workflow.states)
    for start in states:
        begins = player.situations(start) or [(start, None)]
        avoid = tuple(pick.sample(states, pick.choice((0, 0, 1))))
        nearest = player.nearest(begins, avoid)
        nearest.pop(start, None)
        answer = player.explainer.answer(PathQuestion(start, ANY, None, {}, avoid))
        told = {one["state"]: one["distance"] for one in answer["reachable"]}
        assert told == nearest
        assert set(answer["unreachable"]) == set(states) - set(told) - {start}
        for one in answer["reachable"]:
            needed = one.get("when_previous_state")
            for place in begins:
                if needed is None or place[1] == needed:
                    assert player.nearest([place], avoid)[one["state"]] == one["distance"]
            if needed is not None:
                assert player.nearest([(start, None)], avoid).get(one["state"]) != one["distance"]


@given(st.integers(0, 10_000))
@settings(max_examples=40)
def test_from_where_a_project_stands_its_own_state_before_decides(seed: int) -> None:
    player = Player(busy_workflow(random.Random(seed)))
    for place in player.distances([player.begin]):
        nearest = player.nearest([place])
        for goal in player.workflow.states:
            answer = player.explainer.answer(PathQuestion(place[0], place[1], goal, {}, ()))
            assert (answer["path"] is not None) is (goal in nearest)
            assert "when_previous_state" not in answer
            if answer["path"] is not None:
                assert len(answer["path"]) == nearest[goal]
                assert player.walks(place, answer["path"]) is not None
