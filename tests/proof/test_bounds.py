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


def flow(*steps: str, name: str = "main", output: str = "w", p: str = "string", more: str = "") -> str:
    """A flow of some steps with one input, `p`; `more` is a further key of it."""
    head = f"  {name}:\n    input: {{p: {p}}}\n    output: {{from: '${{{output}.output}}', contract: Note}}\n"
    key = f"    {more}\n" if more else ""
    return head + key + "    steps:\n" + "".join(f"      - {{{step}}}\n" for step in steps)


LAST = "id: w, do: go, out: Note, attempts: 1"
CALL = "run: kid, with: {p: '${input.p}'}"


def one(step: str, more: str = "") -> str:
    return flow(f"id: w, do: go, out: Note{step}", more=more)


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


def gated(target: str, gate: str = "") -> str:
    return flow(
        "id: a, do: go, out: Note, attempts: 1",
        "id: b, do: 'go ${a.output.text}', out: Note, attempts: 1",
        f"id: g, after: [b], gate: {{on_approve: null, on_revise: {target}, on_kill: null{gate}}}",
        f"after: [g], {LAST}",
        more="max_rounds: 3",
    )


def test_revises_repeat_what_lies_between_target_and_gate() -> None:
    assert dispatches(gated("b")) == (3, 6)
    assert dispatches(gated("a")) == (3, 9)
    found = bounds(gated("b"))
    assert found["decisions"] == {"least": 1, "most": 4}
    assert found["rounds"] == {"least": 0, "most": 3}


def test_a_gates_own_rounds_limit_its_revises() -> None:
    text = gated("b", ", max_rounds: 1")
    assert dispatches(text) == (3, 4)
    assert bounds(text)["rounds"] == {"least": 0, "most": 1}


def fan(ensure: str, require: str, more: str = "") -> str:
    stages = "{do: 'a ${item}', out: Note, attempts: 2}, {do: 'b ${prev}', out: Note, attempts: 1}"
    fanout = (
        f"over: '${{l.output.items}}', concurrency: 1, isolation: none, require: {require}, merge: sequential"
    )
    return flow(
        f"id: l, do: go, out: List, attempts: 1, ensure: [{{expr: '{ensure}'}}]",
        f"id: f, fanout: {{{fanout}, steps: [{stages}]}}{more}",
        f"after: [f], {LAST}",
    )


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
    assert dispatches(fan(ensure, require)) == expected


def test_subflows_count_in_their_caller() -> None:
    kid = flow("id: k, do: 'go ${input.p}', out: Note, attempts: 3", name="kid", output="k")
    text = flow(f"id: r, {CALL}", f"after: [r], {LAST}") + kid
    assert dispatches(text, "kid") == (1, 3)
    assert dispatches(text) == (2, 4)


def test_decisions_in_subflows_count_in_their_caller() -> None:
    kid = flow(
        "id: k, do: 'go ${input.p}', out: Note",
        "id: g, after: [k], gate: {on_approve: null, on_revise: k, on_kill: null}",
        name="kid",
        output="k",
        more="max_rounds: 1",
    )
    text = flow(f"id: r, {CALL}", f"id: q, when: input.p == 'x', {CALL}", f"after: [q, r], {LAST}") + kid
    assert bounds(text, "kid")["decisions"] == {"least": 1, "most": 2}
    assert bounds(text)["decisions"] == {"least": 1, "most": 4}


def test_branches_that_exclude_each_other_are_not_added() -> None:
    branches = ("id: a, when: input.p, do: go, attempts: 5", "id: b, when: '!input.p', do: go, attempts: 2")
    assert dispatches(flow(*branches, f"after: [a, b], {LAST}", p="boolean")) == (2, 6)


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
    text = fan("len(result.items) >= 2", "all", ", budget: {dispatches: 7}")
    assert dispatches(text) == (6, 9)


def test_budgets_of_a_run_and_of_its_callee_end_it() -> None:
    def text(of_run: str = "", of_callee: str = "") -> str:
        kid = flow(
            "id: k, do: 'go ${input.p}', out: Note, attempts: 9", name="kid", output="k", more=of_callee
        )
        return flow(f"id: r, {CALL}{of_run}", f"after: [r], {LAST}") + kid

    limited = text(of_callee="budget: {dispatches: 4}")
    assert dispatches(text()) == (2, 10)
    assert dispatches(text(of_run=", budget: {dispatches: 3}")) == (2, 4)
    assert dispatches(limited) == (2, 5)
    assert dispatches(limited, "kid") == (1, 9)


def test_a_budget_below_what_its_step_needs_at_most_is_told_only_of_the_step() -> None:
    text = one(", attempts: 5, budget: {dispatches: 2}", "budget: {dispatches: 2}")
    found = [one.path for one in check(HEAD + text, kind="spec").diagnostics if one.code.startswith("BUDGET")]
    assert found == ["flows.main.steps[0].budget.dispatches"]


def test_bounds_stay_bounds_where_the_solver_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Effort, "take", lambda _self, _wanted: 0)
    text = flow(
        "id: a, when: input.p > 'x', do: go, attempts: 2",
        "id: w, do: go, out: Note, attempts: 3",
        more="budget: {dispatches: 1}",
    )
    assert dispatches(text) == (1, 5)
    assert not [one for one in check(HEAD + text, kind="spec").diagnostics if one.code.startswith("BUDGET")]


CALLER = """\
  main:
    input: {p: string}
    output: {from: "${w.output}", contract: Note}
    steps:
      - {id: r, run: inner, with: {p: "${input.p}"}, on_fail: h}
      - {id: h, do: go, attempts: 1}
      - {id: w, after: [r, h], do: go, out: Note, attempts: 1}
"""
"""What it spends is 1, and what its subflow does, and 1 more when that fails."""


@pytest.mark.parametrize(
    ("inner", "most"),
    [
        # Only a run that fails comes to the step of five attempts.
        (
            "      - {id: a, do: go, out: Note, attempts: 1}\n"
            "      - {id: b, after: [a], when: result.a.text == 'x', do: go, attempts: 5}\n"
            "      - {id: c, after: [b], when: result.a.text == 'x', set: {text: result.a.text}, out: Note,\n"
            "         ensure: [{expr: result.text == 'y'}]}\n",
            1 + 6 + 1,
        ),
        # Every run comes to all of them, and may fail at the last.
        ("      - {id: a, do: go, out: Note, attempts: 3}\n", 1 + 3 + 1),
        # What runs good or bad have in common: the longest of both succeeds.
        (
            "      - {id: a, do: go, out: Note, attempts: 1}\n"
            "      - {id: b, after: [a], when: result.a.text == 'x', do: go, attempts: 5}\n",
            1 + 6 + 1,
        ),
    ],
)
def test_a_subflow_that_fails_may_spend_more_than_one_that_succeeds(inner: str, most: int) -> None:
    head = "  inner:\n    input: {p: string}\n    output: {from: '${a.output}', contract: Note}\n    steps:\n"
    assert dispatches(CALLER + head + inner) == (2, most)


def test_a_subflow_that_fails_stays_within_its_budget() -> None:
    head = (
        "  inner:\n    input: {p: string}\n    output: {from: '${a.output}', contract: Note}\n"
        "    budget: {dispatches: 4}\n    steps:\n      - {id: a, do: go, out: Note, attempts: 9}\n"
    )
    assert dispatches(CALLER + head) == (2, 1 + 4 + 1)


def test_decisions_in_a_subflow_that_fails_count() -> None:
    head = (
        "  inner:\n    input: {p: string}\n    output: {from: '${a.output}', contract: Note}\n    steps:\n"
        "      - {id: a, do: go, out: Note}\n"
        "      - {id: g, after: [a], gate: {on_approve: b, on_kill: c, on_revise: null}}\n"
        "      - {id: b, do: go}\n      - {id: c, do: go, out: Note}\n"
        "      - {id: f, after: [c], when: result.c.text == 'x',\n"
        "         gate: {on_approve: s, on_revise: null, on_kill: null}}\n"
        "      - {id: s, set: {text: \"'x'\"}, out: Note, ensure: [{expr: result.text == 'y'}]}\n"
    )
    assert bounds(CALLER + head, "inner")["decisions"] == {"least": 1, "most": 1}
    assert bounds(CALLER + head)["decisions"] == {"least": 0, "most": 2}
