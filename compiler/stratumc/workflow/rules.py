"""The load rules that need the whole merged workflow: every name resolves (workflow.md section 1)."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.diagnostics import Finding
from stratumc.diagnostics.nearest import did_you_mean
from stratumc.text import Location
from stratumc.workflow.merge import Merged
from stratumc.workflow.naming import shown
from stratumc.workflow.pieces import PieceSyntax
from stratumc.workflow.syntax import Transition


def check_names(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    """Every name that nothing declares.

    Where a piece, or the part of it that would declare the name, is broken, nothing is concluded from its
    absence.
    """
    gaps = {gap for piece in pieces for gap in piece.gaps}
    if "states" not in gaps:
        yield from _has_states(merged, pieces)
        yield from _states(merged)
    if "initial_state" not in gaps and merged.initial is None and merged.states:
        at = Location(("initial_state",), source=pieces[0].source)
        yield Finding("SCHEMA_INVALID", at, "`initial_state` is missing from this workflow")
    if "thresholds" not in gaps:
        yield from _thresholds(merged, pieces)
    if "resumption_targets" not in gaps and not merged.resumption_targets:
        yield from _resumptions(merged)


def _has_states(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    if not merged.states:
        at = Location(("states",), source=pieces[0].source)
        yield Finding("SCHEMA_INVALID", at, "this workflow is empty: `states` has no state")


def _states(merged: Merged) -> Iterator[Finding]:
    for role, name, at in _state_names(merged):
        if name not in merged.states and merged.states:
            message = f"{role} is {shown(name)}, which is no state"
            yield Finding("STATE_UNKNOWN", at, message, suggestion=did_you_mean(name, merged.states))


def _state_names(merged: Merged) -> Iterator[tuple[str, str, Location]]:
    """Every mention of a state: what it is for, the name, its place."""
    if merged.initial is not None:
        yield "`initial_state`", *merged.initial
    for state in merged.states.values():
        for transition in state.transitions:
            if transition.target is not None:
                role = f"the target of event {shown(transition.event)} in state {shown(state.name)}"
                yield role, transition.target, transition.at.child("target")
        for trigger in state.triggers:
            role = f"the target of a trigger in state {shown(state.name)}"
            yield role, trigger.target, trigger.at.child("target")
    for item in merged.global_transitions:
        event, at = item.transition.event, item.transition.at
        if item.transition.target is not None:
            yield f"the target of global event {shown(event)}", item.transition.target, at.child("target")
        for index, name in enumerate(item.except_):
            yield f"a state that global event {shown(event)} excepts", name, at.child("except", index)
    for resumption in merged.resumption_targets.values():
        yield "a key of `resumption_targets`", resumption.previous, resumption.at.key
        role = f"the resumption target of {shown(resumption.previous)}"
        yield role, resumption.target, resumption.at


def _thresholds(merged: Merged, pieces: tuple[PieceSyntax, ...]) -> Iterator[Finding]:
    for piece in pieces:
        for use in piece.threshold_uses:
            if use.name not in merged.thresholds:
                message = f"threshold {shown(use.name)} is not defined"
                suggestion = did_you_mean(use.name, merged.thresholds)
                yield Finding("THRESHOLD_UNDEFINED", use.at, message, suggestion=suggestion)


def _resumptions(merged: Merged) -> Iterator[Finding]:
    for where, transition in _transitions(merged):
        if transition.target is None:
            message = (
                f"event {shown(transition.event)} {where} has no target, and there are no resumption targets"
            )
            yield Finding("RESUMPTION_UNDEFINED", transition.at.child("target"), message)


def _transitions(merged: Merged) -> Iterator[tuple[str, Transition]]:
    for state in merged.states.values():
        for transition in state.transitions:
            yield f"of state {shown(state.name)}", transition
    for item in merged.global_transitions:
        yield "of the global transitions", item.transition
