"""A claim on the ways through a document, and names in questions that are not there."""

from __future__ import annotations

from dataclasses import dataclass


class UnknownPlaceError(ValueError):
    """A name that is no step, state or flow; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That every way to a goal passes a gate; of a workflow, gate and goal are states."""

    goal: str
    gate: str
    start: str | None = None
    flow: str | None = None

    def __str__(self) -> str:
        begin = f"from `{self.start}` " if self.start else ""
        return f"every way {begin}to `{self.goal}` passes `{self.gate}`"


def require(noun: str, name: str | None, known: tuple[str, ...]) -> None:
    """Raises UnknownPlaceError when a name is not among the known ones."""
    if name is not None and name not in known:
        from stratumc.diagnostics.nearest import names_meant

        raise UnknownPlaceError(f"no {noun} `{name}`: {names_meant(name, known)}")
