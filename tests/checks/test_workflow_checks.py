"""What the workflow proofs report: at which place, with which witness, and when they keep silent."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc import check
from stratumc.proof.contexts import holds
from stratumc.workflow.conditions import ParsedCondition, parse_condition
from stratumc.workflow.syntax import Condition
from support.random_triggers import THRESHOLDS, context

Json = dict[str, Any]


def workflow(states: Json, **more: Any) -> str:
    return json.dumps({"name": "w", "initial_state": next(iter(states)), "states": states, **more})


def event(name: str, target: str | None, **more: Any) -> Json:
    return {"event": name, "target": target, **more}


def rows(text: str) -> list[tuple[str, str, str]]:
    result = check(text, kind="workflow")
    return [(one.code, one.severity, one.path) for one in result.diagnostics]


def desk(*triggers: tuple[str, str], **more: Any) -> str:
    """A state with triggers between a start and three other states, all of which lead back."""
    back = {"transitions": [event("back", "start")]}
    states = {
        "start": {"transitions": [event(f"to-{name}", name) for name in ("desk", "red", "blue", "green")]},
        "desk": {
            "triggers": [{"condition": condition, "target": target} for condition, target in triggers],
            "transitions": [event("leave", "start")],
        },
        "red": back,
        "blue": back,
        "green": back,
    }
    return workflow(states, **more)


@pytest.mark.parametrize(
    ("triggers", "expected"),
    [
        ([("counters.n < 0", "red")], ["TRIGGER_NEVER_FIRES"]),
        ([("plain.n < 0", "red")], []),
        ([("counters.n == plain.x", "red")], []),
        ([("a.b == 1", "red"), ("a.b.c == 1", "blue")], []),
        ([("counters.n >= 3", "red"), ("counters.n >= 5", "blue")], ["TRIGGER_SHADOWED"]),
        ([("counters.n >= 5", "red"), ("counters.n >= 3", "blue")], []),
        ([("counters.n < 0", "red"), ("counters.n < 0", "blue")], ["TRIGGER_NEVER_FIRES"] * 2),
        ([("counters.n > 3", "red"), ("counters.n > 3", "red")], ["TRIGGER_SHADOWED"]),
        ([("x.a != 3", "red"), ("x.a >= 3", "blue")], ["TRIGGER_OVERLAP"]),
        ([("x.a == x.b", "red"), ("x.b == x.c", "blue")], ["TRIGGER_OVERLAP"]),
        ([("always", "red"), ("always", "blue")], ["TRIGGER_BLOCKS_EVENTS", "TRIGGER_SHADOWED"]),
        ([("counters.n >= 0", "red")], []),
        ([("always", "desk")], ["TRIGGER_BLOCKS_EVENTS", "TRIGGER_LOOP"]),
    ],
)
def test_triggers_of_one_state(triggers: list[tuple[str, str]], expected: list[str]) -> None:
    assert sorted(code for code, _, _ in rows(desk(*triggers))) == expected


def test_an_overlap_points_at_both_and_shows_values() -> None:
    result = check(desk(("counters.n >= 3", "red"), ("counters.m >= 5", "blue")), kind="workflow")
    (found,) = result.diagnostics
    assert found.path == "states.desk.triggers[1].condition"
    assert found.witness == {"context": {"counters": {"n": 3, "m": 5}}}
    assert "when `counters.n` is 3 and `counters.m` is 5" in found.message
    assert len(found.related) == 1


def test_an_overlap_behind_an_earlier_trigger_is_none() -> None:
    """Where an earlier trigger fires, the order of the later ones decides nothing."""
    triggers = (("x.a >= 1", "green"), ("x.a >= 3", "red"), ("x.a == 2", "blue"))
    assert "TRIGGER_OVERLAP" not in [code for code, _, _ in rows(desk(*triggers))]


def test_a_loop_is_reported_once_with_its_way_and_values() -> None:
    states = {
        "north": {"triggers": [{"condition": "counters.n >= 2", "target": "east"}]},
        "east": {"triggers": [{"condition": "counters.m < 4", "target": "south"}]},
        "south": {"triggers": [{"condition": "counters.n <= 2", "target": "north"}]},
    }
    found = [
        one for one in check(workflow(states), kind="workflow").diagnostics if one.code == "TRIGGER_LOOP"
    ]
    assert [one.witness for one in found] == [
        {"context": {"counters": {"n": 2, "m": 0}}, "states": ["north", "east", "south"]}
    ]
    assert found[0].severity == "error"


def test_first_match_keeps_a_loop_from_closing() -> None:
    states = {
        "a": {
            "triggers": [{"condition": "counters.n >= 1", "target": "b"}],
            "transitions": [event("x", "c")],
        },
        "b": {
            "triggers": [
                {"condition": "counters.n >= 1", "target": "c"},
                {"condition": "counters.n >= 0", "target": "a"},
            ],
            "transitions": [event("x", "c")],
        },
        "c": {"transitions": [event("again", "a")]},
    }
    assert "TRIGGER_LOOP" not in [code for code, _, _ in rows(workflow(states))]


def entangled(pick: random.Random) -> str:
    """A workflow whose loops only the solver can decide: triggers that compare many paths."""
    paths, names = [f"task.k{number}" for number in range(5)], [f"s{number}" for number in range(6)]
    states = {}
    for number, name in enumerate(names):
        triggers = []
        for _ in range(3):
            left, right = pick.sample(paths, 2)
            condition = f"{left} {pick.choice(('>', '<', '>=', '!='))} {right}"
            triggers.append({"condition": condition, "target": pick.choice(names)})
        states[name] = {"triggers": triggers, "transitions": [event("e", names[number - 1])]}
    return workflow(states)


def test_what_is_found_does_not_depend_on_what_was_checked_before() -> None:
    """The witnesses of the solver too, within one process."""
    texts = [entangled(random.Random(seed)) for seed in range(3)]
    once = [[one.to_dict() for one in check(text, kind="workflow").diagnostics] for text in texts]
    assert any(one["code"] == "TRIGGER_LOOP" for found in once for one in found)
    for text, found in reversed(list(zip(texts, once, strict=True))):
        assert [one.to_dict() for one in check(text, kind="workflow").diagnostics] == found


def test_unreachable_states_and_what_leads_to_states() -> None:
    states = {
        "home": {"transitions": [event("go", "work")]},
        "work": {
            "triggers": [{"condition": "counters.n < 0", "target": "dead"}],
            "transitions": [event("end", "home")],
        },
        "dead": {"transitions": [event("back", "home")]},
        "beyond": {"transitions": [event("back", "home")]},
        "lent": {"transitions": [event("back", "home")]},
    }
    text = workflow(
        states,
        global_transitions=[{"event": "resume", "target": None, "except": ["home"]}],
        resumption_targets={"home": "lent"},
    )
    found = rows(text)
    unreachable = [path for code, _, path in found if code == "STATE_UNREACHABLE"]
    assert unreachable == ["states.dead", "states.beyond"]
    assert [code for code, _, _ in found].count("RESUMPTION_MISSING") == 1


def test_the_way_to_a_missing_resumption_is_a_way() -> None:
    states = {
        "home": {"transitions": [event("go", "work")]},
        "work": {"transitions": [event("pause", "away"), event("end", "home")]},
        "away": {"transitions": [event("resume", None), event("drop", "home")]},
    }
    (found,) = check(workflow(states, resumption_targets={"home": "home"}), kind="workflow").diagnostics
    assert found.code == "RESUMPTION_MISSING"
    assert found.witness["previous"] == "work"
    at = "home"
    for hop in found.witness["path"]:
        assert hop["from"] == at
        assert event(hop["event"], hop["to"]) in states[at]["transitions"]
        at = hop["to"]
    assert at == "away"


@pytest.mark.parametrize(
    ("states", "more", "expected"),
    [
        ({"a": {"transitions": [event("go", "b")]}, "b": {}}, {}, ["STATE_NO_EXIT"]),
        ({"a": {"transitions": [event("stay", "a")]}}, {}, ["STATE_NO_EXIT"]),
        (
            {"a": {"transitions": [event("go", "b")]}, "b": {}},
            {"global_transitions": [{"event": "out", "target": "a", "except": ["a"]}]},
            [],
        ),
        (
            {
                "a": {"transitions": [event("go", "b", judgment=True)]},
                "b": {"transitions": [event("on", "a")]},
            },
            {},
            ["JUDGMENT_ALONE"],
        ),
        (
            {
                "a": {"transitions": [event("go", "b", judgment=True), event("no", "a", judgment=True)]},
                "b": {"transitions": [event("on", "a")]},
            },
            {},
            [],
        ),
        (
            {
                "a": {
                    "transitions": [event("go", "b", judgment=True)],
                    "triggers": [{"condition": "x.y > 1", "target": "b"}],
                },
                "b": {
                    "transitions": [event("on", "a", judgment=True)],
                    "triggers": [{"condition": "counters.n < 0", "target": "a"}],
                },
            },
            {},
            ["JUDGMENT_ALONE", "TRIGGER_NEVER_FIRES"],
        ),
        (
            {"a": {"transitions": [event("on", "b")]}, "b": {"transitions": [event("on", "a")]}},
            {"thresholds": {"t": 1}},
            ["THRESHOLD_UNUSED"],
        ),
    ],
)
def test_states(states: Json, more: Json, expected: list[str]) -> None:
    assert [code for code, _, _ in rows(workflow(states, **more))] == expected


PATHS = ("counters.n", "session_counters.m", "session_counters.k", "task.a", "task.b")


def random_condition(pick: random.Random) -> str:
    left, operator = pick.choice(PATHS), pick.choice((">=", "<=", ">", "<", "==", "!="))
    right = pick.choice((*PATHS, "thresholds.low", "thresholds.high", "-1", "0", "2", "2.5", "3"))
    return f"{left} {operator} {right}"


def condition_of(text: str) -> Condition:
    parsed = parse_condition(text)
    assert isinstance(parsed, ParsedCondition)
    return parsed.condition


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_findings_agree_with_many_contexts(seed: int) -> None:
    """No context contradicts what is reported, and what is reported with a witness happens there."""
    pick = random.Random(seed)
    texts = [random_condition(pick) for _ in range(pick.randint(2, 3))]
    targets = [pick.choice(("red", "blue")) for _ in texts]
    result = check(desk(*zip(texts, targets, strict=True), thresholds=THRESHOLDS), kind="workflow")
    conditions = [condition_of(text) for text in texts]
    patterns = [
        [holds(condition, made, THRESHOLDS) for condition in conditions]
        for made in (context(pick) for _ in range(150))
    ]
    for found in result.diagnostics:
        if not found.code.startswith("TRIGGER_"):
            continue
        index = int(found.path.split("[")[1].split("]")[0])
        match found.code:
            case "TRIGGER_NEVER_FIRES":
                assert not any(pattern[index] for pattern in patterns)
            case "TRIGGER_SHADOWED":
                assert all(any(pattern[:index]) for pattern in patterns if pattern[index])
            case "TRIGGER_OVERLAP":
                shown = [holds(one, found.witness["context"], THRESHOLDS) for one in conditions]
                assert shown[index]
                assert any(shown[first] and targets[first] != targets[index] for first in range(index))
