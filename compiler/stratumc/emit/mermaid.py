"""Writes a picture as Mermaid: a flowchart for flows, a state diagram for workflows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stratumc.emit.label_text import shown
from stratumc.emit.picture import Edge, Line, Picture, PictureKind, Shape, Tone

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")

_SAFE_TITLE = frozenset("-_,.:;=+()/'!?$")

_MOST_EDGES = 500
"""Of a flowchart: Mermaid's `maxEdges`, which no text can raise."""

_MOST_CHARACTERS = 50_000
"""Of any text: Mermaid's `maxTextSize`, likewise."""

_SPECIAL = re.compile(r"\$(?=\$)|\\(?=n)|fa[bklrs]?:(?=fa-)")

_MARKS = {
    Tone.ERROR: "⛔ ",
    Tone.WARNING: "⚠ ",
    Tone.INFO: "ⓘ ",
    Tone.UNREACHABLE: "never: ",
}
"""How an edge of a state diagram, which can't be coloured, shows its tone."""

_STROKES = {
    Tone.ERROR: "stroke:#b42318",
    Tone.WARNING: "stroke:#b45309",
    Tone.INFO: "stroke:#1d4ed8",
    Tone.UNREACHABLE: "stroke:#a8a29e",
}

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
    Shape.MISSING: ("[", "]"),
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
    Tone.UNREACHABLE: "fill:#e7e5e4,stroke:#a8a29e,stroke-dasharray:2 3,color:#57534e",
}


def render_mermaid(picture: Picture) -> str:
    """The picture as Mermaid text, ending in a line end.

    Names never become ids or syntax: nodes have synthetic ids, and every character of a label that could
    mean something to Mermaid is written as a numeric entity.
    """
    write = _flowchart if picture.kind is PictureKind.FLOW else _state_diagram
    return "\n".join((*_title(picture), *write(picture), *_classes(picture))) + "\n"


def limits_passed(picture: Picture, text: str) -> str | None:
    """What hosts of Mermaid refuse of a picture unless they are set to allow it; None when they draw it."""
    if picture.kind is PictureKind.FLOW and len(picture.edges) > _MOST_EDGES:
        return f"{len(picture.edges)} edges, where Mermaid draws {_MOST_EDGES}"
    if len(text) > _MOST_CHARACTERS:
        return f"{len(text)} characters, where Mermaid draws {_MOST_CHARACTERS}"
    return None


def escape(text: str) -> str:
    """Text for a label: letters, digits, spaces, `-_,.` and non-ASCII stand, the rest is `#n;`.

    A mark at the start, or a point after digits there, is escaped too: Mermaid reads those as lists.
    """
    return _escaped(text, "-_,.", "")


def _escape_markdown(text: str) -> str:
    """Text for a label that is read as Markdown once its entities are characters: all marks are escaped."""
    return _escaped(text, "-,.", "#92;")


def _escaped(text: str, inside: str, before: str) -> str:
    start = len(text) - len(text.lstrip("0123456789 "))
    return "".join(
        c if c in _SAFE or ord(c) > 0x7F or (c in inside and place > start) else f"{before}#{ord(c)};"
        for place, c in enumerate(_parted(text))
    )


def _parted(text: str) -> str:
    """The text with what means a formula, a line break or an icon even so taken apart, which isn't seen."""
    return _SPECIAL.sub(lambda found: f"{found[0]}\u2060", text)


def _label(lines: tuple[str, ...]) -> str:
    return "<br/>".join(map(escape, lines))


def _state_name(lines: tuple[str, ...]) -> str:
    """The label of a state; one of several lines is Markdown to Mermaid."""
    return _label(lines) if len(lines) == 1 else "<br/>".join(map(_escape_markdown, lines))


def _title(picture: Picture) -> Iterator[str]:
    """The title and notes as front matter, in a quoted YAML string."""
    words = " — ".join(part for part in (picture.title, *picture.notes) if part)
    if words:
        yield from ("---", f'title: "{escape_title(words)}"', "---")


def escape_title(text: str) -> str:
    """Text for the quoted title: what means something to YAML or to directives is an escape of YAML.

    Mermaid takes what follows a `<` there for HTML however it is written: its full-width twin stands for it.
    """
    return "".join(
        c if c in _SAFE or c in _SAFE_TITLE or ord(c) > 0xA0 else f"\\u{ord(c):04x}"
        for c in shown(text).replace("<", "＜")
    )


def _flowchart(picture: Picture) -> Iterator[str]:
    yield "flowchart TD"
    yield from _nodes(picture, None, "  ")
    for edge in picture.edges:
        label = f'|"{_label(edge.lines)}"|' if edge.lines else ""
        yield f"  {edge.source} {_ARROWS[edge.line]}{label} {edge.target}"
    for tone, stroke in _STROKES.items():
        numbers = [str(number) for number, edge in enumerate(picture.edges) if edge.tone is tone]
        if numbers:
            yield f"  linkStyle {','.join(numbers)} {stroke}"


def _nodes(picture: Picture, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes_in.get(cluster, ()):
        opening, closing = _OUTLINES[node.shape]
        yield f'{indent}{node.key}{opening}"{_label(node.lines)}"{closing}'
    for inner in picture.clusters_in.get(cluster, ()):
        yield f'{indent}subgraph {inner.key}["{escape(inner.label)}"]'
        yield from _nodes(picture, inner.key, indent + "  ")
        yield f"{indent}end"


def _state_diagram(picture: Picture) -> Iterator[str]:
    yield "stateDiagram-v2"
    yield "  direction LR"
    starts = {node.key for node in picture.nodes if node.shape is Shape.START}
    for node in picture.nodes:
        if node.key not in starts:
            yield f'  state "{_state_name(node.lines)}" as {node.key}'
    for edge in picture.edges:
        source = "[*]" if edge.source in starts else edge.source
        label = _state_label(edge)
        yield f"  {source} --> {edge.target}{f' : {label}' if label else ''}"
    for node in picture.nodes:
        if node.shape is Shape.FINAL:
            yield f"  {node.key} --> [*]"


def _state_label(edge: Edge) -> str:
    return escape(_MARKS.get(edge.tone, "")) + _label(edge.lines) if edge.lines else ""


def _classes(picture: Picture) -> Iterator[str]:
    """One class per tone that occurs, and the nodes that have it."""
    for tone, style in _COLOURS.items():
        keys = [node.key for node in picture.nodes if node.tone is tone]
        if keys:
            yield f"  classDef {tone.value} {style}"
            yield f"  class {','.join(keys)} {tone.value}"
