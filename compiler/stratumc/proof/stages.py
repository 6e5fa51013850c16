"""The stages of a fanout: what one item goes through, and the list that comes out."""

from __future__ import annotations

from dataclasses import dataclass

from stratumc.proof.ensures import ensures_of
from stratumc.proof.logic import Formula, Term, conjunction, implication, negation
from stratumc.proof.readings import Readings
from stratumc.proof.values import Array, Nil, Outcome
from stratumc.spec.syntax import (
    INPUT_AND_OUTPUTS,
    ContractType,
    EnsureExpression,
    Fanout,
    Quorum,
    Stage,
    Step,
)


@dataclass(frozen=True, slots=True)
class StageFormulas:
    """One stage as some item comes to it."""

    begins: Formula
    """There is an item, and it has come through the stages before."""
    wanted: Formula
    runs: Formula
    output: Outcome
    ensures: tuple[Formula | None, ...]
    previous: Outcome
    """What `prev` is."""


def _typed(readings: Readings, stage: Stage, name: str, owner: int) -> Outcome:
    return readings.world.value(ContractType(stage.out.value) if stage.out else None, name, owner)


def fanout_output(readings: Readings, step: Step, body: Fanout, count: Term, items: Array | None) -> Array:
    """The outputs of the items; null for one that was skipped or failed."""
    world, last = readings.world, body.stages[-1]
    type_ = ContractType(last.out.value) if last.out else None
    may_be_null = body.require is not Quorum.ALL or last.when is not None

    def element(index: int) -> Outcome:
        name = f"{step.id}[{index}]"
        value = _typed(readings, last, name, step.index)
        item = items.element(index) if items is not None else world.anything(f"item {name}", step.index)
        previous = _before_last(readings, body, step.index, name)
        some = negation(world.boolean(f"{name} null")) if may_be_null else True
        for formula in ensures_of(readings, step.index, last.ensure, result=value, item=item, prev=previous):
            if formula is not None:
                world.add(step.index, implication(conjunction(some, count > index), formula))
        kept = tuple((conjunction(some, guard), inner) for guard, inner in value)
        return ((negation(some), Nil()), *kept) if may_be_null else kept

    return Array(step.index, count, element, type_)


def _before_last(readings: Readings, body: Fanout, owner: int, name: str) -> Outcome:
    """Some output of the stage before the last, where that surely ran."""
    before = body.stages[-2] if len(body.stages) > 1 else None
    if before is None or before.when is not None:
        return readings.world.anything(f"prev {name}", owner)
    return _typed(readings, before, f"prev {name}", owner)


def stage_formulas(readings: Readings, step: Step, body: Fanout) -> tuple[StageFormulas, ...]:
    """The stages as one item, any of them, goes through: facts of earlier stages hold for later ones."""
    formulas = readings.steps[step.index]
    begins = conjunction(formulas.runs, formulas.ending.items >= 1)
    return readings.world.shared(("stages", step.index), lambda: _stages(readings, step, body, begins))


def comes_through(readings: Readings, step: Step, body: Fanout) -> Formula:
    """That some item, one of those that succeed, has passed each stage that it didn't pass over."""
    if not any(isinstance(one, EnsureExpression) for stage in body.stages for one in stage.ensure):
        return True
    return conjunction(
        *(
            implication(stage.wanted, conjunction(*(one for one in stage.ensures if one is not None)))
            for stage in _stages(readings, step, body, True)
        )
    )


def _item(readings: Readings, step: Step, body: Fanout) -> Outcome:
    """Some item of the list; what is known of all its items is known of it."""
    over = body.over.full
    if over is not None and over.kind in INPUT_AND_OUTPUTS:
        lists = [value for _, value in readings.resolve(over, step.index) if isinstance(value, Array)]
        if len(lists) == 1:
            item = readings.world.value(lists[0].default, "item", step.index)
            for guard, value in item:
                lists[0].know(conjunction(lists[0].length >= 1, guard), value)
            return item
    return readings.world.anything("item", step.index)


def _stages(readings: Readings, step: Step, body: Fanout, begins: Formula) -> tuple[StageFormulas, ...]:
    owner = step.index
    item = _item(readings, step, body)
    previous: Outcome = ()
    stages = []
    for place, stage in enumerate(body.stages):
        name = f"{step.id} stage {place}"
        results = readings.results(owner)
        wanted: Formula = True
        if stage.when is not None:
            wanted = readings.predicate(stage.when, owner, result=results, item=item, prev=previous)
        runs = conjunction(begins, wanted)
        output = _typed(readings, stage, name, owner)
        ensures = ensures_of(readings, owner, stage.ensure, result=output, item=item, prev=previous)
        stages.append(StageFormulas(begins, wanted, runs, output, ensures, previous))
        holds = conjunction(*(formula for formula in ensures if formula is not None))
        begins = conjunction(begins, implication(wanted, holds))
        kept = tuple((conjunction(negation(wanted), guard), value) for guard, value in previous)
        previous = (*((conjunction(wanted, guard), value) for guard, value in output), *kept)
    return tuple(stages)
