"""Findings about steps and stages that never run, and conditions that decide nothing (checks.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.checks.check import check
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.diagnostics import Finding, RelatedPlace, Severity
from stratumc.expr import Literal
from stratumc.expr.judge import misspelt_member
from stratumc.spec.syntax import Fanout, Step, Text

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula


@check("STEP_NEVER_RUNS", "WHEN_ALWAYS_TRUE")
def conditions(facts: ProofFacts) -> Iterator[Finding]:
    """Steps and stages that no run runs, and `when`s that are true whenever they are asked."""
    for flow in facts.flows.values():
        decide = _that_decide(flow)
        for step in flow.flow.steps:
            if step.index not in decide:
                yield from _step(flow, step)
            if isinstance(step.body, Fanout):
                yield from _stages(flow, step, step.body)


def _that_decide(flow: FlowFacts) -> frozenset[int]:
    """Steps whose `when` is true in one run and not in another; all are asked about together."""
    steps = flow.flow.steps
    asked = [step.index for step in steps if step.when is not None and _literal(flow, step.when) is None]
    if not asked:
        return frozenset()
    from stratumc.proof.logic import conjunction, negation

    models = [flow.prover.model.steps[index] for index in asked]
    true = flow.prover.shown([conjunction(one.begins, one.wanted) for one in models])
    false = flow.prover.shown([conjunction(one.begins, negation(one.wanted)) for one in models])
    return frozenset(index for place, index in enumerate(asked) if place in true and place in false)


def _step(flow: FlowFacts, step: Step) -> Iterator[Finding]:
    if step.when is not None and (literal := _literal(flow, step.when)) is not None:
        yield from _constant(literal, step.when, f"step `{step.id}`")
    elif step.when is not None or flow.graph.routes_to[step.index]:
        formulas = flow.prover.model.steps[step.index]
        owners = flow.prover.model.owners(step.index)
        if flow.prover.never(owners, formulas.begins):
            yield from _never_begins(flow, step)
        elif step.when is not None:
            what = f"step `{step.id}`"
            yield from _condition(flow, step, formulas.begins, formulas.wanted, text=step.when, what=what)


def _literal(flow: FlowFacts, text: Text) -> bool | None:
    """The value of a `when` that is `true` or `false` as it stands."""
    tree = flow.proofs.parse(text)
    return tree.value if isinstance(tree, Literal) and isinstance(tree.value, bool) else None


def _constant(value: bool, text: Text, what: str) -> Iterator[Finding]:
    if value:
        yield Finding("WHEN_ALWAYS_TRUE", text.at, f"the condition of {what} is always true")
    else:
        yield Finding(
            "STEP_NEVER_RUNS",
            text.at,
            f"{what} never runs: its condition is `false`",
            severity=Severity.INFO,
        )


def _condition(
    flow: FlowFacts, step: Step, begins: Formula, wanted: Formula, *, text: Text, what: str
) -> Iterator[Finding]:
    from stratumc.proof.logic import negation

    owners = flow.prover.model.owners(step.index)
    if flow.prover.never(owners, begins, wanted):
        code, message = "STEP_NEVER_RUNS", f"{what} never runs: its condition can't be true"
    elif flow.prover.never(owners, begins, negation(wanted)):
        code, message = "WHEN_ALWAYS_TRUE", f"the condition of {what} is true whenever it is asked"
    else:
        return
    typing = flow.proofs.spec_facts.typed(text)
    yield Finding(code, text.at, message, suggestion=None if typing is None else misspelt_member(typing))


def _never_begins(flow: FlowFacts, step: Step) -> Iterator[Finding]:
    """A route-only step that is always skipped. One that the flow never gets to is part of a larger fault."""
    model = flow.prover.model
    owners = model.owners(step.index)
    routes = flow.graph.routes_to[step.index]
    if not routes or flow.prover.never(owners, model.steps[step.index].done):
        return
    routers = [flow.flow.steps[route.source] for route in routes]
    names = ", ".join(f"`{router.id}`" for router in routers)
    yield Finding(
        "STEP_NEVER_RUNS",
        step.at,
        f"step `{step.id}` never runs: no run takes a route to it from {names}",
        related=tuple(
            RelatedPlace(router.at, f"the route from `{router.id}` is never taken") for router in routers
        ),
    )


def _stages(flow: FlowFacts, step: Step, body: Fanout) -> Iterator[Finding]:
    if all(stage.when is None for stage in body.stages):
        return
    from stratumc.proof.stages import stage_formulas

    owners = flow.prover.model.owners(step.index)
    formulas = stage_formulas(flow.prover.model, step, body)
    for number, (stage, formula) in enumerate(zip(body.stages, formulas, strict=True), start=1):
        what = f"stage {number} of `{step.id}`"
        if stage.when is None:
            continue
        if (literal := _literal(flow, stage.when)) is not None:
            yield from _constant(literal, stage.when, what)
        elif not flow.prover.never(owners, formula.begins):
            yield from _condition(flow, step, formula.begins, formula.wanted, text=stage.when, what=what)
