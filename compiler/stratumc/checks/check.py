"""What a check is: a generator over facts, and the codes that it can report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from stratumc.diagnostics import Finding

Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True)
class Check(Generic[Facts]):
    """One check; family, severity and summary of its codes are in the catalog."""

    codes: tuple[str, ...]
    run: Callable[[Facts], Iterator[Finding]]


def check(*codes: str) -> Callable[[Callable[[Facts], Iterator[Finding]]], Check[Facts]]:
    """Declares a generator function as the check that reports `codes`."""

    def declare(run: Callable[[Facts], Iterator[Finding]]) -> Check[Facts]:
        return Check(codes, run)

    return declare
