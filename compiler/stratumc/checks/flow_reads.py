"""Which outputs the strings of a step read, and when one that is missing does harm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stratumc.checks.flow_facts import FlowFacts
from stratumc.expr import Member, Name, ParseFailure
from stratumc.graph.step_text import templates_of
from stratumc.spec.syntax import Fanout, ReferenceKind, Set, Step, Template
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula


@dataclass(frozen=True, slots=True)
class Read:
    """A string that reads a step's output."""

    step: Step
    source: int
    at: Location
    happens: Formula
    """The string is rendered or evaluated."""
    fails: Formula
    """It has no value, given that the output is missing."""


def reads_of(flow: FlowFacts, step: Step) -> Iterator[Read]:
    """The reads of outputs that aren't there in every run; `when` may read what is missing and just skips."""
    yield from _rendered(flow, step)
    if isinstance(step.body, Set):
        yield from _evaluated(flow, step, step.body)


def _sources(flow: FlowFacts, template: Template) -> Iterator[int]:
    """The steps that a template reads and that may give no output, each once."""
    names = dict.fromkeys(
        reference.name
        for reference in template.references
        if reference.kind is ReferenceKind.STEP and reference.name
    )
    for name in names:
        source = flow.graph.index[name]
        if not flow.always_gives(source):
            yield source


def _rendered(flow: FlowFacts, step: Step) -> Iterator[Read]:
    stages = {} if not isinstance(step.body, Fanout) else {stage.at.path: stage for stage in step.body.stages}
    for template in templates_of(step):
        for source in _sources(flow, template):
            runs = flow.prover.model.steps[step.index].runs
            if template.at.path[:-1] in stages:
                runs = _stage_runs(flow, step, template)
            yield Read(step, source, template.at, runs, True)


def _stage_runs(flow: FlowFacts, step: Step, template: Template) -> Formula:
    from stratumc.proof.stages import stage_formulas

    assert isinstance(step.body, Fanout)
    formulas = stage_formulas(flow.prover.model, step, step.body)
    place = next(
        number for number, stage in enumerate(step.body.stages) if stage.task.at.path == template.at.path
    )
    return formulas[place].runs


def _evaluated(flow: FlowFacts, step: Step, body: Set) -> Iterator[Read]:
    """A step that isn't ordered before is a finding of the types."""
    from stratumc.expr.ast import parts_of
    from stratumc.proof.logic import disjunction, negation

    for text in body.fields.values():
        tree = flow.proofs.parse(text)
        if isinstance(tree, ParseFailure):
            continue
        names = dict.fromkeys(
            node.name
            for node in parts_of(tree)
            if isinstance(node, Member) and isinstance(node.operand, Name) and node.operand.name == "result"
        )
        for name in names:
            source = flow.graph.index.get(name)
            if source is None or flow.always_gives(source):
                continue
            model = flow.prover.model
            if not model.order.before(step.index) >> source & 1:
                continue
            outcome = model.encoder(step.index, result=model.results(step.index)).outcome(tree)
            fails = negation(disjunction(*(guard for guard, _ in outcome)))
            yield Read(step, source, text.at, model.steps[step.index].runs, fails)
