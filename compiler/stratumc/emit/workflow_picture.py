"""Draws a workflow as a picture: states, events, triggers, globals, resumption."""

from __future__ import annotations

from collections.abc import Mapping

from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape, Tone, shorten
from stratumc.workflow.syntax import GlobalTransition, State, Transition, Workflow

_MAX_LISTED = 6


def workflow_picture(workflow: Workflow, tones: Mapping[str, Tone], unreachable: frozenset[str]) -> Picture:
    """The whole workflow (workflow.md section 1).

    `tones` colours states by name (findings, the project's current state); states in
    `unreachable` are greyed unless a finding colours them.
    """
    return _WorkflowPainter(workflow, tones, unreachable).paint()


def _event_label(transition: Transition) -> str:
    """An edge's label: event, its action behind a slash, and a mark for a judgment."""
    label = transition.event
    if transition.action:
        label += f" / {shorten(transition.action, 32)}"
    return label + (" (judgment)" if transition.judgment else "")


def _names(names: tuple[str, ...]) -> str:
    """A few names, and how many more there are."""
    shown = ", ".join(names[:_MAX_LISTED])
    return shown if len(names) <= _MAX_LISTED else f"{shown}, {len(names) - _MAX_LISTED} more"


class _WorkflowPainter:
    def __init__(self, workflow: Workflow, tones: Mapping[str, Tone], unreachable: frozenset[str]) -> None:
        self.workflow = workflow
        self.tones = tones
        self.unreachable = unreachable
        self.builder = PictureBuilder()
        self.keys: dict[str, str] = {}
        self.resume: str | None = None

    def paint(self) -> Picture:
        start = self.builder.node("", (), Shape.START)
        for state in self.workflow.states.values():
            self._state(state)
        if self.workflow.initial_state in self.keys:
            self.builder.edge(start, self.keys[self.workflow.initial_state], "", Line.ORDER)
        for state in self.workflow.states.values():
            self._leave(state)
        for transition in self.workflow.global_transitions:
            self._global(transition)
        return self.builder.picture(PictureKind.WORKFLOW, self.workflow.name, self._notes())

    def _notes(self) -> tuple[str, ...]:
        if not self.workflow.thresholds:
            return ()
        values = (f"{item.name} = {item.value}" for item in self.workflow.thresholds.values())
        return ("thresholds: " + ", ".join(values),)

    def _state(self, state: State) -> None:
        tone = self.tones.get(state.name, Tone.PLAIN)
        if tone is Tone.PLAIN and state.name in self.unreachable:
            tone = Tone.UNREACHABLE
        lines = (state.name, shorten(state.description)) if state.description else (state.name,)
        shape = Shape.STATE if self._has_exit(state) else Shape.FINAL
        self.keys[state.name] = self.builder.node(state.name, lines, shape, tone)

    def _has_exit(self, state: State) -> bool:
        return bool(
            state.transitions
            or state.triggers
            or any(state.name not in item.except_ for item in self.workflow.global_transitions)
        )

    def _leave(self, state: State) -> None:
        source = self.keys[state.name]
        for order, trigger in enumerate(state.triggers, 1):
            number = f"{order}. " if len(state.triggers) > 1 else ""
            action = f" / {shorten(trigger.action, 32)}" if trigger.action else ""
            self._arrow(source, trigger.target, f"{number}[{trigger.condition_text}]{action}", Line.TRIGGER)
        for transition in state.transitions:
            self._transition(source, transition, _event_label(transition), Line.EVENT)

    def _global(self, item: GlobalTransition) -> None:
        lines = ("any state",) if not item.except_ else ("any state", f"except {_names(item.except_)}")
        source = self.builder.node("", lines, Shape.ANY)
        self._transition(source, item.transition, _event_label(item.transition), Line.GLOBAL)

    def _transition(self, source: str, transition: Transition, label: str, line: Line) -> None:
        if transition.target is None:
            self.builder.edge(source, self._resume(), label, line)
        else:
            self._arrow(source, transition.target, label, line)

    def _arrow(self, source: str, target: str, label: str, line: Line) -> None:
        if target in self.keys:
            self.builder.edge(source, self.keys[target], label, line)

    def _resume(self) -> str:
        """The pseudo node of null targets, drawn once, with an edge per resumption target."""
        if self.resume is None:
            self.resume = self.builder.node("", ("resume", "by previous state"), Shape.RESUME)
            for item in self.workflow.resumption_targets.values():
                self._arrow(self.resume, item.target, f"was {item.previous}", Line.RESUME)
        return self.resume
