"""Small random flows over finite values, and every round that they can have."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_facts import ProofFacts
from stratumc.diagnostics import Finding
from stratumc.graph.flow_graph import flow_graph
from stratumc.proof.simulate import Player, Round, Scenario
from stratumc.read import decode, read_yaml
from stratumc.spec import load_spec
from stratumc.spec.syntax import Do, Flow, Gate, Set, Spec

OUTPUTS = [{"b": b, "e": e} for b in (False, True) for e in ("x", "y", "z")]
INPUTS = [{"p": p, "q": q} for p in (False, True) for q in ("x", "y", "z")]


def load(text: str) -> Spec:
    """The spec of a text that keeps all rules."""
    document, _ = decode(text.encode(), "small.stratum.yaml")
    assert document is not None
    root = read_yaml(document).root
    assert root is not None
    loaded = load_spec(root)
    assert loaded.spec is not None, loaded.findings
    assert not loaded.findings, loaded.findings
    return loaded.spec


def findings(text: str) -> list[Finding]:
    """What the flow proofs report."""
    from stratumc.checks.flow import FLOW_CHECKS

    facts = ProofFacts(SpecFacts(load(text)))
    return [finding for one in FLOW_CHECKS for finding in one.run(facts)]


class Writer:
    """Writes one random flow of up to five steps; with `revises`, its gates may lead back."""

    def __init__(self, seed: int, *, revises: bool = False) -> None:
        self.random = random.Random(seed)
        self.count = self.random.randint(2, 5)
        self.revises = revises
        self.ancestors: list[set[int]] = [set() for _ in range(self.count)]

    def text(self) -> str:
        lines = [
            "version: 1",
            "contracts:",
            "  Out: {b: boolean, e: x|y|z}",
            "flows:",
            "  entry: main",
            "  main:",
            "    input: {p: boolean, q: x|y|z}",
            f"    output: {{from: '${{s{self.random.randrange(self.count)}.output}}', contract: Out}}",
            f"    max_rounds: {self.random.randint(1, 3) if self.revises else 1}",
            "    steps:",
        ]
        self.kinds = [self._kind(number) for number in range(self.count)]
        source = int(lines[7].split("${s")[1].split(".")[0])
        self.kinds[source] = "do"
        self.targets: set[int] = set()
        for number in range(self.count):
            lines += self._step(number)
        return "\n".join(lines) + "\n"

    def _kind(self, number: int) -> str:
        return self.random.choice(("do", "do", "do", "gate", "set") if number else ("do", "do", "set"))

    def _step(self, number: int) -> Iterator[str]:
        pick = self.random
        yield f"      - id: s{number}"
        before = [earlier for earlier in range(number) if pick.random() < 0.5]
        for earlier in before:
            self.ancestors[number] |= self.ancestors[earlier] | {earlier}
        if before:
            yield f"        after: [{', '.join(f's{earlier}' for earlier in before)}]"
        if pick.random() < 0.5:
            yield f'        when: "{self._condition(before)}"'
        later = list(range(number + 1, self.count))
        match self.kinds[number]:
            case "do":
                reads = [
                    earlier for earlier in before if self.kinds[earlier] != "gate" and pick.random() < 0.5
                ]
                yield f'        do: "go {" ".join(f"${{s{earlier}.output.e}}" for earlier in reads)}"'
                yield "        out: Out"
                if pick.random() < 0.4:
                    yield f'        ensure: [{{expr: "{self._test("result")}"}}]'
                if later and pick.random() < 0.35:
                    yield f"        on_fail: {self._route(number, pick.choice(later))}"
                if self.revises and pick.random() < 0.5:
                    yield f"        attempts: {pick.randint(1, 4)}"
            case "gate":
                routes = [
                    self._route(number, pick.choice(later)) if later and pick.random() < 0.6 else "null"
                    for _ in range(2)
                ]
                back = f"on_revise: {self._back(number)}"
                yield f"        gate: {{on_approve: {routes[0]}, {back}, on_kill: {routes[1]}}}"
            case _:
                yield f'        set: {{b: "{self._condition(before)}", e: input.q}}'
                yield "        out: Out"
                if pick.random() < 0.3:
                    yield f'        ensure: [{{expr: "{self._test("result")}"}}]'

    def _route(self, number: int, target: int) -> str:
        self.ancestors[target] |= self.ancestors[number] | {number}
        return f"s{target}"

    def _back(self, number: int) -> str:
        """A target for a revise, and a limit of the gate's own."""
        pick, targets = self.random, sorted(self.ancestors[number])
        if not self.revises or not targets or pick.random() < 0.25:
            return "null"
        limit = f", max_rounds: {pick.randint(1, 2)}" if pick.random() < 0.3 else ""
        return f"s{pick.choice(targets)}{limit}"

    def _condition(self, before: list[int]) -> str:
        pick = self.random
        parts = [self._atom(before) for _ in range(pick.randint(1, 2))]
        return pick.choice((" && ", " || ")).join(parts)

    def _atom(self, before: list[int]) -> str:
        pick = self.random
        readable = [earlier for earlier in before if self.kinds[earlier] != "gate"]
        if readable and pick.random() < 0.6:
            step = f"s{pick.choice(readable)}"
            guard = f"'{step}' in result"
            return pick.choice((guard, f"!({guard})", self._test(f"result.{step}")))
        return pick.choice(("input.p", "!input.p", "input.q == 'x'", "input.q != 'z'", "input.q < 'y'"))

    def _test(self, name: str) -> str:
        return self.random.choice(
            (
                f"{name}.b",
                f"!{name}.b",
                f"{name}.e == 'x'",
                f"{name}.e != input.q",
                f"{name}.b == input.p",
                f"{name}.e in 'xy'",
            )
        )


@dataclass(frozen=True)
class Played:
    """One possible round."""

    scenario: Scenario
    round: Round


def rounds(flow: Flow, limit: int = 20_000) -> list[Played] | None:
    """Every round that a flow can have; None when they are more than the limit.

    A round grows step by step, so that what never runs is not varied.
    """
    graph = flow_graph(flow)
    player = Player(flow, graph)
    order = list(graph.order)
    found: list[Played] = []
    for given in INPUTS:
        waiting = [Scenario(given, {}, frozenset(), frozenset(), frozenset())]
        for place, index in enumerate(order):
            grown: list[Scenario] = []
            for scenario in waiting:
                grown += choices(flow, player, order[: place + 1], index, scenario)
            waiting = grown
            if len(waiting) * len(INPUTS) > limit:
                return None
        found += [Played(scenario, player.play(scenario, order)) for scenario in waiting]
    return found


def choices(
    flow: Flow, player: Player, played: list[int], index: int, scenario: Scenario
) -> Iterator[Scenario]:
    """The scenario with each way in which one step can end; `played` are the steps up to it, in order."""
    step = flow.steps[index]
    result = player.play(scenario, played)
    if index not in result.ran or isinstance(step.body, Set):
        yield scenario
        return
    if isinstance(step.body, Gate):
        yield scenario
        yield replace(scenario, killed=scenario.killed | {index})
        return
    yield replace(scenario, failed=scenario.failed | {index})
    assert isinstance(step.body, Do)
    read = [flow.step(one.name) for one in step.body.task.references if one.name is not None]
    if any(one is not None and one.index not in result.outputs for one in read):
        return
    for output in OUTPUTS:
        more = replace(scenario, outputs={**scenario.outputs, index: output})
        if not player.play(more, played).broken:
            yield more


__all__ = ["INPUTS", "OUTPUTS", "Played", "Writer", "choices", "findings", "itertools", "load", "rounds"]
