"""What a change means for the gates of flows that a flow's steps run: which can now be passed by."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved, Refuted
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.guards import Guard, Inside
from stratumc.review.comparison.kept_gate import KeptGate
from stratumc.review.comparison.lost_gate import ended_only_through, waiting_goals
from stratumc.review.comparison.meaning import Meaning, MeaningKind
from stratumc.review.comparison.step_output import construct
from stratumc.review.comparison.touched import bare
from stratumc.review.paths.nested_must_pass import nested_must_pass
from stratumc.review.paths.run_words import Explained, whole_run
from stratumc.spec.syntax import Gate, Run, Step

_MOST_NAMED = 4
_MOST_ASKED = 20
"""So many pairs of a step and a gate inside are put to the provers of both flows."""


def inner_meanings(pair: FlowPair, step: Step, is_skipped: bool) -> Iterator[Meaning]:
    """What is new about the gates behind one step that runs a flow.

    Of a flow that both versions have, what is new inside of it is told of that flow.
    """
    guard = pair.guards[0].of_step(pair.old, step)
    after = pair.after(step)
    if after is not None and _is_same_flow(pair, step, after):
        if guard is not None:
            yield from KeptGate(pair, step, after, guard.words).meanings(is_skipped)
        if bare(step.body) != bare(after.body):
            yield from _by_arguments(pair, step, after)
        return
    if guard is None:
        return
    now = {} if after is None else _inside(pair, after)
    gone = [name for name in guard.inside if name not in now]
    if gone:
        yield from _lost(pair, step, after, gone)
    kept = {name: conditions for name, conditions in guard.inside.items() if name in now}
    if after is not None and kept:
        for name, conditions in kept.items():
            if now[name] and now[name] != conditions:
                message = f"gate `{step.id}.{name}` has other conditions: who can pass it by isn't compared"
                yield Meaning(MeaningKind.NOT_COMPARED, message, {"gate": f"{step.id}.{name}"})
        if not gone:
            yield from KeptGate(pair, step, after, Guard(step, kept).words).meanings(is_skipped)


def _is_same_flow(pair: FlowPair, step: Step, after: Step) -> bool:
    if not isinstance(step.body, Run) or not isinstance(after.body, Run):
        return False
    name = step.body.flow.value
    return name == after.body.flow.value and name in pair.old.proofs.flows


def _inside(pair: FlowPair, after: Step) -> Inside:
    guard = pair.guards[1].of_step(pair.new, after)
    return {} if guard is None else guard.inside


def _lost(pair: FlowPair, step: Step, after: Step | None, gone: list[str]) -> Iterator[Meaning]:
    shown = [f"`{step.id}.{name}`" for name in gone[:_MOST_NAMED]]
    if len(gone) > _MOST_NAMED:
        shown.append(f"{len(gone) - _MOST_NAMED} more")
    gates = f"gate {shown[0]}" if len(shown) == 1 else f"gates {', '.join(shown[:-1])} and {shown[-1]}"
    match after:
        case None:
            why = f"`{step.id}` is gone"
        case Step(body=Run(flow=flow)):
            why = f"`{step.id}` now runs `{flow.value}`"
        case _:
            why = f"`{step.id}` is now {construct(after)}"
    shows = {"gates": [f"{step.id}.{name}" for name in gone]}
    told = False
    for goal in waiting_goals(pair, step):
        told = True
        message = f"step `{pair.new.graph.ids[goal]}` no longer waits for {gates}: {why}"
        yield Meaning(MeaningKind.GATE_PASSED_BY, message, shows)
    if not told and ended_only_through(pair, step):
        message = f"flow `{pair.name}` can now end well without {gates}: {why}"
        yield Meaning(MeaningKind.GATE_PASSED_BY, message, shows)


def _by_arguments(pair: FlowPair, step: Step, after: Step) -> Iterator[Meaning]:
    """Gates inside that other arguments let runs pass by, on their way to the nearest steps."""
    asked = 0
    for gate in _conditional_gates(pair.old, step):
        inner = pair.new.proofs.flows[_callee(after)].graph.index.get(gate.id)
        told = 0
        for old_goal, goal in pair.common_goals():
            if told >> goal & 1 or not pair.old.graph.is_before(step.index, old_goal) or inner is None:
                continue
            asked += 1
            if asked > _MOST_ASKED:
                return
            before = nested_must_pass(pair.old, None, old_goal, step, gate.index)
            if not isinstance(before, Proved) or not pair.came(old_goal):
                continue
            told |= pair.new.graph.closure_mask(goal)
            name, words = pair.new.graph.ids[goal], f"gate `{step.id}.{gate.id}`"
            question = f"step `{name}` can now run without {words}"
            found = nested_must_pass(pair.new, None, goal, after, inner)
            result = pair.note(found, question, step=name, gate=f"{step.id}.{gate.id}")
            if isinstance(result, Refuted):
                said = Explained(result.witness, pair.new).of(after.index, goal)
                shows = whole_run(result.witness, pair.new)
                yield Meaning(MeaningKind.GATE_PASSED_BY, f"{question}{said}", shows)


def _conditional_gates(facts: FlowFacts, step: Step) -> Iterator[Step]:
    for inner in facts.proofs.spec.flows[_callee(step)].steps:
        if isinstance(inner.body, Gate) and inner.when is not None:
            yield inner


def _callee(step: Step) -> str:
    assert isinstance(step.body, Run)
    return step.body.flow.value
