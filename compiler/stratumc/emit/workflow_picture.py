"""Draws a workflow as a picture: states, events, triggers, globals, resumption."""

from __future__ import annotations

from collections.abc import Mapping

from stratumc.emit.label_text import LABEL_WIDTH, NAME_WIDTH, listed, name_lines, shorten, wrap
from stratumc.emit.picture import Line, Picture, PictureBuilder, PictureKind, Shape, Tone
from stratumc.text import Location
from stratumc.workflow.syntax import GlobalTransition, State, Transition, Trigger, Workflow

_MOST_NAMES = 200
"""Characters of the states that a global event is offered in, or isn't."""

_FEW = 3
"""So many exceptions more than states that offer an event are still told rather than those."""


def workflow_picture(workflow: Workflow, tones: Mapping[Location, Tone], current: str | None) -> Picture:
    """The whole workflow (workflow.md section 1).

    `tones` colours states, transitions, triggers and global transitions by their place; `current` is the
    state that a project is in.
    """
    return _WorkflowPainter(workflow, tones, current).paint()


class _WorkflowPainter:
    def __init__(self, workflow: Workflow, tones: Mapping[Location, Tone], current: str | None) -> None:
        self.workflow = workflow
        self.tones = tones
        self.current = current
        self.builder = PictureBuilder()
        self.keys: dict[str, str] = {}
        self.resume: str | None = None
        self.missing: dict[str, str] = {}
        self.is_always_left = any(not item.except_ for item in workflow.global_transitions)
        self.owners: dict[str, list[str]] = {}
        """States by the events that they have transitions for."""
        for state in workflow.states.values():
            for event in dict.fromkeys(one.event for one in state.transitions):
                self.owners.setdefault(event, []).append(state.name)
        self.excepted = [frozenset(item.except_) for item in workflow.global_transitions]

    def paint(self) -> Picture:
        """Draws everything."""
        start = self.builder.node(None, ("start",), Shape.START)
        for state in self.workflow.states.values():
            self._state(state)
        if self.workflow.initial_state:
            self.builder.edge(start, self._key(self.workflow.initial_state), "", Line.ORDER)
        for state in self.workflow.states.values():
            self._leave(state)
        for item in self.workflow.global_transitions:
            self._global(item)
        return self.builder.picture(PictureKind.WORKFLOW, self.workflow.name, self._notes())

    def _notes(self) -> tuple[str, ...]:
        values = ", ".join(f"{item.name} = {item.value}" for item in self.workflow.thresholds.values())
        return (f"thresholds: {values}",) if values else ()

    def _state(self, state: State) -> None:
        tone = Tone.CURRENT if state.name == self.current else self._tone(state.at)
        description = (shorten(state.description, NAME_WIDTH),) if state.description else ()
        shape = Shape.STATE if self._has_exit(state) else Shape.FINAL
        lines = (*name_lines(state.name), *description)
        self.keys[state.name] = self.builder.node(state.name, lines, shape, tone, at=state.at)

    def _has_exit(self, state: State) -> bool:
        if state.transitions or state.triggers or self.is_always_left:
            return True
        return any(state.name not in excepted for excepted in self.excepted)

    def _leave(self, state: State) -> None:
        source = self.keys[state.name]
        for order, trigger in enumerate(state.triggers, 1):
            number = f"{order}. " if len(state.triggers) > 1 else ""
            label = f"{number}{_trigger_label(trigger)}"
            self._arrow(source, trigger.target, label, Line.TRIGGER, self._tone(trigger.at))
        for transition in state.transitions:
            self._transition(source, transition, Line.EVENT)

    def _global(self, item: GlobalTransition) -> None:
        source = self.builder.node(None, self._offering(item), Shape.ANY)
        self._transition(source, item.transition, Line.GLOBAL)

    def _offering(self, item: GlobalTransition) -> tuple[str, ...]:
        """Which states offer a global event: not those excepted, nor those with an event of that name."""
        excepted = frozenset(item.except_)
        owning = [name for name in self.owners.get(item.transition.event, ()) if name not in excepted]
        outside = [*item.except_, *owning]
        without = excepted.union(owning)
        inside = [name for name in self.workflow.states if name not in without]
        if not outside:
            return ("any state",)
        if not inside:
            return ("no state",)
        if len(inside) < len(outside) - _FEW:
            return wrap(f"only {_names(inside)}", NAME_WIDTH)
        return ("any state", *wrap(f"except {_names(outside)}", NAME_WIDTH))

    def _transition(self, source: str, transition: Transition, line: Line) -> None:
        label, tone = _event_label(transition), self._tone(transition.at)
        if transition.target is None:
            self.builder.edge(source, self._resume(), label, line, tone)
        else:
            self._arrow(source, transition.target, label, line, tone)

    def _arrow(self, source: str, target: str, label: str, line: Line, tone: Tone = Tone.PLAIN) -> None:
        self.builder.edge(source, self._key(target), label, line, tone)

    def _key(self, name: str) -> str:
        """The node of a state; one in the colour of errors for a name that is none."""
        key = self.keys.get(name) or self.missing.get(name)
        if key is None:
            lines = (*name_lines(name), "no such state")
            key = self.missing[name] = self.builder.node(None, lines, Shape.MISSING, Tone.ERROR)
        return key

    def _resume(self) -> str:
        """The node of null targets, drawn once, with an edge per resumption target."""
        if self.resume is None:
            self.resume = self.builder.node(None, ("resume", "by previous state"), Shape.RESUME)
            for item in self.workflow.resumption_targets.values():
                self._arrow(self.resume, item.target, f"was {item.previous}", Line.RESUME)
        return self.resume

    def _tone(self, at: Location) -> Tone:
        return self.tones.get(at, Tone.PLAIN)


def _event_label(transition: Transition) -> str:
    """An edge's label: event, its action behind a slash, and a mark for a judgment."""
    action = f" / {shorten(transition.action)}" if transition.action else ""
    return transition.event + action + (" (judgment)" if transition.judgment else "")


def _trigger_label(trigger: Trigger) -> str:
    action = f" / {shorten(trigger.action)}" if trigger.action else ""
    return f"[{trigger.condition_text}]{action}"


def _names(names: list[str]) -> str:
    return listed([shorten(name, LABEL_WIDTH) for name in names], _MOST_NAMES)
