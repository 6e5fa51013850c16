"""The answer to a claim, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from stratumc.proof.results import Proved, Refuted, Result, Undecided
from stratumc.review.paths.questions import Claim


def verdict_lines(claim: Claim, result: Result, noun: str) -> Iterator[str]:
    """One line, and for a refutation the way round; the noun is what comes to the goal, `run` or `path`."""
    match result:
        case Proved(vacuous=True):
            yield f"proved: {claim}, since {nothing_comes(claim, noun)}"
        case Proved():
            yield f"proved: {claim}"
        case Undecided(reason=reason):
            yield f"not decided: {claim}; {reason}"
        case Refuted():
            yield f"refuted: {claim}"
            yield from (f"  {line}" for line in refutation_lines(result))
        case _:
            assert_never(result)


def refutation_lines(refuted: Refuted) -> Iterator[str]:
    """The hops of a workflow's path, a line each; the run of a flow in one, and one for what it runs."""
    witness = refuted.witness
    if refuted.words:
        yield from refuted.words
    elif isinstance(witness, list):
        if not witness:
            yield "projects begin there"
        for number, hop in enumerate(witness):
            how = hop["event"] if "event" in hop else f"[{hop['condition']}]"
            is_condition = number == 0 and "previous_state" in hop
            when = f", when the state before was `{hop['previous_state']}`" if is_condition else ""
            yield f"{hop['from']} → {hop['to']} ({how}){when}"
    else:
        from stratumc.proof.witness import describe

        yield f"when {describe(witness)}"


def nothing_comes(claim: Claim, noun: str) -> str:
    """Why a claim holds of nothing."""
    begin = f" from `{claim.start}`" if claim.start else ""
    return f"no {noun}{begin} comes to `{claim.goal}` at all"


def verdict_dict(claim: Claim, result: Result) -> dict[str, Any]:
    """The claim, its verdict (`proved`, `refuted`, `undecided`), and the counterexample.

    A proof is `vacuous` when no run or path comes to the goal at all.
    """
    said = {"from": claim.start, "to": claim.goal, "must_pass": claim.gate}
    match result:
        case Proved(vacuous=vacuous):
            return {**said, "verdict": "proved", "vacuous": vacuous}
        case Undecided(reason=reason):
            return {**said, "verdict": "undecided", "reason": reason}
        case Refuted(witness=witness):
            return {**said, "verdict": "refuted", "counterexample": witness}
        case _:
            assert_never(result)
