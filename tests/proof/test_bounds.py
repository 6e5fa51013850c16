"""Bounds of good runs: what enumeration shows, and what attempts, iterations, revises and subflows add."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc import check
from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.graph.flow_graph import flow_graph
from stratumc.proof.solver import Effort
from stratumc.spec.syntax import Do, Flow, Gate
from support.small_flows import Played, Writer, load, rounds

HEAD = """\
version: 1
contracts:
  Note: {text: string}
  List: {items: 'string[]'}
flows:
  entry: main
"""


def bounds(text: str, flow: str = "main") -> dict[str, Any]:
    found = check(HEAD + text, kind="spec").bounds
    assert found is not None
    return dict(found[flow])


def dispatches(text: str, flow: str = "main") -> tuple[int, int | None]:
    found = bounds(text, flow)["dispatches"]
    return found["least"], found["most"]


def one(step: str, more: str = "") -> str:
    return (
        "  main:\n    input: {p: string}\n    output: {from: '${w.output}', contract: Note}\n"
        f"{more}    steps:\n      - {{id: w, do: go, out: Note{step}}}\n"
    )


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("", (1, 2)),
        (", attempts: 1", (1, 1)),
        (", attempts: 4", (1, 4)),
        (", iterate: {max: 3, until: \"result.text != ''\"}", (1, 4)),
        (", attempts: 1, iterate: {max: 3, until: \"result.text != ''\"}", (1, 3)),
    ],
)
def test_attempts_and_iterations(step: str, expected: tuple[int, int]) -> None:
    assert dispatches(one(step)) == expected


GATED = """\
  main:
    input: {p: string}
    output: {from: '${w.output}', contract: Note}
    max_rounds: 3
    steps:
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: b, do: "go ${a.output.text}", out: Note, attempts: 1}
      - {id: g, after: [b], gate: {on_approve: null, on_revise: TARGET, on_kill: null}}
      - {id: w, after: [g], do: go, out: Note, attempts: 1}
"""


def test_revises_repeat_what_lies_between_target_and_gate() -> None:
    assert dispatches(GATED.replace("TARGET", "b")) == (3, 6)
    assert dispatches(GATED.replace("TARGET", "a")) == (3, 9)
    found = bounds(GATED.replace("TARGET", "b"))
    assert found["decisions"] == {"least": 1, "most": 4}
    assert found["rounds"] == {"least": 0, "most": 3}


def test_a_gates_own_rounds_limit_its_revises() -> None:
    text = GATED.replace("TARGET", "b").replace("on_kill: null}", "on_kill: null, max_rounds: 1}")
    assert dispatches(text) == (3, 4)
    assert bounds(text)["rounds"] == {"least": 0, "most": 1}


FAN = """\
  main:
    input: {p: string}
    output: {from: '${w.output}', contract: Note}
    steps:
      - id: l
        do: go
        out: List
        attempts: 1
        ensure: [{expr: "ENSURE"}]
      - id: f
        fanout:
          over: "${l.output.items}"
          concurrency: 1
          isolation: none
          require: REQUIRE
          merge: sequential
          steps:
            - {do: "a ${item}", out: Note, attempts: 2}
            - {do: "b ${prev}", out: Note, attempts: 1}
      - {id: w, after: [f], do: go, out: Note, attempts: 1}
"""


@pytest.mark.parametrize(
    ("ensure", "require", "expected"),
    [
        ("len(result.items) == 3", "all", (8, 11)),
        ("len(result.items) <= 3", "all", (2, 11)),
        ("len(result.items) >= 2", "all", (6, None)),
        ("len(result.items) == 3", "1", (8, 11)),
        ("len(result.items) <= 3", "any", (4, 11)),
    ],
)
def test_fanouts_count_their_items(ensure: str, require: str, expected: tuple[int, int | None]) -> None:
    assert dispatches(FAN.replace("ENSURE", ensure).replace("REQUIRE", require)) == expected


def test_subflows_count_in_their_caller() -> None:
    text = """\
  main:
    input: {p: string}
    output: {from: '${w.output}', contract: Note}
    steps:
      - {id: r, run: kid, with: {p: "${input.p}"}}
      - {id: w, do: "go ${r.output.text}", out: Note, attempts: 1}
  kid:
    input: {p: string}
    output: {from: '${k.output}', contract: Note}
    steps:
      - {id: k, do: "go ${input.p}", out: Note, attempts: 3}
"""
    assert dispatches(text, "kid") == (1, 3)
    assert dispatches(text) == (2, 4)


def test_decisions_in_subflows_count_in_their_caller() -> None:
    text = """\
  main:
    input: {p: string}
    output: {from: '${w.output}', contract: Note}
    steps:
      - {id: r, run: kid, with: {p: "${input.p}"}}
      - {id: q, when: "input.p == 'x'", run: kid, with: {p: "${input.p}"}}
      - {id: w, after: [q, r], do: go, out: Note, attempts: 1}
  kid:
    input: {p: string}
    output: {from: '${k.output}', contract: Note}
    max_rounds: 1
    steps:
      - {id: k, do: "go ${input.p}", out: Note}
      - {id: g, after: [k], gate: {on_approve: null, on_revise: k, on_kill: null}}
"""
    assert bounds(text, "kid")["decisions"] == {"least": 1, "most": 2}
    assert bounds(text)["decisions"] == {"least": 1, "most": 4}


def test_branches_that_exclude_each_other_are_not_added() -> None:
    text = """\
  main:
    input: {p: boolean}
    output: {from: '${w.output}', contract: Note}
    steps:
      - {id: a, when: input.p, do: go, attempts: 5}
      - {id: b, when: "!input.p", do: go, attempts: 2}
      - {id: w, after: [a, b], do: go, out: Note, attempts: 1}
"""
    assert dispatches(text) == (2, 6)


def _spent(flow: Flow, played: Played) -> tuple[int, int]:
    """Least and most dispatches of a round, two attempts a task; one that can't be rendered is free."""
    graph = flow_graph(flow)
    least = most = 0
    for step in flow.steps:
        if not isinstance(step.body, Do) or step.index not in played.round.ran:
            continue
        read = [graph.index[reference.name or ""] for reference in step.body.task.references]
        if any(source not in played.round.outputs for source in read):
            continue
        least += 1 if step.index in played.round.succeeded else 2
        most += 2
    return least, most


@settings(max_examples=25)
@given(st.integers(0, 10**7))
def test_bounds_are_what_enumeration_shows(seed: int) -> None:
    spec = load(Writer(seed).text())
    flow = spec.flows["main"]
    played = rounds(flow)
    if played is None:
        return
    reference = flow.output.source.full
    assert reference is not None
    source = flow_graph(flow).index[reference.name or ""]
    good = [one for one in played if len(one.round.done) == len(flow.steps) and source in one.round.outputs]
    facts = ProofFacts(SpecFacts(spec)).flows["main"].bounds
    if not good:
        return
    spent = [_spent(flow, one) for one in good]
    assert facts.dispatches.least == min(least for least, _ in spent)
    assert facts.dispatches.most == max(most for _, most in spent)
    asked = [
        sum(isinstance(step.body, Gate) and step.index in one.round.ran for step in flow.steps)
        for one in good
    ]
    assert facts.flow.decisions.least <= min(asked)
    assert max(asked) <= (facts.flow.decisions.most or 0)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (", attempts: 5, budget: {dispatches: 2}", (1, 2)),
        (", attempts: 2, budget: {dispatches: 9}", (1, 2)),
        (", iterate: {max: 5, until: \"result.text != ''\"}, budget: {dispatches: 3}", (1, 3)),
        (", attempts: 5, budget: {usd: 2}", (1, 5)),
    ],
)
def test_a_steps_budget_ends_its_attempts(step: str, expected: tuple[int, int]) -> None:
    assert dispatches(one(step)) == expected


def test_a_fanouts_budget_ends_its_items() -> None:
    text = FAN.replace("ENSURE", "len(result.items) >= 2").replace("REQUIRE", "all")
    assert dispatches(text.replace("      - {id: w", "        budget: {dispatches: 7}\n      - {id: w")) == (
        6,
        9,
    )


def test_budgets_of_a_run_and_of_its_callee_end_it() -> None:
    text = """\
  main:
    input: {p: string}
    output: {from: '${w.output}', contract: Note}
    steps:
      - {id: r, run: kid, with: {p: "${input.p}"}RUN}
      - {id: w, do: "go ${r.output.text}", out: Note, attempts: 1}
  kid:
    input: {p: string}
    output: {from: '${k.output}', contract: Note}
CALLEE    steps:
      - {id: k, do: "go ${input.p}", out: Note, attempts: 9}
"""
    limit, none = "    budget: {dispatches: 4}\n", ""
    assert dispatches(text.replace("RUN", none).replace("CALLEE", none)) == (2, 10)
    assert dispatches(text.replace("RUN", ", budget: {dispatches: 3}").replace("CALLEE", none)) == (2, 4)
    assert dispatches(text.replace("RUN", none).replace("CALLEE", limit)) == (2, 5)
    assert dispatches(text.replace("RUN", none).replace("CALLEE", limit), "kid") == (1, 9)


def test_a_budget_below_what_its_step_needs_at_most_is_told_only_of_the_step() -> None:
    text = one(", attempts: 5, budget: {dispatches: 2}", "    budget: {dispatches: 2}\n")
    found = [one.path for one in check(HEAD + text, kind="spec").diagnostics if one.code.startswith("BUDGET")]
    assert found == ["flows.main.steps[0].budget.dispatches"]


def test_bounds_stay_bounds_where_the_solver_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Effort, "take", lambda _self, _wanted: 0)
    text = one(", attempts: 3", "    budget: {dispatches: 1}\n").replace(
        "    steps:\n", "    steps:\n      - {id: a, when: \"input.p > 'x'\", do: go, attempts: 2}\n"
    )
    assert dispatches(text) == (1, 5)
    assert not [one for one in check(HEAD + text, kind="spec").diagnostics if one.code.startswith("BUDGET")]
