"""What is known of a spec before any run, each thing computed once: parsed expressions, types, graphs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.checks.facts_flow import FlowTypes
from stratumc.checks.facts_types import ContractTypes
from stratumc.expr import Expression, ParseFailure, parse
from stratumc.expr.infer import infer
from stratumc.expr.outcome import Scope, Typing, Use
from stratumc.graph.flow_graph import FlowGraph
from stratumc.spec.syntax import Flow, Spec, Text
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.checks.flow_facts import ProofFacts


class SpecFacts:
    """Facts about one document; a fact that rests on what a rule reported is unknown."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.contracts = ContractTypes(spec)
        self._parsed: dict[Location, Expression | ParseFailure] = {}
        self._typings: dict[Location, Typing] = {}

    @cached_property
    def flows(self) -> dict[str, FlowTypes]:
        """The types of each flow, by its name."""
        return {name: FlowTypes(self.spec, self.contracts, flow) for name, flow in self.spec.flows.items()}

    def graph(self, flow: Flow) -> FlowGraph:
        """The graph of one of the spec's flows."""
        return self.flows[flow.name].graph

    def parsed(self, text: Text) -> Expression | ParseFailure:
        """The syntax tree of an expression, or why it has none."""
        if text.at not in self._parsed:
            self._parsed[text.at] = parse(text.value)
        return self._parsed[text.at]

    def typing(self, text: Text, scope: Scope, use: Use) -> Typing | None:
        """The types of an expression in its scope; None when it doesn't parse."""
        if text.at not in self._typings:
            tree = self.parsed(text)
            if isinstance(tree, ParseFailure):
                return None
            self._typings[text.at] = infer(tree, scope, use)
        return self._typings[text.at]

    @cached_property
    def proofs(self) -> ProofFacts:
        """What the proofs share; the solver is loaded only when one of them needs it."""
        from stratumc.checks.flow_facts import ProofFacts

        return ProofFacts(self)

    @cached_property
    def expressions(self) -> tuple[tuple[Text, Scope, Use], ...]:
        """Every expression of the document with its scope and use, in document order."""
        return tuple(self._expressions())

    def _expressions(self) -> Iterator[tuple[Text, Scope, Use]]:
        for flow in self.flows.values():
            for step in flow.flow.steps:
                yield from flow.expressions_of(step)
