"""Merges the pieces of a workflow, which accumulate and never override (workflow.md section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.text import Location
from stratumc.workflow.naming import shown
from stratumc.workflow.pieces import PieceSyntax
from stratumc.workflow.syntax import (
    Config,
    GlobalTransition,
    ResumptionTarget,
    State,
    Threshold,
    Transition,
)

Declared = TypeVar("Declared")


@dataclass(slots=True)
class Merged:
    """The sum of all pieces; of two that conflict the first is kept."""

    initial: tuple[str, Location] | None = None
    states: dict[str, State] = field(default_factory=dict)
    thresholds: dict[str, Threshold] = field(default_factory=dict)
    global_transitions: list[GlobalTransition] = field(default_factory=list)
    global_actions: dict[str, None] = field(default_factory=dict)
    resumption_targets: dict[str, ResumptionTarget] = field(default_factory=dict)
    config: Config = field(default_factory=Config)
    findings: list[Finding] = field(default_factory=list)


def merge(pieces: tuple[PieceSyntax, ...]) -> Merged:
    """The pieces put together in their order, with every conflict between two of them."""
    return _Merger(pieces).merge()


class _Merger:
    """Puts pieces together, one kind of declaration after the other."""

    def __init__(self, pieces: tuple[PieceSyntax, ...]) -> None:
        self._pieces = pieces
        self._merged = Merged()
        self._gaps = frozenset(gap for piece in pieces for gap in piece.gaps)

    def merge(self) -> Merged:
        merged = self._merged
        self._initial()
        merged.states = {name: self._state(name, parts) for name, parts in self._parts().items()}
        merged.thresholds = self._keyed(
            (part for piece in self._pieces for part in piece.thresholds),
            lambda part: (part.name, part.value, part.at, "threshold"),
            is_known="threshold_values" not in self._gaps,
        )
        merged.resumption_targets = self._keyed(
            (part for piece in self._pieces for part in piece.resumption_targets),
            lambda part: (part.previous, part.target, part.at, "resumption target"),
            is_known=True,
        )
        every = [part for piece in self._pieces for part in piece.global_transitions]
        kept = self._events([part.transition for part in every], "among the global transitions")
        first = {id(transition) for transition in kept}
        merged.global_transitions = [part for part in every if id(part.transition) in first]
        for piece in self._pieces:
            merged.global_actions.update(dict.fromkeys(piece.global_actions))
        merged.config = next((piece.config for piece in self._pieces if piece.owner is None), Config())
        return merged

    def _file(self, at: Location) -> str:
        return next(piece.file for piece in self._pieces if piece.source == at.source)

    def _both(self, first: Location, second: Location) -> str:
        return f"{shown(self._file(first))} and {shown(self._file(second))}"

    def _report(self, code: str, at: Location, message: str, first: Location, note: str) -> None:
        self._merged.findings.append(Finding(code, at, message, related=(RelatedPlace(first, note),)))

    def _initial(self) -> None:
        for piece in self._pieces:
            if piece.initial is None:
                continue
            if self._merged.initial is None:
                self._merged.initial = piece.initial
                continue
            (first, first_at), (name, at) = self._merged.initial, piece.initial
            if name != first:
                both = self._both(first_at, at)
                message = f"{both} give different initial states, {shown(first)} and {shown(name)}"
                self._report("FRAGMENT_CONFLICT", at, message, first_at, f"{shown(first)} is given here")

    def _parts(self) -> dict[str, list[State]]:
        parts: dict[str, list[State]] = {}
        for piece in self._pieces:
            for state in piece.states:
                parts.setdefault(state.name, []).append(state)
        return parts

    def _state(self, name: str, parts: list[State]) -> State:
        definition = self._definition(name, parts)
        return State(
            name=name,
            description=definition.description,
            transitions=self._events(
                [transition for part in parts for transition in part.transitions], f"of state {shown(name)}"
            ),
            triggers=tuple(trigger for part in parts for trigger in part.triggers),
            owner=definition.owner,
            at=definition.at,
        )

    def _definition(self, name: str, parts: list[State]) -> State:
        """The part that defines the state: one with a description, else the base file's."""
        described = [part for part in parts if part.description is not None]
        for part in described[1:]:
            first = described[0]
            message = f"{self._both(first.at, part.at)} both define state {shown(name)}"
            self._report("STATE_DEFINED_TWICE", part.at.key, message, first.at.key, "it is defined here too")
        if described:
            return described[0]
        from_base = next((part for part in parts if part.owner is None), None)
        if from_base is None and not self._gaps & {"states", "descriptions"}:
            self._never_defined(name, parts)
        return from_base or parts[0]

    def _never_defined(self, name: str, parts: list[State]) -> None:
        files = " and ".join(shown(self._file(part.at)) for part in parts)
        verb = "extends" if len(parts) == 1 else "extend"
        finding = Finding(
            "STATE_NEVER_DEFINED",
            parts[0].at.key,
            f"{files} {verb} state {shown(name)}, which no piece defines",
            related=tuple(RelatedPlace(part.at.key, "it is extended here too") for part in parts[1:]),
            suggestion="give it a `description` where it is defined",
        )
        self._merged.findings.append(finding)

    def _events(self, transitions: list[Transition], where: str) -> tuple[Transition, ...]:
        """The first transition of each event; every other is a fault."""
        first: dict[str, Transition] = {}
        for transition in transitions:
            earlier = first.setdefault(transition.event, transition)
            if earlier is transition:
                continue
            code, who = "EVENT_DUPLICATE", "two transitions"
            if earlier.at.source != transition.at.source:
                code, who = (
                    "FRAGMENT_CONFLICT",
                    f"{self._both(earlier.at, transition.at)} both have a transition",
                )
            message = f"{who} for event {shown(transition.event)} {where}"
            self._report(
                code, transition.at.child("event"), message, earlier.at.child("event"), "the first is here"
            )
        return tuple(first.values())

    def _keyed(
        self,
        declared: Iterable[Declared],
        describe: Callable[[Declared], tuple[str, object, Location, str]],
        *,
        is_known: bool,
    ) -> dict[str, Declared]:
        """Declarations by name, which several pieces may repeat with one value only."""
        found: dict[str, Declared] = {}
        for part in declared:
            name, value, at, what = describe(part)
            earlier = found.setdefault(name, part)
            _, first, first_at, _ = describe(earlier)
            if is_known and value != first:
                values = " and ".join(
                    shown(one) if isinstance(one, str) else str(one) for one in (first, value)
                )
                message = f"{self._both(first_at, at)} give {what} {shown(name)} different values, {values}"
                self._report("FRAGMENT_CONFLICT", at, message, first_at, "the other is here")
        return found
