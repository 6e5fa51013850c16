"""Runs of flows and conditions, in words for a reader of a diff."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stratumc.checks.flow_facts import FlowFacts

_LONGEST = 60


def in_words(witness: dict[str, Any], facts: FlowFacts, steps: Iterable[int], goal: int | None = None) -> str:
    """A run as the end of a sentence, of the values those that decide which of some steps run.

    Empty when there is nothing special about the run; how it ends at the goal doesn't matter.
    """
    from stratumc.proof.witness import describe

    before = 0
    for step in steps:
        before |= facts.graph.before_masks[step] | 1 << step
    places = facts.condition_places(index for index in facts.graph.order if before >> index & 1)
    said = describe(witness, places, [facts.graph.ids[goal]] if goal is not None else ())
    return "" if said == "it runs" else f": {said}"


def shortened(expression: str) -> str:
    """An expression on one line, cut where it is long."""
    text = " ".join(expression.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
