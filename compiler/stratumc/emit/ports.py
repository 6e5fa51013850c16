"""Where along the border of its nodes each edge of a large picture begins and ends."""

from __future__ import annotations

import math

from stratumc.emit.layers import Arc, Layers
from stratumc.emit.picture import Shape

_USABLE = {Shape.SET: 0.5, Shape.EVALUATE: 0.4, Shape.CARRY: 0.7, Shape.GATE: 0.9}
"""How much of a side is for edges, in its middle."""

_ROUND = (Shape.START, Shape.END, Shape.KILLED)

End = tuple[int, bool]
"""The number of an edge, and whether it is its beginning."""


def spread_ends(layout: Layers, arcs: list[Arc], shapes: list[Shape]) -> dict[End, float]:
    """Where on its node's side each edge ends, from -0.5 to 0.5, in the order of where it comes from.

    An edge inside a layer, or one too long for a chain, has both ends on the later side.
    """
    sides: dict[tuple[int, bool], list[tuple[float, int, bool]]] = {}
    for number, (arc, chain) in enumerate(zip(arcs, layout.chains, strict=True)):
        if arc.source == arc.target:
            continue
        for node, is_source in ((arc.source, True), (arc.target, False)):
            other = arc.target if is_source else arc.source
            is_later = not chain or chain[0] == node
            beside = other if not chain else chain[1] if is_later else chain[-2]
            end = (layout.cells[beside].place, number, is_source)
            sides.setdefault((node, is_later), []).append(end)
    found: dict[End, float] = {}
    for (node, _), ends in sides.items():
        usable = _USABLE.get(shapes[node], 0.85)
        for place, (_, number, is_source) in enumerate(sorted(ends), 1):
            found[number, is_source] = (place / (len(ends) + 1) - 0.5) * usable
    return found


def inset(shape: Shape, place: float) -> float:
    """How far the border of a shape is inside its box there, as a share of half the box."""
    if shape is Shape.GATE:
        return 2 * abs(place)
    return 1 - math.sqrt(1 - 4 * place * place) if shape in _ROUND else 0.0
