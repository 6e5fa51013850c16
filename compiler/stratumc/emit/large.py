"""Draws a large picture in layers: positions of nodes, ways of edges and frames of clusters, for Graphviz."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from stratumc.emit.coordinates import place_across
from stratumc.emit.layers import Arc, Cell, Layers, lay_in_layers
from stratumc.emit.picture import Line, Node, Picture, PictureKind, Shape
from stratumc.emit.ports import inset, spread_ends

_FREE = (Line.REVISE, Line.CARRY)
"""Lines that don't decide which layer something is in."""

_BETWEEN = 16.0
"""Points between two layers."""

_BROAD = frozenset("MWmw@%—…→")

_LOOP = 16.0
"""Points between a node and the furthest of a way from it to itself."""

_SLACK = 1.5
"""Points by which an edge may be aside of its way through a layer."""

_LONGEST = 16_000
"""Characters of a way: Graphviz reads no longer strings."""

_ARROW = 9.0
"""Points of an arrow's head."""

_FACTORS = {
    Shape.END: (1.5, 1.5),
    Shape.KILLED: (1.5, 1.5),
    Shape.GATE: (2.0, 2.0),
    Shape.EVALUATE: (1.9, 1.9),
    Shape.SET: (2.1, 1.8),
    Shape.CARRY: (1.0, 1.6),
}
"""How much wider and higher than its label a shape is."""

_SECOND_LINE = 8.0
"""Points that a second outline adds to what is asked of Graphviz."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Positions in points, `y` upward as Graphviz has it."""

    sizes: dict[str, Point]
    """Width and height by node."""
    centres: dict[str, Point]
    ways: list[str]
    """Of each edge, the `pos` attribute."""
    labels: list[Point]
    """Of each edge, where its label is centred."""
    frames: dict[str, tuple[float, float, float, float]]
    """Left, bottom, right and top of each outer cluster."""

    @property
    def area(self) -> float:
        """Square points of what the nodes span."""
        xs = [x for x, _ in self.centres.values()]
        ys = [y for _, y in self.centres.values()]
        return (max(xs) - min(xs)) * (max(ys) - min(ys)) + 1


def draw_large(picture: Picture) -> Drawn:
    """Lays a picture out in layers, downward for flows and to the right for workflows."""
    return _Drawer(picture).drawn()


def text_width(line: str, font_size: float) -> float:
    """At least the width of a line in Helvetica, in points."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in line)
    broad = sum(character in _BROAD for character in line)
    upper = sum(character.isupper() for character in line)
    return (len(line) * 0.58 + (wide + broad) * 0.65 + upper * 0.12) * font_size


class _Drawer:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.is_down = picture.kind is PictureKind.FLOW
        self.along, self.across = (1, 0) if self.is_down else (0, 1)
        self.aside = 2.0 if self.is_down else -2.0
        self.index = {node.key: number for number, node in enumerate(picture.nodes)}
        self.boxes = [_size(node) for node in picture.nodes]
        self.label_boxes = [
            (max((text_width(line, 9) for line in edge.lines), default=0.0), 11.0 * len(edge.lines))
            for edge in picture.edges
        ]
        self.outer = self._outer_clusters()

    def drawn(self) -> Drawn:
        arcs = [
            Arc(
                self.index[edge.source],
                self.index[edge.target],
                ranks=edge.line not in _FREE,
                label_size=box[self.across] + 6 if edge.lines else 0.0,
            )
            for edge, box in zip(self.picture.edges, self.label_boxes, strict=True)
        ]
        self.loops = [0.0] * len(self.boxes)
        for arc in arcs:
            if arc.source == arc.target:
                self.loops[arc.source] += arc.label_size + _LOOP
        sizes = [box[self.across] + loops for box, loops in zip(self.boxes, self.loops, strict=True)]
        layout = lay_in_layers(sizes, self._lanes(arcs, sizes), arcs)
        place_across(layout)
        self.bounds = self._bounds(layout)
        self.ports = spread_ends(layout, arcs, [node.shape for node in self.picture.nodes])
        self.looped = [0.0] * len(self.boxes)
        ways = [self._way(layout, number, arc) for number, arc in enumerate(arcs)]
        centres = {
            node.key: self._turned(self._middle(layout, number), self._centre(layout, number))
            for number, node in enumerate(self.picture.nodes)
        }
        return Drawn(
            {node.key: box for node, box in zip(self.picture.nodes, self.boxes, strict=True)},
            centres,
            [way for way, _ in ways],
            [label for _, label in ways],
            dict(self._frames(centres)),
        )

    # --- clusters ---

    def _outer_clusters(self) -> list[str | None]:
        """The outermost cluster of each node."""
        parents = {cluster.key: cluster.parent for cluster in self.picture.clusters}
        found = []
        for node in self.picture.nodes:
            cluster = node.cluster
            while cluster is not None and parents[cluster] is not None:
                cluster = parents[cluster]
            found.append(cluster)
        return found

    def _lanes(self, arcs: list[Arc], sizes: list[float]) -> list[int]:
        """A lane for each node: 0 outside of clusters; clusters that share no layer share lanes."""
        if not any(self.outer):
            return [0] * len(self.outer)
        first = lay_in_layers(sizes, [0] * len(sizes), arcs)
        extents: dict[str, tuple[int, int]] = {}
        for number, cluster in enumerate(self.outer):
            if cluster is not None:
                layer = first.cells[number].layer
                low, high = extents.get(cluster, (layer, layer))
                extents[cluster] = (min(low, layer), max(high, layer))
        ends: list[int] = []
        lanes: dict[str | None, int] = {None: 0}
        for cluster, (low, high) in sorted(extents.items(), key=lambda item: item[1]):
            lane = next((number for number, end in enumerate(ends) if end < low), len(ends))
            ends[lane:] = [high, *ends[lane + 1 :]]
            lanes[cluster] = lane + 1
        return [lanes[cluster] for cluster in self.outer]

    def _frames(self, centres: dict[str, Point]) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
        members: dict[str, list[tuple[float, float, float, float]]] = {}
        for node, cluster, (width, height) in zip(self.picture.nodes, self.outer, self.boxes, strict=True):
            if cluster is not None:
                x, y = centres[node.key]
                box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
                members.setdefault(cluster, []).append(box)
        for cluster, boxes in members.items():
            left, bottom, right, top = zip(*boxes, strict=True)
            yield cluster, (min(left) - 10, min(bottom) - 10, max(right) + 10, max(top) + 10)

    # --- coordinates ---

    def _bounds(self, layout: Layers) -> list[tuple[float, float]]:
        """Where each layer begins and ends along the direction of the layers."""
        depths = [0.0] * len(layout.layers)
        for number, box in enumerate(self.boxes):
            layer = layout.cells[number].layer
            depths[layer] = max(depths[layer], box[self.along])
        for box, chain in zip(self.label_boxes, layout.chains, strict=True):
            for number in chain[1:-1]:
                cell = layout.cells[number]
                if cell.size:
                    depths[cell.layer] = max(depths[cell.layer], box[self.along])
        bounds, offset = [], 0.0
        for depth in depths:
            bounds.append((offset, offset + depth + 2 * _ARROW))
            offset += depth + 2 * _ARROW + _BETWEEN
        return bounds

    def _middle(self, layout: Layers, number: int) -> float:
        low, high = self.bounds[layout.cells[number].layer]
        return (low + high) / 2

    def _turned(self, along: float, across: float) -> Point:
        """A point of the drawing: layers go down in flows and to the right in workflows."""
        return (across, -along) if self.is_down else (along, -across)

    def _way(self, layout: Layers, number: int, arc: Arc) -> tuple[str, Point]:
        """The `pos` of an edge, and where its label stands."""
        chain = layout.chains[number]
        if arc.source == arc.target:
            return self._loop(layout, arc)
        if not chain:
            points = self._direct_points(layout, number, arc)
            (along, begin), (_, end) = points[1:3]
            return self._spline(points), self._turned(along, (begin + end) / 2)
        beside = chain[1] if chain[0] == arc.source else chain[-2]
        label = (self._middle(layout, beside), layout.cells[beside].place + self.aside)
        slack = _SLACK
        while True:
            points = self._chain_points(layout, number, arc, slack)
            if chain[0] != arc.source:
                points.reverse()
            way = self._spline(points)
            if len(way) <= _LONGEST:
                return way, self._turned(*label)
            slack *= 4

    def _spline(self, points: list[Point]) -> str:
        return _spline([self._turned(*point) for point in points], is_down=self.is_down)

    def _centre(self, layout: Layers, number: int) -> float:
        """The place of a node across, beside the loops that its cell has room for."""
        return layout.cells[number].place - self.loops[number] / 2

    def _loop(self, layout: Layers, arc: Arc) -> tuple[str, Point]:
        """A way from a node to itself, on that side of it where its cell has room; each further out."""
        node = arc.source
        middle = self._middle(layout, node)
        border = self._centre(layout, node) + self.boxes[node][self.across] / 2
        far = border + self.looped[node] + _LOOP
        self.looped[node] += arc.label_size + _LOOP
        curve = [(middle - 8, border), (middle - 16, far), (middle + 16, far), (middle + 8, border + _ARROW)]
        x, y = self._turned(middle + 8, border)
        points = " ".join("{:.1f},{:.1f}".format(*self._turned(*point)) for point in curve)
        return f"e,{x:.1f},{y:.1f} {points}", self._turned(middle, far + arc.label_size / 2 - 4)

    def _line(self, cell: Cell) -> float:
        """Where an edge passes through a cell: beside its label, if it has one there."""
        if cell.node is not None or not cell.size:
            return cell.place
        return cell.place - cell.size / 2 + 2 if self.is_down else cell.place + cell.size / 2 - 2

    def _end(self, layout: Layers, number: int, node: int, *, is_source: bool) -> Point:
        """How far from the middle of its node an edge ends along the layers, and its place across them."""
        place, box = self.ports[number, is_source], self.boxes[node]
        half = box[self.along] / 2 * (1 - inset(self.picture.nodes[node].shape, place))
        return half, self._centre(layout, node) + place * box[self.across]

    def _chain_points(self, layout: Layers, number: int, arc: Arc, slack: float) -> list[Point]:
        """Through each layer straight, between two in a bow that is left out within the slack."""
        chain = layout.chains[number]
        is_onward = chain[0] == arc.source
        first, last = layout.cells[chain[0]], layout.cells[chain[-1]]
        half, begin = self._end(layout, number, chain[0], is_source=is_onward)
        far_half, end = self._end(layout, number, chain[-1], is_source=not is_onward)
        out, back = self._middle(layout, chain[0]) + half, self._middle(layout, chain[-1]) - far_half
        points = [(out, begin), (self.bounds[first.layer][1], begin)]
        for passed in chain[1:-1]:
            cell = layout.cells[passed]
            (low, high), place = self.bounds[cell.layer], self._line(cell)
            if len(points) > 2 and abs(points[-1][1] - place) < slack:
                points[-1] = (high, points[-1][1])
            else:
                points += [(low, place), (high, place)]
        return [*points, (self.bounds[last.layer][0], end), (back, end)]

    def _direct_points(self, layout: Layers, number: int, arc: Arc) -> list[Point]:
        """Out on the later side and back in there: inside a layer, and where a way would be too long."""
        half, begin = self._end(layout, number, arc.source, is_source=True)
        far_half, end = self._end(layout, number, arc.target, is_source=False)
        out, back = self._middle(layout, arc.source) + half, self._middle(layout, arc.target) + far_half
        far = max(self.bounds[layout.cells[node].layer][1] for node in (arc.source, arc.target)) + _ARROW
        return [(out, begin), (far, begin), (far, end), (back, end)]


def _size(node: Node) -> Point:
    """At least the size that Graphviz gives a node, in points."""
    if node.shape is Shape.START:
        return (18.0, 18.0)
    wide, high = _FACTORS.get(node.shape, (1.0, 1.0))
    width = max(text_width(line, 11) for line in node.lines) * wide + 18
    height = 13.5 * len(node.lines) * high + 10
    second = _SECOND_LINE if node.shape in (Shape.END, Shape.KILLED, Shape.FINAL) else 0.0
    return (max(width, 48.0) + second, max(height, 28.0) + 1 + second)


def _spline(points: list[Point], *, is_down: bool) -> str:
    """Points as a chain of cubic curves, each beginning and ending in the direction of the layers.

    The last piece is the arrow's.
    """
    end = points[-1]
    points = [*points[:-1], _towards(end, points[-2], _ARROW)]
    curves = [points[0]]
    for (x, y), (next_x, next_y) in pairwise(points):
        if is_down:
            middle = (y + next_y) / 2
            curves += [(x, middle), (next_x, middle), (next_x, next_y)]
        else:
            middle = (x + next_x) / 2
            curves += [(middle, y), (middle, next_y), (next_x, next_y)]
    return " ".join([f"e,{end[0]:.1f},{end[1]:.1f}", *(f"{x:.1f},{y:.1f}" for x, y in curves)])


def _towards(start: Point, goal: Point, distance: float) -> Point:
    """The point so far on the way from one to another."""
    x, y = goal[0] - start[0], goal[1] - start[1]
    length = math.hypot(x, y) or 1.0
    return (start[0] + x / length * distance, start[1] + y / length * distance)
