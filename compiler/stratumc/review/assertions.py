"""Assertions of a team's settings: each a claim that `check` decides anew (`[tool.stratumc.assertions]`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from stratumc.diagnostics import Finding
from stratumc.proof.results import Proved, Refuted, Undecided
from stratumc.review.decide import decide
from stratumc.review.questions import Claim, UnknownPlaceError
from stratumc.review.verdict import witness_lines
from stratumc.spec.syntax import Spec
from stratumc.text import Location
from stratumc.workflow.syntax import Workflow


def assertion_findings(
    claims: Iterable[tuple[str, Claim]], spec: Spec | None, workflow: Workflow | None
) -> Iterator[Finding]:
    """A finding for each named claim that doesn't hold, isn't decided, or names what isn't there."""
    for name, claim in claims:
        try:
            result = decide(claim, spec, workflow)
        except UnknownPlaceError as error:
            yield Finding("ASSERTION_FAILED", Location(), f"assertion `{name}` can't be decided: {error}")
            continue
        at = _goal(claim, spec, workflow)
        match result:
            case Proved():
                pass
            case Undecided(reason=reason):
                yield Finding("ASSERTION_FAILED", at, f"assertion `{name}` isn't decided: {claim}; {reason}")
            case Refuted(witness=witness):
                way = " then ".join(witness_lines(witness))
                message = f"assertion `{name}` fails: not {claim}: {way}"
                yield Finding("ASSERTION_FAILED", at, message, witness=witness)
            case _:
                assert_never(result)


def _goal(claim: Claim, spec: Spec | None, workflow: Workflow | None) -> Location:
    """The step or state that should only be reached through the gate."""
    if workflow is not None:
        return workflow.states[claim.goal].at.key
    assert spec is not None
    step = spec.flows[claim.flow or spec.entry].step(claim.goal)
    assert step is not None
    return step.at.child("id")
