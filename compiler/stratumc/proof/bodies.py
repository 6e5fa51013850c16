"""How each construct ends and what it returns: the free part of a round."""

from __future__ import annotations

from typing import assert_never

from stratumc.graph.bounds import least_items
from stratumc.graph.step_text import templates_of
from stratumc.proof.ensures import ensures_of
from stratumc.proof.fit import set_result
from stratumc.proof.logic import Formula, conjunction, disjunction, implication, negation
from stratumc.proof.readings import Readings
from stratumc.proof.stages import comes_through, fanout_output
from stratumc.proof.step_formulas import Ending
from stratumc.proof.values import Array, Outcome, Record, Slot, Words, sure
from stratumc.spec.syntax import INPUT_AND_OUTPUTS, Do, Evaluate, Fanout, Gate, Quorum, Run, Set, Step, Text


def ending(readings: Readings, step: Step, runs: Formula) -> Ending:
    """The ways in which a step can end, given that it runs."""
    body = step.body
    match body:
        case Do():
            return _do(readings, step, body, runs)
        case Set():
            return _set(readings, step, body, runs)
        case Gate():
            return _gate(readings, step, body, runs)
        case Fanout():
            return _fanout(readings, step, body, runs)
        case Run():
            return _run(readings, step, body, runs)
        case Evaluate():
            return _evaluate(readings, step, body, runs)
        case _:
            assert_never(body)


def _gate(readings: Readings, step: Step, body: Gate, runs: Formula) -> Ending:
    """A gate goes on when it is decided; one that is killed without a route is as good as one that waits."""
    approved: Formula = readings.world.boolean(f"{step.id} approved")
    decided = approved
    if body.on_kill is not None:
        decided = True if body.on_revise is None else readings.world.boolean(f"{step.id} decided")
    return Ending(conjunction(runs, decided), False, False, (), approved=approved)


def _free(readings: Readings, step: Step, runs: Formula, readable: Formula) -> tuple[Formula, Formula]:
    """Success and failure of a step that an agent, a command or a subflow decides."""
    well = readings.world.boolean(f"{step.id} well")
    succeeds = conjunction(runs, well)
    readings.world.add(step.index, implication(succeeds, readable))
    return succeeds, conjunction(runs, negation(well))


def _readable(readings: Readings, step: Step) -> Formula:
    """That what the strings of a step read is there: without it no attempt succeeds."""
    return conjunction(
        *(
            disjunction(*(guard for guard, _ in readings.resolve(reference, step.index)))
            for template in templates_of(step)
            for reference in template.references
            if reference.kind in INPUT_AND_OUTPUTS
        )
    )


def _typed(readings: Readings, step: Step, out: Text | None) -> Outcome:
    if out is None:
        return readings.world.anything(step.id, step.index)
    return sure(readings.world.record(out.value, step.id, step.index))


def _do(readings: Readings, step: Step, body: Do, runs: Formula) -> Ending:
    readable = _readable(readings, step)
    succeeds, fails = _free(readings, step, runs, readable)
    output = _typed(readings, step, body.out)
    gives = succeeds if body.out else conjunction(succeeds, readings.world.boolean(f"{step.id} gave"))
    ensures = ensures_of(readings, step.index, body.ensure, result=output)
    until = readings.predicate(body.iterate.until, step.index, result=output) if body.iterate else None
    for formula in (*ensures, until):
        if formula is not None:
            readings.world.add(step.index, implication(succeeds, formula))
    return Ending(succeeds, fails, gives, output, ensures, until, readable=readable)


def _set(readings: Readings, step: Step, body: Set, runs: Formula) -> Ending:
    built, output = set_result(readings, step.index, body)
    ensures = ensures_of(readings, step.index, body.ensure, result=output)
    checks = (
        formula if formula is not None else readings.world.boolean(f"{step.id} ensure {place}")
        for place, formula in enumerate(ensures)
    )
    well = conjunction(built, *checks)
    succeeds = conjunction(runs, well)
    return Ending(succeeds, conjunction(runs, negation(well)), succeeds, output, ensures)


def _fanout(readings: Readings, step: Step, body: Fanout, runs: Formula) -> Ending:
    world, index = readings.world, step.index
    count = world.integer(f"{step.id} items")
    world.add(index, count >= 0)
    over = body.over.full
    lists = readings.resolve(over, index) if over is not None else ()
    arrays = [(guard, value) for guard, value in lists if isinstance(value, Array)]
    for guard, array in arrays:
        world.add(index, implication(guard, count == array.length))
    known = over is not None and over.kind in INPUT_AND_OUTPUTS and not readings.explained(body.over.at)
    readable = disjunction(*(guard for guard, _ in arrays)) if known else True
    succeeds, fails = _free(readings, step, runs, readable)
    if known:
        world.add(
            index, implication(conjunction(succeeds, count >= 1), _stages_readable(readings, step, body))
        )
    passed = comes_through(readings, step, body)
    world.add(index, implication(conjunction(succeeds, count >= 1), passed))
    least = least_items(body.require)
    world.add(index, implication(succeeds, count >= least))
    if body.require is Quorum.ALL and arrays:
        world.add(index, implication(conjunction(runs, readable, count == 0), succeeds))
    items = arrays[0][1] if len(arrays) == 1 else None
    output = sure(fanout_output(readings, step, body, count, items))
    return Ending(succeeds, fails, succeeds, output, items=count, readable=readable)


def _stages_readable(readings: Readings, step: Step, body: Fanout) -> Formula:
    """That what every item reads is there: one that succeeds comes through all stages without a `when`."""
    references = (
        reference
        for stage in body.stages
        if stage.when is None
        for reference in stage.task.references
        if reference.kind in INPUT_AND_OUTPUTS
    )
    return conjunction(
        *(
            disjunction(*(guard for guard, _ in readings.resolve(reference, step.index)))
            for reference in references
        )
    )


def _run(readings: Readings, step: Step, body: Run, runs: Formula) -> Ending:
    readable = _readable(readings, step)
    succeeds, fails = _free(readings, step, runs, readable)
    if not readings.can_fail(step):
        readings.world.add(step.index, implication(conjunction(runs, readable), succeeds))
    callee = readings.spec.flows[body.flow.value]
    output = sure(readings.world.record(callee.output.contract.value, step.id, step.index))
    return Ending(succeeds, fails, succeeds, output, readable=readable)


_STATUS = ("closed", "open", "failed")
_ROUTE = ("claude", "codex")


def _evaluate(readings: Readings, step: Step, body: Evaluate, runs: Formula) -> Ending:
    """An evaluate step returns what runs.md section 3 says; `closed` has no children, `open` some."""
    world, index = readings.world, step.index
    readable = _readable(readings, step)
    succeeds, fails = _free(readings, step, runs, readable)
    record = world.record(body.out.value, step.id, index) if body.out else _verdict(readings, step)
    for guard, status in record.slots["status"].value if "status" in record.slots else ():
        for there, children in record.slots["children"].value if "children" in record.slots else ():
            if isinstance(status, Words) and isinstance(children, Array):
                known = conjunction(succeeds, guard, there)
                closed = status.term == world.text("closed").term
                opened = status.term == world.text("open").term
                world.add(index, implication(conjunction(known, closed), children.length == 0))
                world.add(index, implication(conjunction(known, opened), children.length >= 1))
    return Ending(succeeds, fails, succeeds, sure(record), readable=readable)


def _verdict(readings: Readings, step: Step) -> Record:
    world, index, name = readings.world, step.index, step.id
    return Record(
        {
            "status": Slot(True, sure(world.words(f"{name}.status", index, _STATUS))),
            "children": Slot(True, sure(world.array(None, f"{name}.children", index))),
            "reason": Slot(True, sure(world.words(f"{name}.reason", index))),
            "score": Slot(world.boolean(f"{name}.score"), world.anything(f"{name}.score", index)),
            "route": Slot(world.boolean(f"{name}.route"), sure(world.words(f"{name}.route", index, _ROUTE))),
        }
    )
