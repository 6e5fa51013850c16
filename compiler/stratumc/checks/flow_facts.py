"""What the flow proofs share: per flow one encoding and one prover, and what type errors already explain."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, assert_never

from stratumc.checks.facts import SpecFacts
from stratumc.checks.flow_bounds import Bounds
from stratumc.diagnostics import Severity
from stratumc.diagnostics.catalog import CATALOG
from stratumc.expr import Expression, ParseFailure
from stratumc.expr.ast import Place, places_read
from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_order import StepOrder
from stratumc.spec.syntax import (
    Do,
    EnsureExpression,
    Evaluate,
    Fanout,
    Flow,
    Gate,
    Reference,
    ReferenceKind,
    Run,
    Set,
    Step,
    Text,
)
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.proof.prover import Prover
    from stratumc.proof.solver import Effort


class FlowFacts:
    """Facts about one flow, each computed when first asked for."""

    def __init__(self, proofs: ProofFacts, flow: Flow) -> None:
        self.proofs, self.flow = proofs, flow

    @cached_property
    def graph(self) -> FlowGraph:
        """The flow's graph."""
        return self.proofs.spec_facts.graph(self.flow)

    @cached_property
    def order(self) -> StepOrder:
        """Which steps have ended when another begins."""
        return StepOrder(self.graph)

    @cached_property
    def _giving(self) -> frozenset[int]:
        """Steps that have succeeded, with an output, whenever a step that depends on them begins."""
        routed = {route.target for route in self.graph.routes}
        skipped = self.graph.skippable_by_failure
        return frozenset(
            step.index
            for step in self.flow.steps
            if step.when is None
            and step.index not in routed
            and step.index not in self.graph.failure_regions
            and not skipped >> step.index & 1
            and not isinstance(step.body, Gate)
            and not (isinstance(step.body, Do) and step.body.out is None)
        )

    def always_gives(self, step: int) -> bool:
        """Whether a step surely has an output when a step that depends on it begins; by the graph alone."""
        return step in self._giving

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing but agents and people decides how the flow ends, so that it surely can end well."""
        return (
            not self.graph.routes
            and self.output_is_certain
            and all(step.when is None and _is_plain(step) for step in self.flow.steps)
        )

    def condition_places(self, steps: Iterable[int]) -> tuple[Place, ...]:
        """The inputs and outputs that decide which of some steps run: of `when`s, and of fanouts."""
        found: dict[Place, None] = {}
        for index in steps:
            body, when = self.flow.steps[index].body, self.flow.steps[index].when
            over = body.over.full if isinstance(body, Fanout) else None
            if over is not None:
                root = {ReferenceKind.INPUT: ("input",), ReferenceKind.STEP: ("result", over.name or "")}
                members = itertools.takewhile(lambda part: isinstance(part, str), over.path)
                if over.kind in root:
                    found[*root[over.kind], *map(str, members)] = None
            tree = self.proofs.parse(when) if when is not None else None
            if tree is not None and not isinstance(tree, ParseFailure):
                found.update(dict.fromkeys(places_read(tree)))
        return tuple(found)

    @property
    def source(self) -> Step:
        """The step that `output.from` names."""
        return self.flow.steps[self.graph.index[self._output.name or ""]]

    @property
    def output_is_certain(self) -> bool:
        """Whether the graph alone says that the output is there when every step has ended."""
        indexed = any(isinstance(part, int) for part in self._output.path)
        return self.always_gives(self.source.index) and not indexed

    @property
    def _output(self) -> Reference:
        reference = self.flow.output.source.full
        assert reference is not None
        return reference

    @cached_property
    def prover(self) -> Prover:
        """Answers questions about the flow's runs; the first use encodes the flow."""
        from stratumc.proof.flow_model import FlowModel
        from stratumc.proof.prover import Prover
        from stratumc.proof.readings import EncodedFlow
        from stratumc.proof.world import World

        proofs = self.proofs
        world = World(proofs.spec.contracts, proofs.literals)
        encoded = EncodedFlow(
            proofs.spec, self.flow, self.graph, proofs.parse, proofs.run_can_fail, proofs.is_explained
        )
        return Prover(FlowModel(encoded, world), proofs.effort)

    @cached_property
    def bounds(self) -> Bounds:
        """What good runs spend."""
        return Bounds(self.flow, self.graph, lambda: self.prover, lambda name: self.proofs.flows[name].bounds)

    @cached_property
    def can_complete(self) -> bool:
        """Whether it isn't proved that no run can end well."""
        if self.is_plain:
            return True
        model = self.prover.model
        return not self.prover.never(model.everyone, model.completes)

    @cached_property
    def can_fail(self) -> bool:
        """Whether a run of the flow as a subflow isn't proved always to succeed."""
        if not all(isinstance(step.body, Set | Gate) for step in self.flow.steps):
            return True
        from stratumc.proof.logic import conjunction, disjunction, negation

        model = self.prover.model
        ways = [conjunction(model.all_done, negation(model.has_output))]
        for step in self.flow.steps:
            formulas = model.steps[step.index]
            ways.append(formulas.ending.fails)
            if isinstance(step.body, Gate):
                lost = step.body.on_revise is not None
                ways.append(formulas.runs if lost else conjunction(formulas.runs, negation(formulas.done)))
        return not self.prover.never(model.everyone, disjunction(*ways))


def _is_plain(step: Step) -> bool:
    match step.body:
        case Do(ensure=ensure, iterate=iterate):
            return iterate is None and not any(isinstance(one, EnsureExpression) for one in ensure)
        case Gate() | Evaluate():
            return True
        case Set() | Run() | Fanout():
            return False
        case _:
            assert_never(step.body)


class ProofFacts:
    """Facts about one document."""

    def __init__(self, facts: SpecFacts) -> None:
        self.spec_facts = facts
        self.spec = facts.spec
        self.flows = {name: FlowFacts(self, flow) for name, flow in facts.spec.flows.items()}
        self._trees: dict[Location, Expression | ParseFailure] = {}

    @cached_property
    def _explained(self) -> frozenset[Location]:
        """Places of type errors, without their ranges; and of arguments that only some values fit.

        An expression has one too when a part fails whenever it is evaluated, if only some evaluations do.
        """
        from stratumc.checks.types import TYPE_CHECKS

        places = [
            finding.at
            for one in TYPE_CHECKS
            for finding in one.run(self.spec_facts)
            if (finding.severity or CATALOG[finding.code].severity) is Severity.ERROR
            or finding.code == "WITH_TYPE_MISMATCH"
        ]
        places.extend(self.spec_facts.hopeless)
        return frozenset(Location(at.path, source=at.source) for at in places)

    @cached_property
    def effort(self) -> Effort:
        """What all questions about the document may cost together."""
        from stratumc.proof.solver import Effort

        return Effort()

    def is_explained(self, at: Location) -> bool:
        """Whether a type error is at this place."""
        return Location(at.path, source=at.source) in self._explained

    def parse(self, text: Text) -> Expression | ParseFailure:
        """The syntax tree of an expression; a failure too where a type error makes it meaningless."""
        if text.at not in self._trees:
            tree = self.spec_facts.parsed(text)
            if self.is_explained(text.at) and not isinstance(tree, ParseFailure):
                tree = ParseFailure("it has a type error", 0, 0)
            self._trees[text.at] = tree
        return self._trees[text.at]

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """Every string that an expression or an enum of the document names."""
        from stratumc.proof.literals import literals_of

        return literals_of(self.spec, self.spec_facts.parsed)

    @property
    def bounds(self) -> dict[str, dict[str, dict[str, int | None]] | None]:
        """By flow, the least and most dispatches, decisions and rounds of a good run; None without one."""
        flows = self.flows.items()
        return {name: flow.bounds.flow.to_dict() if flow.can_complete else None for name, flow in flows}

    def run_can_fail(self, step: Step) -> bool:
        """Whether a run step isn't proved always to succeed when what it reads is there."""
        assert isinstance(step.body, Run)
        inside = step.body.arguments.at.path
        mismatch = any(at.path[: len(inside)] == inside for at in self._explained)
        return mismatch or self.flows[step.body.flow.value].can_fail
