"""What is known of a spec before any run, each thing computed once: parsed expressions, types, graphs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from stratumc.checks.contract_types import ContractTypes
from stratumc.checks.flow_types import FlowTypes
from stratumc.expr import Expression, ParseFailure, parse
from stratumc.expr.fit import Fit, Verdict, fit
from stratumc.expr.infer import infer
from stratumc.expr.outcome import Scope, Typing, Use
from stratumc.graph.flow_graph import FlowGraph
from stratumc.spec.syntax import Flow, Set, Spec, Text
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
        return {name: FlowTypes(self, flow) for name, flow in self.spec.flows.items()}

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

    def typed(self, text: Text) -> Typing | None:
        """The types of an expression of the document, with all that is known where it stands."""
        return self._typings.get(text.at) if self.expressions else None

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
                yield from flow.guards.uses_of(step)
