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


@dataclass(frozen=True, slots=True)
class Drawing:
    """One way to draw a flow or workflow: as it is, or what changed in it."""

    svg: str
    """Node ids are the keys of `nodes`."""
    nodes: tuple[tuple[str, int, str], ...]
    """Per node that stands for a step or state its key, the number of its name, and what its colour says
    (empty for one that has none).
    """
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
    calls: tuple[str | None, ...]
    """Per name the flow that the step runs, if it does."""
    places: tuple[tuple[int, int | None], ...]
    """Where a run or project can be: per place the number of its name. A state has several where the ways on
    depend on the state before: then with the number of that, or None where projects begin.
    """
    starts: tuple[int, ...]
    """The places where runs or projects begin."""
    edges: tuple[PathEdge, ...]
    """The ways between places."""
    gates: tuple[int, ...] = ()
    """The names that are gates of a flow."""
    before: tuple[tuple[int, ...], ...] = ()
    """Per step of a flow the gates that end before it."""
    passed: tuple[tuple[int, ...], ...] = ()
    """Per step of a flow the gates that every run of it was approved at."""
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
    """Flow, what is bounded, least, most."""
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
