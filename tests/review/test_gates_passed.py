"""Gates passed by every run of each step: what `stratumc path` says of any two steps, and no more."""

from __future__ import annotations

import pytest

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.review.flow_questions import flow_path
from stratumc.review.gates_passed import GatesPassed, gates_passed
from support.pictures import FINDINGS
from support.small_flows import Writer, load

GATED = """\
version: 1
contracts:
  Page: {url: string}
flows:
  entry: main
  main:
    input: {is_patch: boolean}
    output: {from: "${publish.output}", contract: Page}
    max_rounds: 2
    steps:
      - {id: draft, do: Draft}
      - {id: plain, after: [draft], gate: {on_approve: null, on_revise: draft, on_kill: null}}
      - id: maybe
        after: [draft]
        when: "!input.is_patch"
        gate: {on_approve: null, on_revise: null, on_kill: null}
      - {id: announce, after: [maybe], when: "!input.is_patch", do: Announce}
      - {id: publish, after: [plain, announce], do: Publish, out: Page}
"""


def gates_of(text: str, **options: int) -> GatesPassed:
    return gates_passed(ProofFacts(SpecFacts(load(text))).flows["main"], **options)


def test_the_graph_and_the_prover_are_asked() -> None:
    found = gates_of(GATED)
    assert found.before == ((), (), (), (2,), (1, 2))
    assert found.passed == ((), (), (), (2,), (1,))
    assert found.is_complete


def test_without_a_prover_what_the_graph_shows_is_left() -> None:
    found = gates_of(GATED, most_asked=0)
    assert found.passed == ((), (), (), (), (1,))
    assert not found.is_complete
    assert gates_of(GATED, most_asked=2).is_complete


@pytest.mark.parametrize("text", [GATED, FINDINGS, *(Writer(seed).text() for seed in range(30))])
def test_of_two_steps_it_says_what_path_says(text: str) -> None:
    spec = load(text)
    facts = ProofFacts(SpecFacts(spec)).flows[spec.entry]
    ids, found = facts.graph.ids, gates_passed(facts)
    for goal, name in enumerate(ids):
        told = {ids[gate] for gate in found.passed[goal]}
        path = flow_path(spec, None, None, name)
        assert path.hops is None or told == set(path.passes)
        for start, begin in enumerate(ids):
            path = flow_path(spec, None, begin, name)
            if path.hops is not None and start != goal:
                both = told | {ids[gate] for gate in found.passed[start] if gate in found.before[goal]}
                assert both - {begin, name} <= set(path.passes)
