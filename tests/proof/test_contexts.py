"""A few representative contexts stand for all, and the solver agrees with them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.proof import triggers
from stratumc.proof.contexts import Representatives, Unresolved, holds, look_up
from stratumc.proof.results import Proved, Refuted
from stratumc.proof.triggers import TriggerTable, circles_in, loops
from stratumc.proof.truth_patterns import truth_patterns
from stratumc.workflow.syntax import Compare, Comparison, ContextPath, Number
from support.random_triggers import THRESHOLDS, condition, context, trigger

SEEDS = st.integers(0, 10**6)


@settings(max_examples=150)
@given(SEEDS, st.integers(1, 3))
def test_every_context_agrees_with_a_representative(seed: int, count: int) -> None:
    pick = random.Random(seed)
    conditions = [condition(pick) for _ in range(count)]
    contexts = Representatives(conditions, THRESHOLDS)
    if contexts.count > 3000:
        return
    listed = list(contexts)
    assert len(listed) == contexts.count
    patterns = {tuple(holds(one, made, THRESHOLDS) for one in conditions) for made in listed}
    for _ in range(40):
        made = context(pick)
        assert tuple(holds(one, made, THRESHOLDS) for one in conditions) in patterns, made


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 3))
def test_the_solver_answers_as_the_representatives_do(seed: int, count: int) -> None:
    pick = random.Random(seed)
    made = [trigger(pick, f"t{number}") for number in range(count)]
    everything = (1 << count) - 1
    if Representatives([one.condition for one in made], THRESHOLDS).count > 3000:
        return
    table = TriggerTable(made, THRESHOLDS)
    for true in range(1 << count):
        tried = table.no_context(true, everything & ~true)
        asked = table._ask(true, everything & ~true)
        assert type(tried) is type(asked), (seed, true, tried, asked)
        for result in (tried, asked):
            if isinstance(result, Refuted):
                pattern = [holds(one.condition, result.witness, THRESHOLDS) for one in made]
                assert pattern == [bool(true >> index & 1) for index in range(count)]


@settings(max_examples=40)
@given(SEEDS)
def test_loops_are_those_that_contexts_show(seed: int) -> None:
    pick = random.Random(seed)
    names = ["a", "b", "c"]
    group = {name: [trigger(pick, pick.choice(names)) for _ in range(pick.randint(0, 2))] for name in names}
    conditions = [one.condition for listed in group.values() for one in listed]
    contexts = Representatives(conditions, THRESHOLDS)
    if contexts.count > 3000:
        return
    tried = list(triggers._loops_tried(group, THRESHOLDS, contexts))
    asked = list(triggers._loops_asked(group, THRESHOLDS, conditions))
    for loop in (*tried, *asked):
        assert loop.steps in list(circles_in(group, loop.context, THRESHOLDS))
    assert {frozenset(state for state, _ in loop.steps) for loop in tried} == {
        frozenset(state for state, _ in loop.steps) for loop in asked
    }
    seen = {frozenset(state for state, _ in loop.steps) for loop in loops(group, THRESHOLDS)}
    for _ in range(60):
        made = context(pick)
        for steps in circles_in(group, made, THRESHOLDS):
            assert frozenset(state for state, _ in steps) in seen


@pytest.mark.parametrize(
    ("path", "made", "expected"),
    [
        (("n",), {}, 0),
        (("a", "n"), {"a": {}}, 0),
        (("a", "n"), {"a": {"n": "text"}}, "text"),
        (("a", "n"), {}, Unresolved()),
        (("a", "n"), {"a": 3}, Unresolved()),
        (("a", "b", "n"), {"a": {"b": {"n": 7}}}, 7),
    ],
)
def test_look_ups(path: tuple[str, ...], made: dict[str, Any], expected: object) -> None:
    assert look_up(path, made) == expected


@pytest.mark.parametrize("operator", list(Comparison))
def test_a_string_compares_only_by_equality(operator: Comparison) -> None:
    one = Compare(ContextPath(("x",)), operator, Number(0))
    assert holds(one, {"x": "text"}, {}) == (operator is Comparison.NOT_EQUAL)


def test_nothing_fires_when_a_parent_is_missing() -> None:
    for operator in Comparison:
        one = Compare(ContextPath(("a", "x")), operator, Number(0))
        assert not holds(one, {}, {})


def test_many_paths_go_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triggers, "CONTEXT_LIMIT", 0)
    below = Compare(ContextPath(("counters", "n")), Comparison.LESS, Number(0))
    one = trigger(random.Random(0), "t")
    table = TriggerTable([type(one)("n < 0", below, "t", None, None, one.at)], {})
    assert isinstance(table.never_fires[0], Proved)


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 4))
def test_patterns_by_groups_are_those_of_all_together(seed: int, count: int) -> None:
    pick = random.Random(seed)
    conditions = [condition(pick) for _ in range(count)]
    contexts = Representatives(conditions, THRESHOLDS)
    if contexts.count > 3000:
        return
    numbered = list(enumerate(conditions))
    whole = {sum(holds(one, made, THRESHOLDS) << place for place, one in numbered) for made in contexts}
    grouped = truth_patterns(conditions, THRESHOLDS, 3000)
    assert grouped is not None
    assert set(grouped) == whole
    for pattern, made in grouped.items():
        assert pattern == sum(holds(one, made, THRESHOLDS) << place for place, one in enumerate(conditions))
