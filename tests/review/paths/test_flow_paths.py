"""Claims on runs of flows: decided as trying every round does."""

from __future__ import annotations

import pytest

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.proof.results import Proved, Refuted
from stratumc.review.paths.flow_must_pass import flow_must_pass
from stratumc.spec.syntax import Gate
from support.small_flows import Writer, rounds
from support.small_flows import load as load_flow


@pytest.mark.parametrize("seed", range(0, 60))
def test_flows_agree_with_every_round(seed: int) -> None:
    text = Writer(seed).text()
    spec = load_flow(text)
    flow = spec.flows["main"]
    played = rounds(flow, 4_000)
    if played is None:
        return
    facts = ProofFacts(SpecFacts(spec)).flows["main"]
    for goal in flow.steps:
        for passed in flow.steps:
            if passed.index == goal.index:
                continue
            result = flow_must_pass(facts, None, goal.index, passed.index)
            ways_round = [
                one
                for one in played
                if goal.index in one.round.ran
                and not (
                    facts.graph.is_before(passed.index, goal.index)
                    and passed.index in one.round.done
                    and passed.index in one.round.ran
                    and passed.index not in one.round.failed
                    and not (isinstance(passed.body, Gate) and passed.index in one.scenario.killed)
                )
            ]
            if isinstance(result, Proved):
                assert ways_round == [], (seed, goal.id, passed.id)
            elif isinstance(result, Refuted):
                assert ways_round != [], (seed, goal.id, passed.id)
