"""Findings about budgets of dispatches and rounds of gates (checks.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.checks.check import check
from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.graph.bounds import Range
from stratumc.spec.syntax import Budget, Do, Fanout, Gate, Run

if TYPE_CHECKING:
    from stratumc.checks.flow_facts import ProofFacts


@check("GATE_ROUNDS_UNREACHABLE")
def gate_rounds_unreachable(facts: ProofFacts) -> Iterator[Finding]:
    """A gate's `max_rounds` above its flow's: the flow's rounds run out first."""
    for flow in facts.spec.flows.values():
        for step in flow.steps:
            body = step.body
            if not isinstance(body, Gate) or body.max_rounds is None or flow.max_rounds is None:
                continue
            if body.max_rounds > flow.max_rounds:
                yield Finding(
                    "GATE_ROUNDS_UNREACHABLE",
                    body.at.child("max_rounds"),
                    f"gate `{step.id}` allows {body.max_rounds} rounds, "
                    f"its flow `{flow.name}` only {flow.max_rounds}",
                    related=(RelatedPlace(flow.at.child("max_rounds"), "the flow's rounds run out first"),),
                )


@check("BUDGET_CANNOT_SUFFICE", "BUDGET_MAY_RUN_OUT")
def budgets(facts: ProofFacts) -> Iterator[Finding]:
    """Budgets of dispatches below the shortest good run, or below the longest."""
    for flow in facts.flows.values():
        budget = flow.flow.budget
        if budget is not None and budget.dispatches is not None and flow.can_complete:
            yield from _compare(budget, budget.dispatches, flow.bounds.dispatches, f"flow `{flow.flow.name}`")
        for step in flow.flow.steps:
            budget = step.body.budget if isinstance(step.body, Do | Fanout | Run) else None
            if budget is not None and budget.dispatches is not None:
                limits = flow.bounds.step(step)
                yield from _compare(budget, budget.dispatches, limits, f"step `{step.id}`")


def _compare(budget: Budget, limit: int, needed: Range, what: str) -> Iterator[Finding]:
    at = budget.at.child("dispatches")
    allowed = f"{what} may use {limit} dispatch{'' if limit == 1 else 'es'}"
    if limit < needed.least:
        yield Finding(
            "BUDGET_CANNOT_SUFFICE",
            at,
            f"{allowed}, but its shortest good run needs {needed.least}",
        )
    elif needed.most is None and needed.attained:
        yield Finding(
            "BUDGET_MAY_RUN_OUT",
            at,
            f"{allowed}, but a good run has no greatest number",
        )
    elif needed.most is not None and needed.attained and limit < needed.most:
        yield Finding(
            "BUDGET_MAY_RUN_OUT",
            at,
            f"{allowed}, but its longest good run needs {needed.most}",
        )
    elif not needed.attained and limit < needed.reached:
        yield Finding(
            "BUDGET_MAY_RUN_OUT",
            at,
            f"{allowed}, but a good run can need {needed.reached}",
        )
