"""The syntax tree of a JSON workflow after its fragments are merged (workflow.md)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from stratumc.text import Location


class Comparison(enum.Enum):
    """The operators of a condition."""

    GREATER_EQUAL = ">="
    LESS_EQUAL = "<="
    GREATER = ">"
    LESS = "<"
    EQUAL = "=="
    NOT_EQUAL = "!="


@dataclass(frozen=True, slots=True)
class Always:
    """The condition `always`."""


@dataclass(frozen=True, slots=True)
class ContextPath:
    """A dotted look-up into the context."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThresholdName:
    """`thresholds.<name>`."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal."""

    value: int | float


Operand = ContextPath | ThresholdName | Number


@dataclass(frozen=True, slots=True)
class Compare:
    """`left operator right`."""

    left: ContextPath | ThresholdName
    operator: Comparison
    right: Operand


Condition = Always | Compare


@dataclass(frozen=True, slots=True)
class Transition:
    """An event of a state, or a global one."""

    event: str
    target: str | None
    """None: the resumption target of the previous state."""
    action: str | None
    judgment: bool
    owner: str | None
    """The fragment (its plugin name, else its file name) that gave it; None for the base file."""
    at: Location


@dataclass(frozen=True, slots=True)
class GlobalTransition:
    """A transition available in every state that `except_` does not list."""

    transition: Transition
    except_: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """An automatic transition."""

    condition_text: str
    condition: Condition
    target: str
    action: str | None
    owner: str | None
    at: Location


@dataclass(frozen=True, slots=True)
class State:
    """A state with what every piece adds to it, in order of pieces."""

    name: str
    description: str | None
    transitions: tuple[Transition, ...]
    triggers: tuple[Trigger, ...]
    owner: str | None
    at: Location


@dataclass(frozen=True, slots=True)
class Threshold:
    """A named number."""

    name: str
    value: int | float
    owner: str | None
    at: Location


@dataclass(frozen=True, slots=True)
class ResumptionTarget:
    """Where a null target leads, by previous state."""

    previous: str
    target: str
    owner: str | None
    at: Location


@dataclass(frozen=True, slots=True)
class Config:
    """The base file's settings, each None when not given."""

    state_file: str | None = None
    log_file: str | None = None
    state_field: str | None = None
    previous_state_field: str | None = None


@dataclass(frozen=True, slots=True)
class Workflow:
    """The merged graph; every dict in order of first mention."""

    name: str
    initial_state: str
    states: dict[str, State]
    thresholds: dict[str, Threshold]
    global_transitions: tuple[GlobalTransition, ...]
    global_actions: tuple[str, ...]
    resumption_targets: dict[str, ResumptionTarget]
    config: Config
    at: Location
