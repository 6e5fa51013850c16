"""The load rules that need the whole merged workflow: every name resolves (workflow.md section 1)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding
from stratumc.diagnostics.nearest import Names
from stratumc.text import Location
from stratumc.workflow.merge import Merged
from stratumc.workflow.naming import shown
from stratumc.workflow.pieces import PieceSyntax


def check_names(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    """Every name that nothing declares.

    Where a piece, or the part of it that would declare the name, is broken, nothing is concluded from its
    absence.
    """
    gaps = {gap for piece in pieces for gap in piece.gaps}
    if "states" not in gaps:
        yield from _has_states(merged, pieces)
        yield from _states(merged, pieces)
    if "initial_state" not in gaps and merged.initial is None and merged.states:
        at = Location(("initial_state",), source=pieces[0].source)
        yield Finding("SCHEMA_INVALID", at, "`initial_state` is missing from this workflow")
    if "thresholds" not in gaps:
        yield from _thresholds(merged, pieces)
    if "resumption_targets" not in gaps and not merged.resumption_targets:
        yield from _resumptions(pieces)


def _has_states(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    if not merged.states:
        at = Location(("states",), source=pieces[0].source)
        yield Finding("SCHEMA_INVALID", at, "this workflow is empty: `states` has no state")


def _states(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    names = Names(merged.states)
    for piece in pieces:
        for use in piece.state_uses:
            if use.name not in merged.states and merged.states:
                message = f"{use.role} is {shown(use.name)}, which isn't a state"
                suggestion = names.did_you_mean(use.name)
                yield Finding("STATE_UNKNOWN", use.at, message, suggestion=suggestion)


def _thresholds(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    names = Names(merged.thresholds)
    for piece in pieces:
        for use in piece.threshold_uses:
            if use.name not in merged.thresholds:
                message = f"threshold {shown(use.name)} is not defined"
                suggestion = names.did_you_mean(use.name)
                yield Finding("THRESHOLD_UNDEFINED", use.at, message, suggestion=suggestion)


def _resumptions(pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    for piece in pieces:
        for one in piece.null_targets:
            message = f"{one.which} has no target, and there are no resumption targets"
            yield Finding("RESUMPTION_UNDEFINED", one.at, message)
