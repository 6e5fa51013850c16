"""Paths of small random flows: each is one that a run takes, and one is told whenever there is a run."""

from __future__ import annotations

from typing import Any

import pytest

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.proof.flow_witness import described
from stratumc.review.paths.flow_paths import FoundPath, NoPath, PathFinder
from stratumc.spec.syntax import Set
from support.simulated_runs import Simulated, comes_to, hops, json_of, orders, simulate
from support.small_flows import Played, Writer, load, rounds


def facts_of(text: str) -> FlowFacts:
    return ProofFacts(SpecFacts(load(text))).flows["main"]


def kinds_of_rounds(facts: FlowFacts, played: list[Played]) -> list[dict[str, Any]]:
    """One of the rounds of each kind, as a witness."""
    kinds: dict[Any, Played] = {}
    for one in played:
        killed = one.scenario.killed & one.round.ran
        key = (*map(frozenset, (one.round.ran, one.round.succeeded, one.round.failed)), killed)
        kinds.setdefault(key, one)
    model = facts.prover.model
    return [described(model, one.scenario, one.round) for one in kinds.values()]


def assert_taken(text: str, facts: FlowFacts, path: FoundPath, goal: str, avoid: frozenset[str]) -> None:
    """That some order of calls takes the path."""
    if not path.rounds:
        assert facts.is_plain
        return
    document, ids = json_of(text), facts.graph.ids
    runs = [one.to_dict(facts) for one in path.rounds]
    gates = [hop.source for hop in path.hops if hop.outcome == "revise"]
    for order in orders(ids, 40):
        seen = simulate(document, list(zip(runs, [*gates, None], strict=True)), order, avoid)
        if len(seen) == len(runs) and is_taken(facts, path, seen, goal, avoid):
            return
    raise AssertionError((path, runs))


def is_taken(
    facts: FlowFacts, path: FoundPath, seen: list[Simulated], goal: str, avoid: frozenset[str]
) -> bool:
    number = 0
    for hop in path.hops:
        one = seen[number]
        if hop.outcome == "revise":
            number += 1
            if hop.target not in seen[number].began:
                return False
            continue
        is_led = hop.target in hops(facts.flow, one)[hop.source]
        if not is_led or one.outcome[hop.source] != hop.outcome:
            return False
        if any(one.outcome.get(name) != "skipped" for name in hop.over):
            return False
    last = seen[-1]
    if goal not in last.began:
        return False
    ran = [name for name in avoid if name in last.began and name in last.ended]
    before = [name for one in seen[:-1] for name in one.began if name in one.ended]
    return all(last.ended[name] > last.began[goal] for name in ran) and not avoid.intersection(before)


def fails_at_once(facts: FlowFacts, path: FoundPath | NoPath, goal: int) -> bool:
    """Whether a path leads to a `set` that fails in each run, and ends it: no simulated run shows it."""
    is_set = isinstance(facts.flow.steps[goal].body, Set)
    return is_set and isinstance(path, FoundPath) and goal in path.rounds[-1].played.failed


@pytest.mark.parametrize("seed", range(40))
def test_a_path_is_told_whenever_a_run_takes_one(seed: int) -> None:
    text = Writer(seed).text()
    facts = facts_of(text)
    played = rounds(facts.flow, 4_000)
    if played is None:
        return
    document, ids = json_of(text), facts.graph.ids
    index, runs = facts.graph.index, kinds_of_rounds(facts, played)
    # a `set` runs the moment that it can, whatever else could run then: nothing tells what came first
    tasks = [step.id for step in facts.flow.steps if not isinstance(step.body, Set)]
    for avoided in (None, *tasks):
        avoid = frozenset(() if avoided is None else (avoided,))
        all_seen = [
            simulate(document, [(run, None)], order, avoid)[0]
            for run in runs
            for order in orders(ids, 2, seed)
        ]
        leading = [hops(facts.flow, seen) for seen in all_seen]
        for start in (None, *ids):
            comes = set().union(
                *(comes_to(led, seen, start, avoid) for led, seen in zip(leading, all_seen, strict=True))
            )
            finder = PathFinder(
                facts, None if start is None else index[start], frozenset(index[name] for name in avoid)
            )
            for goal in ids:
                path = finder.path(index[goal])
                if fails_at_once(facts, path, index[goal]):
                    continue
                assert isinstance(path, FoundPath) == (goal in comes), (seed, start, goal, avoided, path)
                if isinstance(path, FoundPath):
                    assert_taken(text, facts, path, goal, avoid)


@pytest.mark.parametrize("seed", range(40))
def test_paths_over_revises_are_taken_by_a_run(seed: int) -> None:
    text = Writer(seed, revises=True).text()
    facts = facts_of(text)
    index = facts.graph.index
    for start in facts.graph.ids:
        for goal in facts.graph.ids:
            path = PathFinder(facts, index[start], frozenset()).path(index[goal])
            if isinstance(path, FoundPath) and not fails_at_once(facts, path, index[goal]):
                assert_taken(text, facts, path, goal, frozenset())
