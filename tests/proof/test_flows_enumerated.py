"""Over finite values the proofs say of a flow exactly what every round of it shows."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stratum_runtime.expression import Value, evaluate
from stratumc.diagnostics.catalog import CATALOG
from stratumc.expr import Member, Name, ParseFailure, compile_text, parse
from stratumc.expr.ast import parts_of
from stratumc.graph.flow_graph import flow_graph
from stratumc.proof.simulate import Player
from stratumc.spec.syntax import Do, Flow, Set, Step
from stratumc.text import format_path
from support.small_flows import Played, Writer, findings, load, rounds

COMPARED = (
    "STEP_NEVER_RUNS",
    "WHEN_ALWAYS_TRUE",
    "REF_MAY_BE_MISSING",
    "OUTPUT_MAY_BE_MISSING",
    "FLOW_CANNOT_COMPLETE",
)
Row = tuple[str, str, str]


class Enumerated:
    """What all rounds of one flow show."""

    def __init__(self, flow: Flow, played: list[Played]) -> None:
        self.flow, self.played, self.graph = flow, played, flow_graph(flow)
        self.player = Player(flow, self.graph)

    def rows(self) -> set[Row]:
        found: set[Row] = set()
        for step in self.flow.steps:
            found |= self._conditions(step)
            ran = [one for one in self.played if step.index in one.round.ran]
            if isinstance(step.body, Do):
                for reference in step.body.task.references:
                    found |= self._missing(step, "do", reference.name or "", ran, None)
            elif isinstance(step.body, Set):
                for name, text in step.body.fields.items():
                    for source in _sources(text.value):
                        found |= self._missing(step, f"set.{name}", source, ran, text.value)
        return found | self._ends()

    def _conditions(self, step: Step) -> set[Row]:
        begun = sum(step.index in one.round.begun for one in self.played)
        ran = sum(step.index in one.round.ran for one in self.played)
        path = f"flows.main.steps[{step.index}]"
        if step.when is not None and begun:
            if not ran:
                return {("STEP_NEVER_RUNS", f"{path}.when", "warning")}
            return {("WHEN_ALWAYS_TRUE", f"{path}.when", "info")} if ran == begun else set()
        done = any(step.index in one.round.done for one in self.played)
        if not begun and done and self.graph.routes_to[step.index]:
            return {("STEP_NEVER_RUNS", path, "warning")}
        return set()

    def _missing(
        self, step: Step, key: str, name: str, ran: list[Played], expression: str | None
    ) -> set[Row]:
        source = self.graph.index[name]
        missing = [one for one in ran if source not in one.round.outputs]
        harmed = [one for one in missing if expression is None or self._fails(step, expression, one)]
        if not harmed:
            return set()
        severity = "error" if len(missing) == len(ran) else "warning"
        return {("REF_MAY_BE_MISSING", f"flows.main.steps[{step.index}].{key}", severity)}

    def _fails(self, step: Step, expression: str, one: Played) -> bool:
        bindings: dict[str, Any] = self.player.bindings(step.index, one.scenario, one.round)
        return not isinstance(evaluate(compile_text(expression), bindings), Value)

    def _ends(self) -> set[Row]:
        reference = self.flow.output.source.full
        assert reference is not None
        source = self.graph.index[reference.name or ""]
        ended = [one for one in self.played if len(one.round.done) == len(self.flow.steps)]
        given = sum(source in one.round.outputs for one in ended)
        found: set[Row] = set()
        if given < len(ended):
            found.add(("OUTPUT_MAY_BE_MISSING", "flows.main.output.from", "warning"))
        if not given:
            found.add(("FLOW_CANNOT_COMPLETE", "flows.main", "error"))
        return found


def _sources(expression: str) -> set[str]:
    tree = parse(expression)
    assert not isinstance(tree, ParseFailure)
    return {
        node.name
        for node in parts_of(tree)
        if isinstance(node, Member) and isinstance(node.operand, Name) and node.operand.name == "result"
    }


def reported(text: str) -> set[Row]:
    """The findings of the compared codes."""
    return {
        (
            finding.code,
            format_path(finding.at.path),
            (finding.severity or CATALOG[finding.code].severity).value,
        )
        for finding in findings(text)
        if finding.code in COMPARED
    }


@settings(max_examples=35)
@given(st.integers(0, 10**7))
def test_findings_are_what_enumeration_shows(seed: int) -> None:
    text = Writer(seed).text()
    flow = load(text).flows["main"]
    played = rounds(flow)
    if played is not None:
        assert reported(text) == Enumerated(flow, played).rows()


def test_the_random_flows_show_every_code() -> None:
    """A writer of dull flows must not look like a clean proof."""
    seen = {code for seed in range(40) for code, _, _ in reported(Writer(seed).text())}
    assert seen == set(COMPARED)
