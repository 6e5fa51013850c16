"""What is known of a spec before any run, each thing computed once: parsed expressions, types, graphs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from stratumc.checks.contract_types import ContractTypes
from stratumc.checks.expressions import Expressions
from stratumc.checks.flow_types import FlowTypes
from stratumc.expr import Expression, ParseFailure
from stratumc.expr.fit import Fit, Verdict, fit
from stratumc.expr.outcome import Scope, Typing, Use
from stratumc.graph.flow_graph import FlowGraph
from stratumc.spec.syntax import Flow, Set, Spec, Text
from stratumc.text import Location


class SpecFacts:
    """Facts about one document; a fact that rests on what a rule reported is unknown."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.contracts = ContractTypes(spec)
        self._strings = Expressions()

    @cached_property
    def flows(self) -> dict[str, FlowTypes]:
        """The types of each flow, by its name."""
        return {
            name: FlowTypes(self.spec, self.contracts, self._strings, flow)
            for name, flow in self.spec.flows.items()
        }

    def graph(self, flow: Flow) -> FlowGraph:
        """The graph of one of the spec's flows."""
        return self.flows[flow.name].graph

    def parsed(self, text: Text) -> Expression | ParseFailure:
        """The syntax tree of an expression, or why it has none."""
        return self._strings.parsed(text)

    def typing(self, text: Text, scope: Scope, use: Use) -> Typing | None:
        """The types of an expression in its scope; None when it doesn't parse."""
        return self._strings.typing(text, scope, use)

    def typed(self, text: Text) -> Typing | None:
        """The types of an expression of the document, with all that is known where it stands."""
        return self._strings.typed(text) if self.expressions else None

    @cached_property
    def unfit(self) -> dict[Location, Fit]:
        """By the places of `set` fields, the values that don't, or may not, satisfy their contract."""
        found: dict[Location, Fit] = {}
        bodies = [step.body for flow in self.spec.flows.values() for step in flow.steps]
        for body in bodies:
            if not isinstance(body, Set):
                continue
            members = [one.members for one in self.contracts.of(body.out).objects]
            for name, text in body.fields.items():
                typing = self.typed(text)
                if typing is not None and not typing.outcome.fails and members and name in members[0]:
                    found[text.at] = fit(typing.type, members[0][name].type)
        return {at: one for at, one in found.items() if one.verdict is not Verdict.ALL}

    @cached_property
    def hopeless(self) -> frozenset[Location]:
        """The places of expressions of which some part fails whenever it is evaluated."""
        return frozenset(
            text.at
            for text, scope, use in self.expressions
            if (typing := self.typing(text, scope, use)) is not None
            and any(one.is_hopeless or one.is_certain for one in typing.faults)
        )

    @cached_property
    def expressions(self) -> tuple[tuple[Text, Scope, Use], ...]:
        """Every expression of the document with its scope and use, in document order."""
        return tuple(self._expressions())

    def _expressions(self) -> Iterator[tuple[Text, Scope, Use]]:
        for flow in self.flows.values():
            for step in flow.flow.steps:
                yield from flow.guards.uses_of(step)
