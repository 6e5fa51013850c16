"""Writes a picture as DOT, and lays it out as SVG or PNG by Graphviz."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from stratumc.emit.colours import COLOURS, LINE_COLOURS
from stratumc.emit.label_text import wrap
from stratumc.emit.picture import Edge, Line, Node, Picture, PictureKind, Shape, Tone

if TYPE_CHECKING:
    from stratumc.emit.large import Drawn

_OUTLINES = {
    Shape.START: 'shape=circle, width=0.25, style=filled, fillcolor="#292524", label=""',
    Shape.END: 'shape=ellipse, style=filled, peripheries=2, margin="0.04,0.02"',
    Shape.KILLED: 'shape=ellipse, style=filled, peripheries=2, margin="0.04,0.02"',
    Shape.TASK: 'shape=box, style="rounded,filled"',
    Shape.SET: 'shape=parallelogram, style=filled, margin="0,0"',
    Shape.GATE: 'shape=diamond, style=filled, margin="0.02,0.01"',
    Shape.FANOUT: "shape=box3d, style=filled",
    Shape.STAGE: 'shape=box, style="rounded,filled"',
    Shape.RUN: "shape=component, style=filled",
    Shape.EVALUATE: 'shape=hexagon, style=filled, margin="0.02,0.02"',
    Shape.CARRY: "shape=cylinder, style=filled",
    Shape.STATE: 'shape=box, style="rounded,filled"',
    Shape.FINAL: 'shape=box, style="rounded,filled", peripheries=2',
    Shape.ANY: 'shape=box, style="rounded,dashed"',
    Shape.RESUME: 'shape=box, style="rounded,dashed"',
    Shape.MISSING: 'shape=box, style="filled,dashed"',
}

_STROKES = {
    Line.ORDER: "",
    Line.ROUTE: "style=bold",
    Line.REVISE: "style=dashed, constraint=false",
    Line.RECOVERY: "style=dashed",
    Line.CARRY: "style=dotted, constraint=false",
    Line.EVENT: "",
    Line.TRIGGER: "style=bold",
    Line.GLOBAL: "style=dashed",
    Line.RESUME: "style=dotted",
}
"""The style of each kind of line."""

_FRAME = "#a8a29e"
"""The colour of clusters."""

_TITLE_WIDTH = 110
"""Code points of a line of the title and what stands under it."""

_LARGE = 250
"""Above so many nodes and edges Graphviz would take minutes: `large` lays the picture out."""

_SECOND_LINE = 8.0
"""Points that a second outline adds to a size that was asked for."""

_SLANTED = 0.96
"""Of the width of a parallelogram, what was asked for."""

_LARGE_DPI = 72
"""Of a large picture as PNG, which has too many points as it is; labels can be read still."""

_MOST_POINTS = 60_000_000
"""Of a large picture as PNG: what takes a second or two to write."""


def render_dot(picture: Picture) -> str:
    """The picture as DOT text, ending in a line end; every name is a quoted label, never an id."""
    return _written(picture, None)


def lay_out(picture: Picture, image_format: str) -> bytes:
    """The picture drawn by Graphviz as `svg` or `png` bytes.

    pygraphviz brings Graphviz along in its wheel, so no program has to be installed.
    """
    from stratumc.emit.graphviz import draw, tell_scaled

    if len(picture.nodes) + len(picture.edges) <= _LARGE:
        return draw(render_dot(picture), image_format, has_positions=False)
    from stratumc.emit.large import draw_large

    drawn = draw_large(picture)
    placed = _written(picture, drawn)
    if image_format == "png":
        factor = min(1.0, math.sqrt(_MOST_POINTS / drawn.area))
        placed = placed.replace("graph [", f"graph [dpi={_LARGE_DPI * factor:.1f}, ", 1)
        if factor < 1:
            tell_scaled(factor)
    return draw(placed, image_format, has_positions=True)


def _written(picture: Picture, drawn: Drawn | None) -> str:
    return "\n".join(_graph(picture, drawn)) + "\n"


def quote(*lines: str) -> str:
    """Lines as a DOT string; a backslash stays a backslash, and what looks like an entity stays so too."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    text = "\\n".join(escaped)
    return f'"{text}"'


def _graph(picture: Picture, drawn: Drawn | None) -> Iterator[str]:
    yield "digraph machine {"
    remarks = (f"{one.tone.value}[{one.code}]: {one.message}" for one in picture.remarks)
    lines = (picture.title, *picture.notes, *remarks)
    title = quote(*(part for line in lines for part in wrap(line, _TITLE_WIDTH)))
    direction = f"rankdir={'TB' if picture.kind is PictureKind.FLOW else 'LR'}"
    coloured = f', fontcolor="{COLOURS[picture.tone].stroke}"' if picture.remarks else ""
    yield f'  graph [label={title}, labelloc=t, fontname="Helvetica", {direction}{coloured}];'
    yield '  node [fontname="Helvetica", fontsize=11, margin="0.12,0.06"];'
    yield '  edge [fontname="Helvetica", fontsize=9];'
    yield from _nodes(picture, drawn, None, "  ")
    # Beside a line that goes down, a label would begin on it.
    pad = " " if picture.kind is PictureKind.FLOW else ""
    for number, edge in enumerate(picture.edges):
        placed = () if drawn is None else _way(drawn, number, has_label=bool(edge.lines))
        yield f"  {edge.source} -> {edge.target}{_attributes(*_edge_attributes(edge, pad), *placed)};"
    yield "}"


def _nodes(picture: Picture, drawn: Drawn | None, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes_in.get(cluster, ()):
        placed = () if drawn is None else _position(drawn, node)
        yield f"{indent}{node.key} [{', '.join((f'id={node.key}', _node_attributes(node), *placed))}];"
    for inner in picture.clusters_in.get(cluster, ()):
        yield f"{indent}subgraph cluster_{inner.key} {{"
        colour = _FRAME if inner.tone is Tone.PLAIN else COLOURS[inner.tone].stroke
        yield f'{indent}  label=""; tooltip={quote(inner.label)}; color="{colour}"; style=rounded;'
        if drawn is not None and inner.key in drawn.frames:
            yield f"{indent}  {_frame(drawn.frames[inner.key])}"
        yield from _nodes(picture, drawn, inner.key, indent + "  ")
        yield f"{indent}}}"


def _node_attributes(node: Node) -> str:
    outline = _OUTLINES[node.shape]
    if node.shape is Shape.START:
        return outline
    colours = COLOURS[node.tone]
    width = ", penwidth=2.5" if node.tone is Tone.CURRENT else ""
    label = quote(*node.lines)
    coloured = f'fillcolor="{colours.fill}", color="{colours.stroke}", fontcolor="{colours.text}"'
    return f"label={label}, {outline}, {coloured}{width}"


def _edge_attributes(edge: Edge, pad: str) -> Iterator[str]:
    style, colour = _STROKES[edge.line], LINE_COLOURS.get(edge.line)
    beside = colour
    if edge.tone is not Tone.PLAIN:
        colour = COLOURS[edge.tone].stroke
        beside = COLOURS[edge.tone].beside or colour
    if edge.lines:
        yield f"label={quote(*(pad + line + pad for line in edge.lines))}"
    if edge.tip:
        yield f"tooltip={quote(edge.tip)}, labeltooltip={quote(edge.tip)}"
    if style:
        yield style
    if colour:
        yield f'color="{colour}", fontcolor="{beside}"'


def _attributes(*parts: str) -> str:
    return f" [{', '.join(parts)}]" if parts else ""


def _position(drawn: Drawn, node: Node) -> Iterator[str]:
    (x, y), (width, height) = drawn.centres[node.key], drawn.sizes[node.key]
    yield f'pos="{x:.1f},{y:.1f}"'
    if node.shape is Shape.START:
        return
    if node.shape in (Shape.END, Shape.KILLED, Shape.FINAL):
        width, height = width - _SECOND_LINE, height - _SECOND_LINE
    if node.shape is Shape.SET:
        width *= _SLANTED
    yield f"width={width / 72:.3f}, height={height / 72:.3f}"


def _way(drawn: Drawn, number: int, *, has_label: bool) -> Iterator[str]:
    yield f'pos="{drawn.ways[number]}"'
    if has_label:
        x, y = drawn.labels[number]
        yield f'lp="{x:.1f},{y:.1f}"'


def _frame(box: tuple[float, float, float, float]) -> str:
    left, bottom, right, top = box
    return f'bb="{left:.1f},{bottom:.1f},{right:.1f},{top:.1f}";'
