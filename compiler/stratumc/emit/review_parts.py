"""What the review page is made of, before it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stratumc.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class PathEdge:
    """A way from one place to the next, both by number."""

    source: int
    target: int
    label: str
    previous: int | None = None
    """Of a null target, the number of the state before the source, by which it was looked up."""
    over: tuple[int, ...] = ()
    """The numbers of the steps between the two that are skipped."""


@dataclass(frozen=True, slots=True)
class PassedGate:
    """A gate that runs of a flow may pass: one of its steps, or of the flow that a step runs."""

    name: str
    step: int
    """The number of the step of the flow itself."""
    is_inside: bool
    """Whether it is one of the flow that the step runs."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node that stands for a step, a stage of one, or a state."""

    key: str
    number: int
    """Of its step or state, in the picture whose step it is."""
    means: str
    """What its colour says; empty for one that has none."""
    flow: str | None = None
    """The flow whose step it is, if that is another one: it is drawn inside the step that runs it."""
    stage: int | None = None
    """Which stage of its step it is, from 1; None for the step itself."""
    line: int | None = None
    """The line on which a stage is declared."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One way to draw a flow or workflow: as it is, or what changed in it."""

    svg: str
    """Node ids are the keys of `nodes` and `passages`."""
    nodes: tuple[DrawnNode, ...]
    passages: tuple[tuple[str, int], ...]
    """The other nodes inside what is drawn for a step, and its number: ways enter and leave by them."""
    legend: tuple[tuple[str, str], ...]
    """The colours in it and what they mean."""


@dataclass(frozen=True, slots=True)
class ReviewPicture:
    """One flow or workflow, with what the page needs to answer clicks."""

    input: int
    """The number of the input that it belongs to."""
    noun: str
    """`step` or `state`."""
    title: str
    drawings: tuple[Drawing, ...]
    """As it is and, where versions are compared, what changed."""
    names: tuple[str, ...]
    """Steps or states, in document order."""
    lines: tuple[tuple[str, int], ...]
    """Per name, file and line of its declaration."""
    findings: tuple[tuple[int, ...], ...]
    """Per name, the numbers of the diagnostics about it."""
    own: tuple[int, ...]
    """The numbers of those about no step or state: about the flow or workflow itself, or its file."""
    calls: tuple[str | None, ...]
    """Per name the flow that the step runs, if it does."""
    places: tuple[tuple[int, int | None], ...]
    """Where a run or project can be: per place the number of its name. A state has several where the ways on
    depend on the state before: then with the number of that, or None where projects begin.
    """
    known: int
    """How many of the places, from the first, are come to; at the others a project can only be put."""
    starts: tuple[int, ...]
    """The places where runs or projects begin."""
    edges: tuple[PathEdge, ...]
    """The ways between places."""
    paths: tuple[tuple[tuple[PathEdge, ...] | None, ...], ...] | None = None
    """Of some flows the paths that a run takes: from where runs begin, then from each step, to each step."""
    is_of_runs: bool = True
    """Whether every path, or else every sequence of ways, is one that some run takes."""
    completes: bool = True
    """Whether it isn't proved that no run of the flow can end well."""
    gates: tuple[PassedGate, ...] = ()
    before: tuple[tuple[int, ...], ...] = ()
    """Per step of a flow the gates, by number, that end before it."""
    passed: tuple[tuple[int, ...], ...] = ()
    """Per step of a flow the gates that every run of it was approved at."""
    together: tuple[tuple[int, int, int], ...] = ()
    """Two steps of a flow, and a gate that every run of both was approved at, though not of each."""
    is_complete: bool = True
    """Whether all gates that can be proved passed are in `passed`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the transition table, in words."""

    machine: str
    region: str
    state: str
    event: str
    guards: str
    target: str
    effects: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """An input against another version of it."""

    old: str
    """What it is compared with."""
    said: str | None = None
    """Why there is no difference to show."""
    diff: dict[str, Any] | None = None
    """The difference as `stratumc diff --format json` gives it."""
    serious: tuple[int, ...] = ()
    """The numbers of the meanings that a reviewer should not overlook."""
    others: str = ""
    """One sentence on those under way that simply go on."""


@dataclass(frozen=True, slots=True)
class Input:
    """One of the inputs, and what is shown of it as a table."""

    name: str
    files: tuple[tuple[str, str], ...]
    """Name and text of each file."""
    is_broken: bool
    """Whether it breaks rules, so that it has no table, no bounds and no paths."""
    rows: tuple[Row, ...]
    bounds: tuple[tuple[str, str, str, str], ...]
    """Flow, what is bounded, least, most; the last three are empty of a flow that no run ends well."""
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that the page shows."""

    title: str
    inputs: tuple[Input, ...]
    diagnostics: tuple[Diagnostic, ...]
    pictures: tuple[ReviewPicture, ...]
    against: str | None = None
    """What the user asked to compare with."""
    settings: tuple[str, str] | None = None
    """Name and text of the settings file, if some diagnostic is in it."""
