"""A flow that can't complete says where it stops, and which demands rule out to go on."""

from __future__ import annotations

import pytest

from stratumc import check
from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.checks.properties import spec_properties
from support.small_flows import load

HEAD = """\
version: 1
contracts:
  Out: {n: integer, text: string}
flows:
  entry: main
  main:
    input: {i: integer, p: boolean}
    output: {from: "${w.output}", contract: Out}
"""


def told(steps: str) -> tuple[str, list[tuple[str, str]]]:
    """The message, and each related place with the text that stands there."""
    text = HEAD + "    steps:\n" + steps
    (found,) = [one for one in check(text, kind="spec").diagnostics if one.code == "FLOW_CANNOT_COMPLETE"]
    lines = text.splitlines()
    return found.message, [(one.message, lines[one.span.line - 1].strip()) for one in found.related]


def test_demands_of_two_steps_on_one_input() -> None:
    message, related = told(
        """\
      - id: a
        do: go
        out: Out
        ensure:
          - expr: result.n > 0
          - expr: input.i > 5
      - id: b
        do: go
        out: Out
        ensure: [{expr: result.n < 3}, {expr: input.p}]
      - id: w
        after: [a, b]
        do: go
        out: Out
        ensure:
          - expr: input.i < 5
          - expr: result.n > input.i
"""
    )
    assert message == "no run of flow `main` can end well: none gets past `w`"
    assert related == [
        ("no run gets past this", "- id: w"),
        ("`a` succeeds only with this", "- expr: input.i > 5"),
        ("and `w` succeeds only with this", "- expr: input.i < 5"),
    ]


def test_demands_of_steps_beside_each_other() -> None:
    message, related = told(
        """\
      - id: a
        do: go
        ensure:
          - expr: input.i > 5
      - id: w
        do: go
        out: Out
        ensure:
          - expr: input.i < 5
"""
    )
    assert message == "no run of flow `main` can end well: the demands of its steps contradict each other"
    assert [line for _, line in related] == ["- expr: input.i > 5", "- expr: input.i < 5"]


def test_a_loop_that_no_output_ends() -> None:
    _, related = told(
        """\
      - id: w
        do: go
        out: Out
        ensure:
          - expr: result.n >= 0
        iterate:
          max: 3
          until: result.n < 0
"""
    )
    assert [line for _, line in related[1:]] == ["- expr: result.n >= 0", "until: result.n < 0"]


def test_a_step_that_reads_what_never_is_there() -> None:
    message, related = told(
        """\
      - {id: a, when: input.p, do: go, out: Out}
      - {id: b, when: "!input.p", do: go, out: Out}
      - {id: w, do: "${a.output.text} ${b.output.text}", out: Out}
"""
    )
    assert message == "no run of flow `main` can end well: none gets past `w`"
    assert [text for text, _ in related] == ["no run gets past this", "`w` reads what no run has"]


def test_a_set_that_never_passes() -> None:
    _, related = told(
        """\
      - id: w
        set: {n: input.i - input.i, text: "'x'"}
        out: Out
        ensure: [{expr: result.n == 1}]
"""
    )
    said = "what this builds never passes its checks"
    assert related[1:] == [(said, "set: {n: input.i - input.i, text: \"'x'\"}")]


def test_an_output_that_no_run_has_is_missing_too() -> None:
    text = HEAD + "    steps: [{id: w, when: input.i > 3 && input.i < 4, do: go, out: Out}]\n"
    codes = [one.code for one in check(text, kind="spec").diagnostics if one.severity != "info"]
    assert codes == ["FLOW_CANNOT_COMPLETE", "OUTPUT_MAY_BE_MISSING", "STEP_NEVER_RUNS"]


def test_an_output_that_no_run_lives_to_miss_is_no_finding() -> None:
    end = "{id: w, after: [a], when: input.i == input.i + 1, do: go, out: Out}"
    stuck = "{id: a, set: {n: input.i - input.i, text: str(1)}, out: Out, ensure: [{expr: result.n == 1}]}"
    text = f"{HEAD}    steps:\n      - {stuck}\n      - {end}\n"
    codes = [one.code for one in check(text, kind="spec").diagnostics]
    assert "FLOW_CANNOT_COMPLETE" in codes
    assert "OUTPUT_MAY_BE_MISSING" not in codes


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [(4, "proved"), (3, "refuted")],
)
def test_a_budget_of_dispatches_is_a_property(limit: int, verdict: str) -> None:
    text = (
        HEAD
        + f"    budget: {{dispatches: {limit}}}\n    steps:\n"
        + "      - {id: a, do: go, budget: {dispatches: 2}}\n      - {id: w, after: [a], do: go, out: Out}\n"
    )
    rows = [row for row in spec_properties(ProofFacts(SpecFacts(load(text)))) if "budget" in row[0]]
    assert rows == [
        ("flows.main: stays within its budget of dispatches", "both", verdict),
        ("flows.main.a: stays within its budget of dispatches", "both", "proved"),
    ]
