"""Writes a picture as DOT, and lays it out as SVG or PNG by Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.emit.label_text import shown
from stratumc.emit.picture import Edge, Line, Node, Picture, PictureKind, Shape, Tone

_OUTLINES = {
    Shape.START: 'shape=circle, width=0.25, style=filled, fillcolor="#292524", label=""',
    Shape.END: "shape=doublecircle, width=0.5",
    Shape.KILLED: "shape=doublecircle, width=0.5",
    Shape.TASK: 'shape=box, style="rounded,filled"',
    Shape.SET: "shape=parallelogram, style=filled",
    Shape.GATE: "shape=diamond, style=filled",
    Shape.FANOUT: "shape=box3d, style=filled",
    Shape.STAGE: 'shape=box, style="rounded,filled"',
    Shape.RUN: "shape=component, style=filled",
    Shape.EVALUATE: "shape=hexagon, style=filled",
    Shape.CARRY: "shape=cylinder, style=filled",
    Shape.STATE: 'shape=box, style="rounded,filled"',
    Shape.FINAL: 'shape=box, style="rounded,filled", peripheries=2',
    Shape.ANY: 'shape=box, style="rounded,dashed"',
    Shape.RESUME: 'shape=box, style="rounded,dashed"',
}

_STROKES = {
    Line.ORDER: ("", ""),
    Line.ROUTE: ("style=bold", ""),
    Line.REVISE: ("style=dashed, constraint=false", "#7c3aed"),
    Line.RECOVERY: ("style=dashed", "#b42318"),
    Line.CARRY: ("style=dotted, constraint=false", "#57534e"),
    Line.EVENT: ("", ""),
    Line.TRIGGER: ("style=bold", ""),
    Line.GLOBAL: ("style=dashed", ""),
    Line.RESUME: ("style=dotted", ""),
}
"""The style of each kind of line, and its colour where it has one."""

_FILLS = {
    Tone.ERROR: ("#fdd8d8", "#b42318", "#1c1917"),
    Tone.WARNING: ("#fdecc8", "#b45309", "#1c1917"),
    Tone.INFO: ("#dbeafe", "#1d4ed8", "#1c1917"),
    Tone.CURRENT: ("#fef9c3", "#854d0e", "#1c1917"),
    Tone.DONE: ("#dcfce7", "#15803d", "#1c1917"),
    Tone.FAILED: ("#fecaca", "#991b1b", "#1c1917"),
    Tone.SKIPPED: ("#f5f5f4", "#a8a29e", "#57534e"),
    Tone.UNREACHABLE: ("#e7e5e4", "#a8a29e", "#78716c"),
    Tone.PLAIN: ("#fafaf9", "#44403c", "#1c1917"),
}


_LARGE = 250
"""Above so many nodes and edges a drawing is laid out in fewer steps, and with straight edges."""

_HUGE = 1000
"""Above so many, layers would take minutes too: the drawing is spread out by forces, without layers."""

_QUICKLY = "nslimit=0.5, nslimit1=0.5, mclimit=0.2, splines=line"
"""Graphviz takes minutes to bend the edges of a few hundred states round each other."""


def render_dot(picture: Picture) -> str:
    """The picture as DOT text, ending in a line end; every name is a quoted label, never an id."""
    return "\n".join(_graph(picture)) + "\n"


def lay_out(picture: Picture, image_format: str) -> bytes:
    """The picture drawn by Graphviz as `svg` or `png` bytes.

    pygraphviz brings Graphviz along in its wheel, so no program has to be installed.
    """
    import pygraphviz

    graph = pygraphviz.AGraph(string=render_dot(picture))
    if image_format == "png" and _is_large(picture):
        graph.graph_attr["dpi"] = "48"
    layout = "dot"
    if len(picture.nodes) + len(picture.edges) > _HUGE:
        graph.graph_attr["overlap"] = "scale"
        layout = "fdp"
    drawn: bytes = graph.draw(format=image_format, prog=layout)
    return drawn


def quote(*lines: str) -> str:
    """Lines as a DOT string; a backslash stays a backslash, and what looks like an entity stays so too."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    text = "\\n".join(escaped)
    return f'"{text}"'


def _graph(picture: Picture) -> Iterator[str]:
    yield "digraph machine {"
    title = quote(*(shown(line) for line in (picture.title, *picture.notes)))
    direction = f"rankdir={_direction(picture)}" + (f", {_QUICKLY}" if _is_large(picture) else "")
    yield f'  graph [label={title}, labelloc=t, fontname="Helvetica", {direction}];'
    yield '  node [fontname="Helvetica", fontsize=11, margin="0.12,0.06"];'
    yield '  edge [fontname="Helvetica", fontsize=9];'
    yield from _nodes(picture, None, "  ")
    for edge in picture.edges:
        yield f"  {edge.source} -> {edge.target}{_edge_attributes(edge)};"
    yield "}"


def _is_large(picture: Picture) -> bool:
    return len(picture.nodes) + len(picture.edges) > _LARGE


def _direction(picture: Picture) -> str:
    return "TB" if picture.kind is PictureKind.FLOW else "LR"


def _nodes(picture: Picture, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes_in.get(cluster, ()):
        yield f"{indent}{node.key} [id={node.key}, {_node_attributes(node)}];"
    for inner in picture.clusters_in.get(cluster, ()):
        yield f"{indent}subgraph cluster_{inner.key} {{"
        yield f'{indent}  label={quote(inner.label)}; fontsize=11; color="#a8a29e"; style=rounded;'
        yield from _nodes(picture, inner.key, indent + "  ")
        yield f"{indent}}}"


def _node_attributes(node: Node) -> str:
    outline = _OUTLINES[node.shape]
    if node.shape is Shape.START:
        return outline
    fill, stroke, font = _FILLS[node.tone]
    width = ", penwidth=2.5" if node.tone is Tone.CURRENT else ""
    label = quote(*node.lines)
    return f'label={label}, {outline}, fillcolor="{fill}", color="{stroke}", fontcolor="{font}"{width}'


def _edge_attributes(edge: Edge) -> str:
    style, colour = _STROKES[edge.line]
    if edge.tone is not Tone.PLAIN:
        _, colour, _ = _FILLS[edge.tone]
    label = f"label={quote(*edge.lines)}" if edge.lines else ""
    paint = f'color="{colour}", fontcolor="{colour}"' if colour else ""
    parts = [part for part in (label, style, paint) if part]
    return f" [{', '.join(parts)}]" if parts else ""
