"""What a change means for revises: steps that one no longer puts back to pending, or does now."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.graph.flow_graph import FlowGraph
from stratumc.graph.step_sets import members_of
from stratumc.review.comparison.flow_pair import FlowPair
from stratumc.review.comparison.meaning import Meaning, MeaningKind

_MOST_NAMED = 8


def reset_meanings(pair: FlowPair) -> Iterator[Meaning]:
    """Per gate that could be revised and can be, what of its reset closure has changed (v1.md section 7).

    Of steps that both versions have; those that come after the gate are pending anyway.
    """
    old, new = pair.old.graph, pair.new.graph
    targets = {new.ids[revise.gate]: revise.target for revise in new.revises}
    for revise in old.revises:
        gate = old.ids[revise.gate]
        if gate not in targets:
            continue
        before, after = _reset(old, revise.gate, revise.target), _reset(new, new.index[gate], targets[gate])
        was, now = _names(old, old.closure_mask(revise.target)), _names(new, new.closure_mask(targets[gate]))
        lost = [name for name in before if name in new.index and name not in now]
        gained = [name for name in after if name in old.index and name not in was]
        if lost:
            message = f"a revise at gate `{gate}` no longer resets {_listed(lost)}"
            yield Meaning(MeaningKind.NO_LONGER_RESET, message, lost)
        if gained:
            message = f"a revise at gate `{gate}` now resets {_listed(gained)}"
            yield Meaning(MeaningKind.NOW_RESET, message, gained)


def _reset(graph: FlowGraph, gate: int, target: int) -> tuple[str, ...]:
    """The steps that can have run before the gate asks and are put back."""
    return tuple(_names(graph, graph.closure_mask(target) & ~graph.after_masks[gate]))


def _names(graph: FlowGraph, steps: int) -> dict[str, None]:
    return dict.fromkeys(graph.ids[index] for index in members_of(steps))


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
