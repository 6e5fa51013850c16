"""Findings about ensures and `until`: contradictions, redundancy, loops (checks.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stratumc.checks.check import check
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.spec.syntax import Do, Ensure, EnsureExpression, Fanout, Set, Step
from stratumc.text import Location

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula


@check("ENSURE_CONTRADICTION", "ENSURE_REDUNDANT")
def ensures(facts: ProofFacts) -> Iterator[Finding]:
    """Ensures that admit no output together with the contract, and those that the earlier ones imply."""
    for flow in facts.flows.values():
        for step in flow.flow.steps:
            match step.body:
                case Do() | Set() as body if any(isinstance(one, EnsureExpression) for one in body.ensure):
                    yield from _ensures(
                        flow,
                        step,
                        body.ensure,
                        _own_ensures(flow, step, body),
                        at=step.at,
                        what=f"step `{step.id}`",
                    )
                case Fanout() as body:
                    yield from _stages(flow, step, body)
                case _:
                    pass


def _own_ensures(flow: FlowFacts, step: Step, body: Do | Set) -> Sequence[Formula | None]:
    """The ensures of any output of the contract, whatever a `set` would make of it."""
    if isinstance(body, Do):
        return flow.prover.model.steps[step.index].ending.ensures
    from stratumc.proof.ensures import ensures_of
    from stratumc.proof.values import sure

    model = flow.prover.model
    output = sure(model.world.record(body.out.value, f"{step.id} any", step.index))
    return ensures_of(model, step.index, body.ensure, result=output)


def _stages(flow: FlowFacts, step: Step, body: Fanout) -> Iterator[Finding]:
    if not any(isinstance(one, EnsureExpression) for stage in body.stages for one in stage.ensure):
        return
    from stratumc.proof.stages import stage_formulas

    for number, (stage, formulas) in enumerate(
        zip(body.stages, stage_formulas(flow.prover.model, step, body), strict=True), start=1
    ):
        what = f"stage {number} of `{step.id}`"
        yield from _ensures(flow, step, stage.ensure, formulas.ensures, at=stage.at, what=what)


def _ensures(
    flow: FlowFacts,
    step: Step,
    listed: Sequence[Ensure],
    formulas: Sequence[Formula | None],
    *,
    at: Location,
    what: str,
) -> Iterator[Finding]:
    from stratumc.proof.logic import negation
    from stratumc.proof.world import INPUT

    owners = (INPUT, step.index)
    before: list[Formula] = []
    found: list[Finding] = []
    for ensure, formula in zip(listed, formulas, strict=True):
        if formula is None or not isinstance(ensure, EnsureExpression):
            continue
        if flow.prover.never(owners, *before, formula):
            related = RelatedPlace(ensure.expression.at, "with this one no output is left")
            yield Finding(
                "ENSURE_CONTRADICTION",
                at.child("ensure"),
                f"{what} can never succeed: its contract and ensures admit no output",
                related=(related,),
            )
            break
        if flow.prover.never(owners, *before, negation(formula)):
            by = "the contract and the ensures before it" if before else "the contract"
            found.append(
                Finding("ENSURE_REDUNDANT", ensure.expression.at, f"this ensure of {what} is implied by {by}")
            )
        before.append(formula)
    yield from found


@check("UNTIL_NEVER_HOLDS", "UNTIL_ALREADY_HOLDS")
def untils(facts: ProofFacts) -> Iterator[Finding]:
    """Loops whose `until` no output that passes the ensures satisfies, or every one does."""
    for flow in facts.flows.values():
        for step in flow.flow.steps:
            if isinstance(step.body, Do) and step.body.iterate is not None:
                yield from _until(flow, step, step.body.iterate.until.at)


def _until(flow: FlowFacts, step: Step, at: Location) -> Iterator[Finding]:
    from stratumc.proof.logic import conjunction, negation

    model, prover = flow.prover.model, flow.prover
    formulas, owners = model.steps[step.index], model.owners(step.index)
    end = formulas.ending
    passed = conjunction(formulas.runs, *(formula for formula in end.ensures if formula is not None))
    if prover.never(owners, passed):
        return
    if prover.never(owners, passed, end.until):
        yield Finding(
            "UNTIL_NEVER_HOLDS",
            at,
            f"the loop of step `{step.id}` can't end well: "
            "no output that passes its contract and ensures satisfies `until`",
        )
    elif prover.never(owners, passed, negation(end.until)):
        yield Finding(
            "UNTIL_ALREADY_HOLDS",
            at,
            f"the loop of step `{step.id}` never loops: "
            "every output that passes its contract and ensures satisfies `until`",
        )
