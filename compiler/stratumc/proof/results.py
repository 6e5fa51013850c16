"""The three results of a proof (checks.md, first section)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Proved:
    """The property holds in every run."""

    vacuous: bool = False
    """There is no run of which the property speaks."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The property fails in the run that `witness` describes (a JSON value), which was replayed."""

    witness: Any
    words: tuple[str, ...] = ()
    """What decides in that run, in lines; empty where the whole witness is to be told."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither; nothing is reported. `reason` is one phrase for the table's proof list."""

    reason: str


Result = Proved | Refuted | Undecided
