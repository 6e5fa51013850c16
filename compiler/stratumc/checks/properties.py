"""What the proofs decide of a document, one row per property, for the proof list of its table (table.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from stratumc.checks.flow_reads import reads_of
from stratumc.graph.bounds import Range
from stratumc.proof.results import Proved, Refuted, Result
from stratumc.spec.syntax import Budget, Do, EnsureExpression, Fanout, Run

if TYPE_CHECKING:
    from stratumc.checks.flow_facts import FlowFacts, ProofFacts
    from stratumc.checks.workflow_facts import WorkflowFacts
    from stratumc.proof.solver import Answer

Property = tuple[str, str, str]
"""Name, method (`graph`, `z3` or `both`), verdict (`proved`, `refuted` or `undecided`)."""


def spec_properties(facts: ProofFacts) -> tuple[Property, ...]:
    """The properties of every flow, in document order."""
    return tuple(row for flow in facts.flows.values() for row in _flow(flow))


def _flow(flow: FlowFacts) -> Iterator[Property]:
    name = f"flows.{flow.flow.name}"
    if flow.is_plain:
        yield (f"{name}: can end well", "graph", "proved")
        yield (f"{name}: never ends without its output", "graph", "proved")
    else:
        from stratumc.proof.logic import conjunction, negation

        model, prover = flow.prover.model, flow.prover
        yield (f"{name}: can end well", "z3", _can(prover.answer(model.everyone, model.completes)))
        without = conjunction(model.all_done, negation(model.has_output))
        yield (f"{name}: never ends without its output", "z3", _never(prover.answer(model.everyone, without)))
    yield from _reads(flow, name)
    yield from _steps(flow, name)
    yield from _budgets(flow, name)


def _budgets(flow: FlowFacts, name: str) -> Iterator[Property]:
    """One row for each budget of dispatches: that no good run needs more."""
    for at, budget, needed in _budgeted(flow, name):
        if budget is not None and budget.dispatches is not None:
            limits = needed()
            verdict = "undecided"
            if limits.most is not None and limits.most <= budget.dispatches:
                verdict = "proved"
            elif limits.attained or limits.reached > budget.dispatches:
                verdict = "refuted"
            yield (f"{at}: stays within its budget of dispatches", "both", verdict)


def _budgeted(flow: FlowFacts, name: str) -> Iterator[tuple[str, Budget | None, Callable[[], Range]]]:
    yield name, flow.flow.budget, lambda: flow.bounds.dispatches
    for step in flow.flow.steps:
        if isinstance(step.body, Do | Fanout | Run):
            yield f"{name}.{step.id}", step.body.budget, partial(flow.bounds.step, step)


def _reads(flow: FlowFacts, name: str) -> Iterator[Property]:
    """One row for all references of a step."""
    from stratumc.proof.logic import negation
    from stratumc.proof.solver import Answer

    for step in flow.flow.steps:
        answers = []
        for read in reads_of(flow, step):
            there = flow.prover.model.available(read.source, step.index)
            owners = flow.prover.model.owners(step.index)
            answers.append(flow.prover.answer(owners, read.happens, read.fails, negation(there)))
        if answers:
            worst = next((one for one in (Answer.SATISFIABLE, Answer.UNKNOWN) if one in answers), answers[0])
            yield (f"{name}.{step.id}: what it reads is there", "both", _never(worst))


def _steps(flow: FlowFacts, name: str) -> Iterator[Property]:
    for step in flow.flow.steps:
        body = step.body
        conditional = step.when is not None or flow.graph.routes_to[step.index]
        ensured = isinstance(body, Do) and any(isinstance(one, EnsureExpression) for one in body.ensure)
        if not conditional and not ensured:
            continue
        prover, formulas = flow.prover, flow.prover.model.steps[step.index]
        owners = prover.model.owners(step.index)
        if conditional:
            yield (f"{name}.{step.id}: can run", "z3", _can(prover.answer(owners, formulas.runs)))
        if ensured:
            yield (
                f"{name}.{step.id}: can succeed",
                "z3",
                _can(prover.answer(owners, formulas.ending.succeeds)),
            )


def workflow_properties(facts: WorkflowFacts) -> tuple[Property, ...]:
    """The properties of every trigger, in document order."""
    return tuple(_triggers(facts))


def _triggers(facts: WorkflowFacts) -> Iterator[Property]:
    for state in facts.workflow.states.values():
        table = facts.triggers_of(state)
        for index in range(len(state.triggers)):
            verdict = _refuted_is_proved(table.never_first[index])
            yield (f"states.{state.name}.triggers[{index}]: can fire", "both", verdict)


def _can(answer: Answer) -> str:
    return {"satisfiable": "proved", "unsatisfiable": "refuted", "unknown": "undecided"}[answer.value]


def _never(answer: Answer) -> str:
    return {"satisfiable": "refuted", "unsatisfiable": "proved", "unknown": "undecided"}[answer.value]


def _refuted_is_proved(never: Result) -> str:
    match never:
        case Proved():
            return "refuted"
        case Refuted():
            return "proved"
        case _:
            return "undecided"
