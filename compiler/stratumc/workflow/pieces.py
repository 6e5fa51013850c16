"""What one piece of a workflow says by itself: its tree as syntax, with what is broken left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from stratumc.diagnostics import Finding
from stratumc.read.tree import Entry, Mapping, Node, Scalar, Sequence
from stratumc.text import Document, Location
from stratumc.workflow.conditions import ConditionFailure, parse_condition
from stratumc.workflow.naming import shown
from stratumc.workflow.syntax import (
    Always,
    Condition,
    Config,
    GlobalTransition,
    ResumptionTarget,
    State,
    Threshold,
    ThresholdName,
    Transition,
    Trigger,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A workflow file or a fragment as it was read. `root` is None when the file has no tree."""

    document: Document
    root: Node | None
    fragment: bool
    source: int
    """Index of the document among the sources of the check."""


@dataclass(frozen=True, slots=True)
class ThresholdUse:
    """A condition's mention of a threshold."""

    name: str
    at: Location


@dataclass(frozen=True, slots=True)
class StateUse:
    """A mention of a state: what it is for, as messages say it."""

    role: str
    name: str
    at: Location


@dataclass(frozen=True, slots=True)
class NullTarget:
    """A transition without a target: which one, as messages say it."""

    which: str
    at: Location


@dataclass(frozen=True, slots=True)
class PieceSyntax:
    """A piece's declarations in document order; of a broken one only what is sound."""

    file: str
    """The file's name without its folder, as messages show it."""
    source: int
    owner: str | None
    name: str | None
    initial: tuple[str, Location] | None
    states: tuple[State, ...]
    thresholds: tuple[Threshold, ...]
    global_transitions: tuple[GlobalTransition, ...]
    global_actions: tuple[str, ...]
    resumption_targets: tuple[ResumptionTarget, ...]
    config: Config
    threshold_uses: tuple[ThresholdUse, ...]
    state_uses: tuple[StateUse, ...]
    """Every mention, also in declarations that are broken elsewhere or that merging drops."""
    null_targets: tuple[NullTarget, ...]
    findings: tuple[Finding, ...]
    """Conditions that don't parse."""
    gaps: frozenset[str]
    """What is unknown because it is broken; nothing may be concluded from its absence."""


_LISTED = ("initial_state", "states", "thresholds", "resumption_targets")


def read_piece(piece: Piece) -> PieceSyntax:
    """The sound part of a piece; what has a wrong type is left to the shape to report."""
    return _Reader(piece).read()


def _text(entry: Entry | None) -> str | None:
    """The entry's value when it is a string."""
    if entry is not None and isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
        return entry.value.value
    return None


def _names(entry: Entry | None) -> tuple[str, ...]:
    """The entry's value when it is a list of strings and nothing else, so that indexes stay right."""
    items = entry.value.items if entry is not None and isinstance(entry.value, Sequence) else ()
    names = [item.value for item in items if isinstance(item, Scalar) and isinstance(item.value, str)]
    return tuple(names) if len(names) == len(items) else ()


class _Reader:
    """Walks one tree and collects what the declarations mention on the way."""

    def __init__(self, piece: Piece) -> None:
        self._piece = piece
        self._file = os.path.basename(piece.document.name)
        self._root = piece.root if isinstance(piece.root, Mapping) else None
        self._owner = (_text(self._get("name")) or self._file) if piece.fragment else None
        self._at = Location(source=piece.source)
        self._uses: list[ThresholdUse] = []
        self._states: list[StateUse] = []
        self._null_targets: list[NullTarget] = []
        self._findings: list[Finding] = []
        self._gaps: set[str] = set() if self._root is not None else set(_LISTED)

    def read(self) -> PieceSyntax:
        """Everything the piece declares."""
        return PieceSyntax(
            file=self._file,
            source=self._piece.source,
            owner=self._owner,
            name=_text(self._get("name")),
            initial=self._initial(),
            states=tuple(self._state(entry) for entry in self._mapping("states")),
            thresholds=tuple(self._thresholds()),
            global_transitions=tuple(self._global_transitions()),
            global_actions=_names(self._get("global_actions")),
            resumption_targets=tuple(self._resumption_targets()),
            config=self._config(),
            threshold_uses=tuple(self._uses),
            state_uses=tuple(self._states),
            null_targets=tuple(self._null_targets),
            findings=tuple(self._findings),
            gaps=frozenset(self._gaps),
        )

    def _get(self, key: str) -> Entry | None:
        return self._root.get(key) if self._root is not None else None

    def _mapping(self, key: str) -> tuple[Entry, ...]:
        entry = self._get(key)
        if entry is None:
            return ()
        if not isinstance(entry.value, Mapping):
            self._gaps.add(key)
            return ()
        return entry.value.entries

    def _initial(self) -> tuple[str, Location] | None:
        entry = self._get("initial_state")
        name = _text(entry)
        if entry is not None and name is None:
            self._gaps.add("initial_state")
        if name is None:
            return None
        at = self._at.child("initial_state")
        self._states.append(StateUse("`initial_state`", name, at))
        return name, at

    def _state(self, entry: Entry) -> State:
        at = self._at.child("states", entry.name)
        node = entry.value if isinstance(entry.value, Mapping) else None
        described = node.get("description") if node is not None else None
        description = _text(described)
        if node is None or (described is not None and description is None):
            self._gaps.add("descriptions")
        return State(
            name=entry.name,
            description=description,
            transitions=tuple(self._transitions(node, at, shown(entry.name))),
            triggers=tuple(self._triggers(node, at, shown(entry.name))),
            owner=self._owner,
            at=at,
        )

    def _items(self, node: Mapping | None, key: str, at: Location) -> Iterator[tuple[Mapping, Location]]:
        """The items of a list that are mappings, with their places."""
        entry = node.get(key) if node is not None else None
        if entry is not None and isinstance(entry.value, Sequence):
            for index, item in enumerate(entry.value.items):
                if isinstance(item, Mapping):
                    yield item, at.child(key, index)

    def _transitions(self, node: Mapping | None, at: Location, state: str) -> Iterator[Transition]:
        for item, place in self._items(node, "transitions", at):
            transition = self._transition(item, place, state)
            if transition is not None:
                yield transition

    def _transition(self, item: Mapping, at: Location, state: str | None) -> Transition | None:
        """The transition of a state, or a global one, if it is sound; its target counts in any case."""
        event, target = _text(item.get("event")), item.get("target")
        name = _text(target)
        is_null = target is None or (isinstance(target.value, Scalar) and target.value.value is None)
        which = f"event {shown(event)}" if event else "a transition"
        if name is not None:
            where = "of the global transitions" if state is None else f"in state {state}"
            role = f"the target of {which} {where}"
            self._states.append(StateUse(role, name, at.child("target")))
        elif is_null:
            where = "the global transitions" if state is None else f"state {state}"
            self._null_targets.append(NullTarget(f"{which} of {where}", at.child("target")))
        if not event or (name is None and not is_null):
            return None
        judgment = item.get("judgment")
        weighed = judgment is not None and isinstance(judgment.value, Scalar) and judgment.value.value is True
        return Transition(event, name, _text(item.get("action")), weighed, self._owner, at)

    def _triggers(self, node: Mapping | None, at: Location, state: str) -> Iterator[Trigger]:
        for item, place in self._items(node, "triggers", at):
            text, target = _text(item.get("condition")), _text(item.get("target"))
            condition = self._condition(text, place.child("condition")) if text is not None else Always()
            if target is not None:
                role = f"the target of a trigger in state {state}"
                self._states.append(StateUse(role, target, place.child("target")))
                action = _text(item.get("action"))
                yield Trigger(text or "", condition, target, action, self._owner, place)

    def _condition(self, text: str, at: Location) -> Condition:
        parsed = parse_condition(text)
        if isinstance(parsed, ConditionFailure):
            place = at.within(parsed.start, parsed.end)
            finding = Finding("CONDITION_INVALID", place, parsed.message, suggestion=parsed.suggestion)
            self._findings.append(finding)
            return Always()
        for placed in parsed.operands:
            if isinstance(placed.operand, ThresholdName):
                place = at.within(placed.start, placed.end)
                self._uses.append(ThresholdUse(placed.operand.name, place))
        return parsed.condition

    def _thresholds(self) -> Iterator[Threshold]:
        for entry in self._mapping("thresholds"):
            at = self._at.child("thresholds", entry.name)
            value = entry.value.value if isinstance(entry.value, Scalar) else None
            known = value if isinstance(value, int | float) and not isinstance(value, bool) else None
            # One of a wrong type is a threshold all the same, so that its uses get no second error.
            yield Threshold(entry.name, known if known is not None else 0, self._owner, at)
            if known is None:
                self._gaps.add("threshold_values")

    def _global_transitions(self) -> Iterator[GlobalTransition]:
        for item, place in self._items(self._root, "global_transitions", self._at):
            transition = self._transition(item, place, None)
            self._excepted(item, place)
            if transition is not None:
                yield GlobalTransition(transition, _names(item.get("except")))

    def _excepted(self, item: Mapping, at: Location) -> None:
        event, entry = _text(item.get("event")), item.get("except")
        which = f"global event {shown(event)}" if event else "a global transition"
        for index, node in enumerate(
            entry.value.items if entry is not None and isinstance(entry.value, Sequence) else ()
        ):
            if isinstance(node, Scalar) and isinstance(node.value, str):
                place = at.child("except", index)
                self._states.append(StateUse(f"a state that {which} excepts", node.value, place))

    def _resumption_targets(self) -> Iterator[ResumptionTarget]:
        for entry in self._mapping("resumption_targets"):
            target = _text(entry)
            at = self._at.child("resumption_targets", entry.name)
            self._states.append(StateUse("a key of `resumption_targets`", entry.name, at.key))
            if target is None:
                self._gaps.add("resumption_targets")
                continue
            role = f"the resumption target of {shown(entry.name)}"
            self._states.append(StateUse(role, target, at))
            yield ResumptionTarget(entry.name, target, self._owner, at)

    def _config(self) -> Config:
        entry = self._get("config")
        if self._piece.fragment or entry is None or not isinstance(entry.value, Mapping):
            return Config()
        config = Config()
        for name in ("state_file", "log_file", "state_field", "previous_state_field"):
            config = replace(config, **{name: _text(entry.value.get(name))})
        return config
