"""Findings about outputs that may not exist: read by a step, or returned by a flow (checks.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from stratumc.checks.check import check
from stratumc.checks.flow_facts import FlowFacts
from stratumc.checks.flow_reads import Read, reads_of
from stratumc.diagnostics import Finding, RelatedPlace, Severity

if TYPE_CHECKING:
    from stratumc.checks.facts import SpecFacts
    from stratumc.proof.logic import Formula
    from stratumc.proof.simulate import Round


@check("REF_MAY_BE_MISSING")
def ref_may_be_missing(facts: SpecFacts) -> Iterator[Finding]:
    """A string that is rendered or evaluated in some run in which an output it reads doesn't exist."""
    for flow in facts.proofs.flows.values():
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
def output_may_be_missing(facts: SpecFacts) -> Iterator[Finding]:
    """A flow in which every step can end, none having failed for good, without the output that it returns."""
    for flow in facts.proofs.flows.values():
        if not flow.output_is_certain and not flow.proofs.is_explained(flow.flow.output.source.at):
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
def flow_cannot_complete(facts: SpecFacts) -> Iterator[Finding]:
    """A flow none of whose runs can end well."""
    for flow in facts.proofs.flows.values():
        if not flow.can_complete:
            yield Finding(
                "FLOW_CANNOT_COMPLETE",
                flow.flow.at.key,
                f"no run of flow `{flow.flow.name}` can end well",
                related=(_stops_at(flow),),
            )


def _stops_at(flow: FlowFacts) -> RelatedPlace:
    """The first step that no run gets past; else what cannot be had together, or the missing output."""
    model = flow.prover.model
    for index in flow.graph.order:
        if flow.prover.never(model.owners(index), model.steps[index].done):
            step = flow.flow.steps[index]
            return RelatedPlace(step.at, f"no run gets past `{step.id}`")
    if flow.prover.never(model.everyone, model.all_done):
        return RelatedPlace(flow.flow.at.child("steps"), "what these steps need can't all be had in one run")
    return RelatedPlace(flow.flow.output.source.at, f"`{flow.source.id}` never gives the output")
