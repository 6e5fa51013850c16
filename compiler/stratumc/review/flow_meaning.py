"""What a change means for flows: steps that may now be skipped, gates that can now be passed by."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.checks.flow_facts import FlowFacts
from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.review.flow_must_pass import flow_must_pass
from stratumc.review.meaning import Meaning, MeaningKind, path_meanings
from stratumc.review.ways import flow_ways
from stratumc.spec.syntax import Gate


def flow_meanings(old: FlowFacts, new: FlowFacts) -> Iterator[Meaning]:
    """The consequences for one flow that both versions have."""
    yield from path_meanings(flow_ways(old), flow_ways(new))
    yield from _skippable(old, new)
    yield from _passed_by(old, new)


def _skippable(old: FlowFacts, new: FlowFacts) -> Iterator[Meaning]:
    """Steps that every good run ran before, and that one may leave out now."""
    for index, name in enumerate(new.graph.ids):
        before = old.graph.index.get(name)
        if before is None or _surely_runs(new, index):
            continue
        if not _surely_runs(old, before) and not isinstance(_always_runs(old, before), Proved):
            continue
        result = _always_runs(new, index)
        if isinstance(result, Refuted):
            from stratumc.proof.witness import describe

            message = f"step `{name}` may now be skipped: {describe(result.witness)}"
            yield Meaning(MeaningKind.MAY_BE_SKIPPED, message, result.witness)


def _surely_runs(facts: FlowFacts, index: int) -> bool:
    """Whether the graph alone shows that a good run runs the step."""
    graph = facts.graph
    dropped = any(region.skipped >> index & 1 for region in graph.failure_regions.values())
    return facts.flow.steps[index].when is None and not graph.routes_to[index] and not dropped


def _always_runs(facts: FlowFacts, index: int) -> Result:
    """Whether every good run runs the step; refuted by one that leaves it out."""
    from stratumc.proof.flow_witness import find_witness
    from stratumc.proof.logic import conjunction, negation

    model = facts.prover.model
    skips = conjunction(model.completes, negation(model.steps[index].runs))
    if facts.prover.never(model.everyone, skips):
        return Proved()
    everything = len(facts.flow.steps)
    witness = find_witness(
        facts.prover,
        model.everyone,
        skips,
        lambda played: len(played.done) == everything and index not in played.ran,
    )
    return Undecided("no run that replays") if witness is None else Refuted(witness)


def _passed_by(old: FlowFacts, new: FlowFacts) -> Iterator[Meaning]:
    """Gates that every run passed before it came to a step, and that one can go round now."""
    for gate in old.flow.steps:
        if not isinstance(gate.body, Gate):
            continue
        told = 0
        for goal in old.graph.order:
            name = old.graph.ids[goal]
            after = new.graph.index.get(name)
            if after is None or not old.graph.is_before(gate.index, goal) or told >> after & 1:
                continue
            if not isinstance(flow_must_pass(old, None, goal, gate.index), Proved):
                continue
            meaning = _goes_round(new, gate.id, after)
            if meaning is not None:
                told |= new.graph.closure_mask(after)
                yield meaning


def _goes_round(new: FlowFacts, gate: str, goal: int) -> Meaning | None:
    from stratumc.proof.witness import describe

    name = new.graph.ids[goal]
    there = new.graph.index.get(gate)
    if there is None:
        message = f"step `{name}` no longer waits for gate `{gate}`, which is gone"
        return Meaning(MeaningKind.GATE_PASSED_BY, message)
    result = flow_must_pass(new, None, goal, there)
    if not isinstance(result, Refuted):
        return None
    message = f"step `{name}` can now run without gate `{gate}`: {describe(result.witness)}"
    return Meaning(MeaningKind.GATE_PASSED_BY, message, result.witness)
