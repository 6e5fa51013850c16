"""Many questions asked together have the answers that each has alone."""

from __future__ import annotations

import pytest

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.proof.solver import Base, Query
from stratumc.proof.terms import Terms
from support.examples import EXAMPLES, example_id
from support.small_flows import load

CHOICES = """\
version: 1
contracts: {Text: {text: string, kind: a|b|c, n: integer}}
flows:
  entry: main
  main:
    input: {n: integer, fast: boolean}
    output: {from: "${first.output}", contract: Text}
    steps:
      - {id: first, do: go, out: Text, ensure: [{expr: result.n > input.n}]}
      - {id: one, after: [first], when: input.n == 1, do: go, out: Text}
      - {id: two, after: [one], when: input.n == 2, do: go, out: Text}
      - {id: never, after: [two], when: input.n == 2 && result.first.n < 2, do: go}
      - {id: chosen, after: [two], when: result.two.kind == 'b' && input.fast, do: go}
      - {id: ask, after: [chosen], gate: {on_approve: yes, on_kill: no, on_revise: null}}
      - {id: "yes", do: go}
      - {id: "no", when: result.one.n > 3, do: go}
      - {id: both, after: [two], when: result.one.n > 3 && result.two.n > 3, do: go}
      - {id: third, after: [first], when: input.n / 3 == 0.1 + 0.2, do: go}
"""


def _flow(text: str) -> FlowFacts:
    spec = load(text)
    return ProofFacts(SpecFacts(spec)).flows[spec.entry]


def _alone(text: str) -> list[str]:
    """The steps that some run was found to run, each asked of a prover of its own."""
    names = _flow(text).graph.ids
    found = []
    for index, name in enumerate(names):
        prover = _flow(text).prover
        if prover.possible(prover.model.owners(index), prover.model.steps[index].runs) is not None:
            found.append(name)
    return found


def _together(text: str) -> list[str]:
    prover = _flow(text).prover
    ids = prover.model.graph.ids
    shown = prover.shown([prover.model.steps[index].runs for index in range(len(ids))])
    return [name for index, name in enumerate(ids) if index in shown]


def test_choices_that_exclude_each_other_are_all_shown() -> None:
    assert _together(CHOICES) == ["first", "one", "two", "chosen", "ask", "yes", "no"]


@pytest.mark.parametrize(
    "text",
    [CHOICES, *(path.read_text("utf-8") for path in EXAMPLES if path.name.endswith(".stratum.yaml"))],
    ids=["choices", *(example_id(path) for path in EXAMPLES if path.name.endswith(".stratum.yaml"))],
)
def test_what_is_shown_together_is_possible_alone(text: str) -> None:
    assert _together(text) == _alone(text)


def test_a_base_is_left_as_it_was() -> None:
    terms = Terms()
    number, small, large = (
        terms.integer_variable("n"),
        terms.boolean_variable("s"),
        terms.boolean_variable("l"),
    )
    base = Base([small == (number < 3), large == (number > 5)])
    assert Query(base, assumed=[small, large]).unsatisfiable
    query = Query(base, assumed=[small])
    assert query.satisfiable
    assert query.number(number) < 3
    assert Query(base, assumed=[large]).satisfiable
    assert Query(base, limit=0, assumed=[large]).unsatisfiable is False
