"""Assertions of a team's settings: each a claim that `check` decides anew (`[tool.stratumc.assertions]`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from stratumc.diagnostics.nearest import names_meant
from stratumc.proof.results import Proved, Refuted, Undecided
from stratumc.review.paths.decide import decide
from stratumc.review.paths.questions import Claim
from stratumc.review.paths.verdict import nothing_comes, refutation_lines
from stratumc.spec.syntax import Run, Spec, Step
from stratumc.text import Location
from stratumc.text.record import record
from stratumc.workflow.syntax import Workflow


@record
class FailedClaim:
    """Why a claim counts as failed: some run breaks it, or it can't be decided; or that it says nothing."""

    name: str
    message: str
    at: Location | None = None
    """The step or state that is reached; None for a fault of the claim itself."""
    key: str | None = None
    """The key of the claim whose value is wrong; None when the claim is sound."""
    witness: Any = None
    suggestion: str | None = None
    is_vacuous: bool = False
    """The claim holds, but only because nothing comes to its goal."""


def failed_claims(
    claims: Iterable[tuple[str, Claim]], spec: Spec | None, workflow: Workflow | None
) -> Iterator[FailedClaim]:
    """A failure for each claim that doesn't hold, isn't decided or says nothing, or has unknown names."""
    for name, claim in claims:
        faults = tuple(_faults(name, claim, spec, workflow))
        if faults:
            yield from faults
            continue
        result = decide(claim, spec, workflow)
        at = _goal(claim, spec, workflow)
        match result:
            case Proved(vacuous=True):
                noun = "run" if workflow is None else "path"
                message = f"assertion `{name}` says nothing: {nothing_comes(claim, noun)}"
                yield FailedClaim(name, message, at, is_vacuous=True)
            case Proved():
                pass
            case Undecided(reason=reason):
                yield FailedClaim(name, f"assertion `{name}` isn't decided: {claim}; {reason}", at)
            case Refuted(witness=witness):
                way = " then ".join(refutation_lines(result))
                yield FailedClaim(name, f"assertion `{name}` fails: not {claim}: {way}", at, witness=witness)
            case _:
                assert_never(result)


def _faults(name: str, claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Iterator[FailedClaim]:
    """What keeps a claim from being asked: names that the file doesn't have."""
    begin = f"assertion `{name}` can't be decided: "
    gate, dot, inside = claim.gate.partition(".")
    places = (("to", claim.goal), ("must-pass", claim.gate), ("from", claim.start))
    if workflow is not None:
        if claim.flow is not None:
            yield FailedClaim(name, begin + "a workflow has no flows", key="flow", suggestion="remove `flow`")
        noun, known = "state", tuple(workflow.states)
    else:
        assert spec is not None
        flow = spec.flows.get(spec.entry if claim.flow is None else claim.flow)
        if flow is None:
            message = f"{begin}no flow is `{claim.flow or spec.entry}`"
            yield FailedClaim(
                name, message, key="flow", suggestion=names_meant(claim.flow or "", tuple(spec.flows))
            )
            return
        noun, known = f"step of flow `{flow.name}`", tuple(step.id for step in flow.steps)
        if dot:
            yield from _nested_faults(name, begin, spec, flow.step(gate), inside)
            known = (*known, claim.gate) if flow.step(gate) is not None else known
    for key, place in places:
        if place is not None and place not in known:
            message = f"{begin}no {noun} is `{place}`"
            yield FailedClaim(name, message, key=key, suggestion=names_meant(place, known))


def _nested_faults(
    name: str, begin: str, spec: Spec, step: Step | None, inside: str
) -> Iterator[FailedClaim]:
    """What is wrong with the second part of a gate `step.gate`; of a step that isn't there, nothing."""
    if step is None:
        return
    if not isinstance(step.body, Run):
        message = f"{begin}step `{step.id}` runs no flow that could have a step `{inside}`"
        yield FailedClaim(name, message, key="must-pass")
        return
    called = step.body.flow.value
    known = tuple(one.id for one in spec.flows[called].steps)
    if inside not in known:
        message = f"{begin}no step of flow `{called}` is `{inside}`"
        yield FailedClaim(name, message, key="must-pass", suggestion=names_meant(inside, known))


def _goal(claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Location:
    """The step or state that should only be reached through the gate."""
    if workflow is not None:
        return workflow.states[claim.goal].at.key
    assert spec is not None
    step = spec.flows[claim.flow or spec.entry].step(claim.goal)
    assert step is not None
    return step.at.child("id")
