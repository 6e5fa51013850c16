"""Findings about outputs that may not exist: read by a step, or returned by a flow (checks.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stratumc.checks.check import check
from stratumc.checks.flow_facts import FlowFacts, ProofFacts
from stratumc.checks.flow_reads import Read, reads_of
from stratumc.diagnostics import Finding, RelatedPlace, Severity
from stratumc.spec.syntax import Set, Step

if TYPE_CHECKING:
    from stratumc.proof.logic import Formula
    from stratumc.proof.simulate import Round


@check("REF_MAY_BE_MISSING")
def ref_may_be_missing(facts: ProofFacts) -> Iterator[Finding]:
    """A string that is rendered or evaluated in some run in which an output it reads doesn't exist."""
    for flow in facts.flows.values():
        for step in flow.flow.steps:
            for read in reads_of(flow, step):
                if not flow.proofs.is_explained(read.at):
                    yield from _missing(flow, read)


def _missing(flow: FlowFacts, read: Read) -> Iterator[Finding]:
    from stratumc.proof.logic import conjunction, negation
    from stratumc.proof.witness import describe

    model, prover = flow.prover.model, flow.prover
    step, source = read.step, flow.flow.steps[read.source]
    owners = model.owners(step.index)
    there = model.available(read.source, step.index)
    bad = conjunction(read.happens, read.fails, negation(there))
    if prover.possible(owners, bad) is None:
        return
    witness = _witness(flow, read, bad)
    if witness is None:
        return
    always = prover.never(owners, read.happens, there)
    steps = (*flow.graph.ancestors(step.index), step.index)
    when = describe(witness, flow.condition_places(steps), without=(step.id,))
    missing = "is missing in every run, as when" if always else "is missing when"
    yield Finding(
        "REF_MAY_BE_MISSING",
        read.at,
        f"step `{step.id}` reads the output of `{source.id}`, which {missing} {when}",
        severity=Severity.ERROR if always else None,
        related=(RelatedPlace(source.at, f"`{source.id}` gives no output then"),),
        witness=witness,
    )


def _witness(flow: FlowFacts, read: Read, bad: Formula) -> dict[str, Any] | None:
    """A run in which nothing else goes wrong; or, when other steps always fail there, a run without them."""
    from stratumc.proof.flow_witness import find_witness
    from stratumc.proof.logic import conjunction

    model, step = flow.prover.model, read.step.index

    def shows(played: Round) -> bool:
        return step in played.ran and read.source not in played.outputs

    owners = model.owners(step)
    wider = (*owners, *model.beside(step))
    return find_witness(flow.prover, wider, conjunction(bad, model.undisturbed(step)), shows) or find_witness(
        flow.prover, owners, bad, shows
    )


@check("OUTPUT_MAY_BE_MISSING")
def output_may_be_missing(facts: ProofFacts) -> Iterator[Finding]:
    """A flow in which every step can end, none having failed for good, without the output that it returns."""
    for flow in facts.flows.values():
        explained = flow.proofs.is_explained(flow.flow.output.source.at)
        if not flow.output_is_certain and not explained:
            yield from _without_output(flow)


def _without_output(flow: FlowFacts) -> Iterator[Finding]:
    from stratumc.proof.flow_witness import find_witness
    from stratumc.proof.logic import conjunction, negation
    from stratumc.proof.witness import describe

    model, prover = flow.prover.model, flow.prover
    missing = conjunction(model.all_done, negation(model.has_output))
    everything = len(flow.flow.steps)
    witness = find_witness(
        prover,
        model.everyone,
        missing,
        lambda played: len(played.done) == everything and model.lacks_output(played.outputs),
    )
    if witness is not None:
        when = describe(witness, flow.condition_places(range(everything)))
        yield Finding(
            "OUTPUT_MAY_BE_MISSING",
            flow.flow.output.source.at,
            f"flow `{flow.flow.name}` ends without the output of `{flow.source.id}` when {when}",
            related=(RelatedPlace(flow.source.at, f"`{flow.source.id}` gives it"),),
            witness=witness,
        )


@check("FLOW_CANNOT_COMPLETE")
def flow_cannot_complete(facts: ProofFacts) -> Iterator[Finding]:
    """A flow none of whose runs can end well, with where it stops and what rules out to go on."""
    for flow in facts.flows.values():
        if not flow.can_complete:
            why, related = _stops_at(flow)
            yield Finding(
                "FLOW_CANNOT_COMPLETE",
                flow.flow.at.key,
                f"no run of flow `{flow.flow.name}` can end well: {why}",
                related=related,
            )


def _stops_at(flow: FlowFacts) -> tuple[str, tuple[RelatedPlace, ...]]:
    """The first step that no run gets past; else what can't be had together, or the missing output."""
    model = flow.prover.model
    for index in flow.graph.order:
        owners, done = model.owners(index), model.steps[index].done
        if flow.prover.never(owners, done):
            step = flow.flow.steps[index]
            related = _ruled_out(flow, owners, done) or _fails_by_itself(flow, step)
            return f"none gets past `{step.id}`", (RelatedPlace(step.at, "no run gets past this"), *related)
    if flow.prover.never(model.everyone, model.all_done):
        related = _ruled_out(flow, model.everyone, model.all_done)
        place = RelatedPlace(flow.flow.at.child("steps"), "no run meets all demands of these steps")
        return "the demands of its steps contradict each other", related or (place,)
    place = RelatedPlace(flow.flow.output.source.at, f"`{flow.source.id}` never gives the output")
    related = _ruled_out(flow, model.everyone, model.completes)
    return f"none has the output of `{flow.source.id}`", (place, *related)


def _ruled_out(flow: FlowFacts, owners: Sequence[int], wanted: Formula) -> tuple[RelatedPlace, ...]:
    """The ensures and `until`s that contradict each other there."""
    from stratumc.proof.reasons import reasons

    found = reasons(flow.prover.model, owners, wanted)
    return tuple(
        RelatedPlace(text.at, f"{'and ' if place else ''}`{flow.graph.ids[index]}` succeeds only with this")
        for place, (index, text) in enumerate(found)
    )


def _fails_by_itself(flow: FlowFacts, step: Step) -> tuple[RelatedPlace, ...]:
    """A step that fails whenever it runs, whatever is answered."""
    model = flow.prover.model
    formulas, owners = model.steps[step.index], model.owners(step.index)
    if isinstance(step.body, Set):
        return (RelatedPlace(step.body.at, "what this builds never passes its checks"),)
    if flow.prover.never(owners, formulas.runs, formulas.ending.readable):
        return (RelatedPlace(step.at, f"`{step.id}` reads what no run has"),)
    return ()
