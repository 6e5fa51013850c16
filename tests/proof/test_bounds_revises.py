"""Bounds of flows with revises: what all pairs of an earlier and a last round show, and chosen flows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc import check
from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.graph.bounds import Range
from stratumc.graph.flow_graph import Revise, flow_graph
from stratumc.proof.simulate import Player, Scenario
from stratumc.spec.syntax import Do, Flow, Gate
from support.small_flows import Played, Writer, choices, load, rounds

LIMIT = 6_000


@dataclass(frozen=True)
class Spent:
    """Dispatches, decisions and revises."""

    dispatches: int
    decisions: int
    rounds: int

    def most(self, other: Spent) -> Spent:
        return Spent(
            max(self.dispatches, other.dispatches),
            max(self.decisions, other.decisions),
            max(self.rounds, other.rounds),
        )

    def plus(self, other: Spent, times: int) -> Spent:
        return Spent(
            self.dispatches + times * other.dispatches,
            self.decisions + times * other.decisions,
            self.rounds + times * other.rounds,
        )


class Enumerated:
    """The most of all good runs, of which every earlier round is of one kind of revise."""

    def __init__(self, flow: Flow, last: list[Played]) -> None:
        self.flow, self.graph = flow, flow_graph(flow)
        self.player = Player(flow, self.graph)
        self.everything = frozenset(range(len(flow.steps)))
        self.last = last

    def most(self) -> Spent | None:
        """None when there are too many rounds."""
        spent = [(one, self._spent(one, self.everything)) for one in self.last]
        best = Spent(0, 0, 0)
        for _, once in spent:
            best = best.most(once)
        for revise in self.graph.revises:
            earlier = self._earlier(revise)
            if earlier is None:
                return None
            gate = self.flow.steps[revise.gate].body
            assert isinstance(gate, Gate)
            times = min(self.flow.max_rounds or 0, gate.max_rounds or 99)
            for one, once in spent:
                again = earlier.get(self._outside(one, revise))
                if again is not None:
                    best = best.most(once.plus(again, times))
        return best

    def _earlier(self, revise: Revise) -> dict[Hashable, Spent] | None:
        """The most of the rounds that the revise cuts short, by what they share with the last one."""
        found: dict[Hashable, Spent] = {}
        closure = frozenset(self.graph.closure(revise.target))
        cut = self._cut_short(revise.gate)
        if cut is None:
            return None
        for one in cut:
            key, spent = self._outside(one, revise), self._spent(one, closure).plus(Spent(0, 1, 1), 1)
            found[key] = spent.most(found.get(key, spent))
        return found

    def _cut_short(self, gate: int) -> list[Played] | None:
        """All rounds in which a gate asks and nobody decides it, no step having failed for good."""
        order, found = list(self.graph.order), []
        for given_input in (one.scenario.input for one in self.last):
            start = Scenario(
                given_input, {}, frozenset(), frozenset(), frozenset(), undecided=frozenset({gate})
            )
            waiting = [start]
            for place, index in enumerate(order):
                if index != gate:
                    waiting = [
                        grown
                        for one in waiting
                        for grown in choices(self.flow, self.player, order[: place + 1], index, one)
                    ]
                if len(waiting) > LIMIT:
                    return None
            found += [Played(one, self.player.play(one, order)) for one in waiting]
        return [
            one
            for one in found
            if gate in one.round.ran and one.round.failed <= self.graph.failure_regions.keys()
        ]

    def _outside(self, one: Played, revise: Revise) -> Hashable:
        """What the earlier rounds and the last one have in common."""
        scenario, closure = one.scenario, self.graph.closure(revise.target)
        kept = sorted(self.everything.difference(closure))
        return (
            str(scenario.input),
            tuple(str(scenario.outputs.get(index)) for index in kept),
            tuple(index in scenario.failed for index in kept),
            tuple(index in scenario.killed for index in kept),
        )

    def _spent(self, one: Played, steps: frozenset[int]) -> Spent:
        return Spent(sum(self._dispatches(one, steps)), self._decided(one, steps), 0)

    def _dispatches(self, one: Played, steps: frozenset[int]) -> Iterator[int]:
        for index in steps & one.round.ran:
            body = self.flow.steps[index].body
            if isinstance(body, Do):
                read = [self.graph.index[reference.name or ""] for reference in body.task.references]
                if all(source in one.round.outputs for source in read):
                    yield body.attempts

    def _decided(self, one: Played, steps: frozenset[int]) -> int:
        return sum(isinstance(self.flow.steps[index].body, Gate) for index in steps & one.round.succeeded)


def _compare(found: Range, most: int, *, exact: bool) -> None:
    if exact:
        assert (found.most, found.attained) == (most, True)
    else:
        assert found.most is not None
        assert most <= found.most


@settings(max_examples=15)
@given(st.integers(0, 10**7))
def test_bounds_are_what_enumeration_shows(seed: int) -> None:
    spec = load(Writer(seed, revises=True).text())
    flow = spec.flows["main"]
    played = rounds(flow, LIMIT)
    if played is None:
        return
    reference = flow.output.source.full
    assert reference is not None
    graph = flow_graph(flow)
    source = graph.index[reference.name or ""]
    good = [one for one in played if len(one.round.done) == len(flow.steps) and source in one.round.outputs]
    most = Enumerated(flow, good).most() if good else None
    if most is None:
        return
    found, exact = ProofFacts(SpecFacts(spec)).flows["main"].bounds.flow, len(graph.revises) <= 1
    _compare(found.dispatches, most.dispatches, exact=exact)
    _compare(found.decisions, most.decisions, exact=exact)
    _compare(found.rounds, most.rounds, exact=exact)


def test_the_random_flows_have_revises() -> None:
    """A writer without gates that lead back would prove nothing."""
    written = [load(Writer(seed, revises=True).text()).flows["main"] for seed in range(80)]
    assert sum(len(flow_graph(flow).revises) for flow in written) > 10
    assert any(len(flow_graph(flow).revises) > 1 for flow in written)


HEAD = """\
version: 1
contracts:
  Note: {text: string, hard: boolean, extra: string?}
flows:
  entry: main
  main:
    input: {p: boolean, q: string}
    output: {from: '${w.output}', contract: Note}
    max_rounds: 3
"""


def bounds(steps: str, more: str = "") -> dict[str, tuple[int, int | None]]:
    found = check(HEAD + more + "    steps:\n" + steps, kind="spec").bounds
    assert found is not None
    return {name: (limits["least"], limits["most"]) for name, limits in found["main"].items()}


LAST = "      - {id: w, after: [g], do: go, out: Note, attempts: 1}\n"


def test_a_gate_that_only_some_runs_ask() -> None:
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: g, after: [a], when: result.a.hard, gate: {on_approve: null, on_revise: a, on_kill: null}}
"""
    assert bounds(steps + LAST) == {"dispatches": (2, 5), "decisions": (0, 4), "rounds": (0, 3)}


def test_a_gate_that_never_asks() -> None:
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1, ensure: [{expr: "!result.hard"}]}
      - {id: g, after: [a], when: result.a.hard, gate: {on_approve: null, on_revise: a, on_kill: null}}
"""
    assert bounds(steps + LAST) == {"dispatches": (2, 2), "decisions": (0, 0), "rounds": (0, 0)}


def test_what_excludes_the_gate_is_not_repeated_by_it() -> None:
    """The long branch never meets the gate; the short one may come three times more."""
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: b, after: [a], when: input.p, do: go, attempts: 9}
      - {id: c, after: [a], when: "!input.p", do: go, attempts: 2}
      - id: g
        after: [b, c]
        when: "!input.p"
        gate: {on_approve: null, on_revise: a, on_kill: null}
"""
    assert bounds(steps + LAST) == {"dispatches": (3, 13), "decisions": (0, 4), "rounds": (0, 3)}


def test_other_branches_may_be_taken_in_the_rounds_before() -> None:
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: b, after: [a], when: result.a.hard, do: go, attempts: 9}
      - {id: g, after: [b], gate: {on_approve: null, on_revise: a, on_kill: null}}
      - {id: c, after: [g], when: "!result.a.hard", do: go, attempts: 20}
"""
    assert bounds(steps + LAST.replace("[g]", "[c]"))["dispatches"] == (3, 3 * 10 + 1 + 20 + 1)


def test_a_step_that_fails_over_past_the_gate_is_not_repeated() -> None:
    """Only the last round takes the recovery, after which the gate doesn't ask."""
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: b, do: "go ${a.output.text}", out: Note, attempts: 1, on_fail: r}
      - {id: g, after: [b], gate: {on_approve: null, on_revise: a, on_kill: null}}
      - {id: r, do: go, attempts: 30}
      - {id: w, after: [a, r], do: go, out: Note, attempts: 1}
"""
    assert bounds(steps)["dispatches"] == (3, 3 * 3 + 2 + 30 + 1)


def test_a_revise_that_a_carry_value_refuses() -> None:
    """The value comes from a step that a gate which asks has always skipped."""
    steps = """\
      - {id: a, do: "go ${v}", out: Note, attempts: 1}
      - {id: b, after: [a], when: input.p, do: "go ${a.output.text}", out: Note, attempts: 1}
      - id: g
        after: [b]
        when: "!input.p"
        gate: {on_approve: null, on_revise: a, on_kill: null}
"""
    carry = '    carry: {v: {initial: "${input.q}", on_revise: {g: "${b.output.text}"}}}\n'
    assert bounds(steps.replace("${v}", "x") + LAST)["rounds"] == (0, 3)
    assert bounds(steps + LAST, carry)["rounds"] == (0, 0)
    assert bounds(steps + LAST, carry)["dispatches"] == (2, 3)


def test_a_step_behind_two_routes_may_have_run_when_the_gate_asks() -> None:
    """`t` is after the gate, and after a step that fails over beside it; so is what comes after `t`."""
    steps = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: h, after: [a], do: go, attempts: 1, on_fail: t}
      - {id: g, after: [a], gate: {on_approve: t, on_revise: a, on_kill: null}}
      - {id: t, do: go, attempts: 5}
      - {id: w, after: [t], do: go, out: Note, attempts: 1}
"""
    assert bounds(steps)["dispatches"] == (4, 3 * (1 + 1 + 5 + 1) + 8)


def test_nested_gates_share_the_rounds() -> None:
    steps = """\
      - {id: a, do: go, out: Note, attempts: 5}
      - {id: b, do: "go ${a.output.text}", out: Note, attempts: 1, when: result.a.hard || !result.a.hard}
      - {id: g1, after: [b], gate: {on_approve: null, on_revise: a, on_kill: null, max_rounds: 1}}
      - {id: g, after: [g1], gate: {on_approve: null, on_revise: b, on_kill: null}}
"""
    found = bounds(steps + LAST)
    assert found["rounds"] == (0, 3)
    assert found["dispatches"] == (3, 7 + 6 + 2 * 1)


CONTENDING = """\
      - {id: a, do: go, out: Note, attempts: 1}
      - {id: b, after: [a], when: input.p, do: go, attempts: 9}
      - id: g1
        after: [b]
        when: input.p
        gate: {on_approve: null, on_revise: a, on_kill: null, max_rounds: 2}
      - {id: g, after: [g1], when: "!input.p", gate: {on_approve: null, on_revise: a, on_kill: null}}
"""


@pytest.mark.parametrize(("limit", "reported"), [(31, False), (30, True)])
def test_of_gates_that_exclude_each_other_only_what_is_reached_is_reported(
    limit: int, reported: bool
) -> None:
    """At most 1 + 9 + 1, twice with 10 more: the third round is of a gate that such a run has not."""
    text = HEAD + f"    budget: {{dispatches: {limit}}}\n    steps:\n" + CONTENDING + LAST
    codes = [one.code for one in check(text, kind="spec").diagnostics]
    assert ("BUDGET_MAY_RUN_OUT" in codes) is reported
