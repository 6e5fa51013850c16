"""Gates passed by every run of each step: what `stratumc path` says of any two steps, and no more."""

from __future__ import annotations

import pytest

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.review.paths.flow_questions import flow_path
from stratumc.review.paths.gates_passed import GatesPassed, gates_passed
from support.nested_gates import NESTED
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
    assert [gate.name for gate in found.gates] == ["plain", "maybe"]
    assert found.before == ((), (), (), (1,), (0, 1))
    assert found.passed == ((), (), (), (1,), (0,))
    assert found.is_complete


def test_without_a_prover_what_the_graph_shows_is_left() -> None:
    found = gates_of(GATED, most_asked=0)
    assert found.passed == ((), (), (), (), (0,))
    assert not found.is_complete


def test_gates_inside_other_flows_are_asked_about() -> None:
    found = gates_of(NESTED)
    names = [gate.name for gate in found.gates]
    assert names == ["plain.review", "deep.check", "shallow.check", "late"]
    assert [names[gate] for gate in found.passed[7]] == ["plain.review", "deep.check"]
    assert found.is_complete
    early = gates_of(NESTED, most_asked=0)
    assert [names[gate] for gate in early.passed[7]] == ["plain.review"]
    assert not early.is_complete


def test_two_steps_together_pass_what_none_of_them_does_alone() -> None:
    found = gates_of(NESTED)
    ids = ["plain", "deep", "shallow", "big", "late", "early", "either", "end"]
    told = {(ids[start], ids[goal], found.gates[gate].name) for start, goal, gate in found.together}
    assert ("early", "either", "shallow.check") in told
    assert ("big", "end", "late") in told
    assert ("early", "end", "late") not in told


@pytest.mark.parametrize("text", [GATED, NESTED, FINDINGS, *(Writer(seed).text() for seed in range(30))])
def test_of_two_steps_it_says_what_path_says(text: str) -> None:
    spec = load(text)
    facts = ProofFacts(SpecFacts(spec)).flows[spec.entry]
    ids, found = facts.graph.ids, gates_passed(facts)
    assert found.is_complete
    for goal, name in enumerate(ids):
        told = set(found.passed[goal])
        path = flow_path(spec, None, None, name)
        assert path.hops is None or {found.gates[gate].name for gate in told} == set(path.passes)
        for start, begin in enumerate(ids):
            path = flow_path(spec, None, begin, name)
            if path.hops is not None and start != goal:
                both = told | {gate for gate in found.passed[start] if gate in found.before[goal]}
                both |= {gate for one, other, gate in found.together if (one, other) == (start, goal)}
                passed = (found.gates[gate] for gate in both)
                names = {gate.name for gate in passed if gate.inside is not None or gate.step != start}
                assert names == set(path.passes), (begin, name)
