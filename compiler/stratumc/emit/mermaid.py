"""Writes a picture as Mermaid: a flowchart for flows, a state diagram for workflows."""

from __future__ import annotations

from collections.abc import Iterator

from stratumc.emit.picture import Line, Node, Picture, PictureKind, Shape, Tone

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")

_SAFE_INSIDE = frozenset("-_,.")

_OUTLINES = {
    Shape.START: ("((", "))"),
    Shape.END: ("(((", ")))"),
    Shape.KILLED: ("(((", ")))"),
    Shape.TASK: ("(", ")"),
    Shape.SET: ("[/", "/]"),
    Shape.GATE: ("{", "}"),
    Shape.FANOUT: ("[[", "]]"),
    Shape.STAGE: ("(", ")"),
    Shape.RUN: ("[[", "]]"),
    Shape.EVALUATE: ("{{", "}}"),
    Shape.CARRY: ("[(", ")]"),
    Shape.STATE: ("(", ")"),
    Shape.FINAL: ("(((", ")))"),
    Shape.ANY: ("([", "])"),
    Shape.RESUME: ("([", "])"),
}

_ARROWS = {
    Line.ORDER: "-->",
    Line.ROUTE: "==>",
    Line.REVISE: "-.->",
    Line.RECOVERY: "-.->",
    Line.CARRY: "-.->",
    Line.EVENT: "-->",
    Line.TRIGGER: "==>",
    Line.GLOBAL: "-.->",
    Line.RESUME: "-.->",
}

_COLOURS = {
    Tone.ERROR: "fill:#fdd8d8,stroke:#b42318,color:#1c1917",
    Tone.WARNING: "fill:#fdecc8,stroke:#b45309,color:#1c1917",
    Tone.INFO: "fill:#dbeafe,stroke:#1d4ed8,color:#1c1917",
    Tone.CURRENT: "fill:#fef9c3,stroke:#854d0e,stroke-width:3px,color:#1c1917",
    Tone.DONE: "fill:#dcfce7,stroke:#15803d,color:#1c1917",
    Tone.FAILED: "fill:#fecaca,stroke:#991b1b,color:#1c1917",
    Tone.SKIPPED: "fill:#f5f5f4,stroke:#a8a29e,stroke-dasharray:4 3,color:#57534e",
    Tone.UNREACHABLE: "fill:#e7e5e4,stroke:#a8a29e,stroke-dasharray:2 3,color:#78716c",
}


def render_mermaid(picture: Picture) -> str:
    """The picture as Mermaid text, ending in a line end.

    Names never become ids or syntax: nodes have synthetic ids, and every character of a label
    that could mean something to Mermaid is written as a numeric entity.
    """
    write = _flowchart if picture.kind is PictureKind.FLOW else _state_diagram
    return "\n".join(write(picture)) + "\n"


def escape(text: str) -> str:
    """Text for a Mermaid label: letters, digits, spaces, `-_,.` and non-ASCII stand, the rest is `#n;`.

    A mark at the start, or a point after digits there, is escaped too: Mermaid reads those as lists.
    """
    start = len(text) - len(text.lstrip("0123456789"))
    return "".join(
        c if c in _SAFE or ord(c) > 0x7F or (c in _SAFE_INSIDE and place > start) else f"#{ord(c)};"
        for place, c in enumerate(text)
    )


def _label(lines: tuple[str, ...]) -> str:
    return "<br/>".join(escape(line) for line in lines)


def _title(picture: Picture) -> Iterator[str]:
    """The title and notes as front matter; quoted so that YAML reads them as they are."""
    words = " — ".join(escape_title(part) for part in (picture.title, *picture.notes) if part)
    if words:
        yield from ("---", f'title: "{words}"', "---")


def escape_title(text: str) -> str:
    """Text for the double-quoted title of the front matter."""
    kept = "".join(c if c.isprintable() else " " for c in text)
    return kept.replace("\\", "\\\\").replace('"', '\\"')


def _flowchart(picture: Picture) -> Iterator[str]:
    yield from _title(picture)
    yield "flowchart TD"
    yield from _nodes(picture, None, "  ")
    for edge in picture.edges:
        label = f'|"{_label((edge.label,))}"|' if edge.label else ""
        yield f"  {edge.source} {_ARROWS[edge.line]}{label} {edge.target}"
    yield from _classes(picture, "  ")


def _nodes(picture: Picture, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes:
        if node.cluster == cluster:
            opening, closing = _OUTLINES[node.shape]
            label = _label(node.lines) or _pseudo(node)
            yield f'{indent}{node.key}{opening}"{label}"{closing}'
    for inner in picture.clusters:
        if inner.parent == cluster:
            yield f'{indent}subgraph {inner.key}["{_label((inner.label,))}"]'
            yield from _nodes(picture, inner.key, indent + "  ")
            yield f"{indent}end"


def _pseudo(node: Node) -> str:
    return {Shape.START: "start", Shape.END: "done", Shape.KILLED: "killed"}.get(node.shape, " ")


def _state_diagram(picture: Picture) -> Iterator[str]:
    yield from _title(picture)
    yield "stateDiagram-v2"
    yield "  direction LR"
    starts = {node.key for node in picture.nodes if node.shape is Shape.START}
    for node in picture.nodes:
        if node.key not in starts:
            yield f'  state "{_label(node.lines)}" as {node.key}'
    for edge in picture.edges:
        source = "[*]" if edge.source in starts else edge.source
        label = f" : {_label((edge.label,))}" if edge.label else ""
        yield f"  {source} --> {edge.target}{label}"
    for node in picture.nodes:
        if node.shape is Shape.FINAL:
            yield f"  {node.key} --> [*]"
    yield from _classes(picture, "  ")


def _classes(picture: Picture, indent: str) -> Iterator[str]:
    """One class per tone that occurs, and the nodes that have it."""
    for tone, style in _COLOURS.items():
        keys = [node.key for node in picture.nodes if node.tone is tone]
        if keys:
            yield f"{indent}classDef {tone.value} {style}"
            yield f"{indent}class {','.join(keys)} {tone.value}"
