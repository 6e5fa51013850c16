"""Writes a picture as DOT, and lays it out as SVG or PNG by Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.emit.picture import Line, Node, Picture, PictureKind, Shape, Tone

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
    Line.ORDER: "",
    Line.ROUTE: "style=bold",
    Line.REVISE: 'style=dashed, color="#7c3aed", fontcolor="#7c3aed", constraint=false',
    Line.RECOVERY: 'style=dashed, color="#b42318", fontcolor="#b42318"',
    Line.CARRY: 'style=dotted, color="#57534e", fontcolor="#57534e", constraint=false',
    Line.EVENT: "",
    Line.TRIGGER: "style=bold",
    Line.GLOBAL: "style=dashed",
    Line.RESUME: "style=dotted",
}

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


def render_dot(picture: Picture) -> str:
    """The picture as DOT text, ending in a line end; every name is a quoted label, never an id."""
    return "\n".join(_graph(picture)) + "\n"


def lay_out(picture: Picture, image_format: str) -> bytes:
    """The picture drawn by Graphviz as `svg` or `png` bytes.

    pygraphviz brings Graphviz along in its wheel, so no program has to be installed.
    """
    import pygraphviz

    graph = pygraphviz.AGraph(string=render_dot(picture))
    drawn: bytes = graph.draw(format=image_format, prog="dot")
    return drawn


def quote(text: str) -> str:
    """A DOT string; a backslash stays a backslash, and characters XML can't hold are dropped."""
    kept = "".join(c for c in text if c.isprintable() or c == "\n")
    escaped = kept.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _graph(picture: Picture) -> Iterator[str]:
    yield "digraph machine {"
    title = "\n".join((picture.title, *picture.notes))
    yield f'  graph [label={quote(title)}, labelloc=t, fontname="Helvetica", rankdir={_direction(picture)}];'
    yield '  node [fontname="Helvetica", fontsize=11, margin="0.12,0.06"];'
    yield '  edge [fontname="Helvetica", fontsize=9];'
    yield from _nodes(picture, None, "  ")
    for edge in picture.edges:
        attributes = [
            part for part in (f"label={quote(edge.label)}" if edge.label else "", _STROKES[edge.line]) if part
        ]
        suffix = f" [{', '.join(attributes)}]" if attributes else ""
        yield f"  {edge.source} -> {edge.target}{suffix};"
    yield "}"


def _direction(picture: Picture) -> str:
    return "TB" if picture.kind is PictureKind.FLOW else "LR"


def _nodes(picture: Picture, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes:
        if node.cluster == cluster:
            yield f"{indent}{node.key} [id={node.key}, {_attributes(node)}];"
    for inner in picture.clusters:
        if inner.parent == cluster:
            yield f"{indent}subgraph cluster_{inner.key} {{"
            yield f'{indent}  label={quote(inner.label)}; color="#a8a29e"; style=rounded;'
            yield from _nodes(picture, inner.key, indent + "  ")
            yield f"{indent}}}"


def _attributes(node: Node) -> str:
    outline = _OUTLINES[node.shape]
    if node.shape is Shape.START:
        return outline
    fill, stroke, font = _FILLS[node.tone]
    words = {Shape.END: ("done",), Shape.KILLED: ("killed",)}.get(node.shape, node.lines)
    width = ", penwidth=2.5" if node.tone is Tone.CURRENT else ""
    label = quote("\n".join(words))
    return f'label={label}, {outline}, fillcolor="{fill}", color="{stroke}", fontcolor="{font}"{width}'
