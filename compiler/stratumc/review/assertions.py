"""Assertions of a team's settings: each a claim that `check` decides anew (`[tool.stratumc.assertions]`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from stratumc.diagnostics.nearest import did_you_mean
from stratumc.proof.results import Proved, Refuted, Undecided
from stratumc.review.decide import decide
from stratumc.review.questions import Claim
from stratumc.review.verdict import witness_lines
from stratumc.spec.syntax import Spec
from stratumc.text import Location
from stratumc.text.record import record
from stratumc.workflow.syntax import Workflow

_MOST_LISTED = 8


@record
class FailedClaim:
    """Why a named claim counts as failed: some run breaks it, or it can't be decided."""

    name: str
    message: str
    at: Location | None = None
    """The step or state that is reached; None for a fault of the claim itself."""
    key: str | None = None
    """The key of the claim whose value is wrong; None when the claim is sound."""
    witness: Any = None
    suggestion: str | None = None


def failed_claims(
    claims: Iterable[tuple[str, Claim]], spec: Spec | None, workflow: Workflow | None
) -> Iterator[FailedClaim]:
    """A failure for each named claim that doesn't hold or isn't decided, and for each unknown name in one."""
    for name, claim in claims:
        faults = tuple(_faults(name, claim, spec, workflow))
        if faults:
            yield from faults
            continue
        result = decide(claim, spec, workflow)
        at = _goal(claim, spec, workflow)
        match result:
            case Proved():
                pass
            case Undecided(reason=reason):
                yield FailedClaim(name, f"assertion `{name}` isn't decided: {claim}; {reason}", at)
            case Refuted(witness=witness):
                way = " then ".join(witness_lines(witness))
                yield FailedClaim(name, f"assertion `{name}` fails: not {claim}: {way}", at, witness=witness)
            case _:
                assert_never(result)


def _faults(name: str, claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Iterator[FailedClaim]:
    """What keeps a claim from being asked: names that the file doesn't have."""
    begin = f"assertion `{name}` can't be decided: "
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
                name, message, key="flow", suggestion=_known(claim.flow or "", tuple(spec.flows))
            )
            return
        noun, known = f"step of flow `{flow.name}`", tuple(step.id for step in flow.steps)
    for key, place in places:
        if place is not None and place not in known:
            message = f"{begin}no {noun} is `{place}`"
            yield FailedClaim(name, message, key=key, suggestion=_known(place, known))


def _known(name: str, known: tuple[str, ...]) -> str:
    """The nearest known name, or the first of those there are."""
    listed = ", ".join(f"`{one}`" for one in known[:_MOST_LISTED])
    more = f" and {len(known) - _MOST_LISTED} more" if len(known) > _MOST_LISTED else ""
    return did_you_mean(name, known) or f"there are {listed}{more}"


def _goal(claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Location:
    """The step or state that should only be reached through the gate."""
    if workflow is not None:
        return workflow.states[claim.goal].at.key
    assert spec is not None
    step = spec.flows[claim.flow or spec.entry].step(claim.goal)
    assert step is not None
    return step.at.child("id")
