"""Writes a picture as Mermaid: a flowchart for flows, a state diagram for workflows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stratumc.emit.colours import COLOURS, LINE_COLOURS
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

_TOLD_BY_LINES = (
    Tone.ERROR,
    Tone.WARNING,
    Tone.INFO,
    Tone.UNREACHABLE,
    Tone.CURRENT,
    Tone.DONE,
    Tone.FAILED,
)
"""The tones that edges of a flowchart have."""

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

_EXTRA = {
    Tone.CURRENT: ",stroke-width:3px",
    Tone.SKIPPED: ",stroke-dasharray:4 3",
    Tone.UNREACHABLE: ",stroke-dasharray:2 3",
}


def _style(tone: Tone) -> str:
    colours = COLOURS[tone]
    return f"fill:{colours.fill},stroke:{colours.stroke}{_EXTRA.get(tone, '')},color:{colours.text}"


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


def _escape_plain(text: str) -> str:
    """Text for a label of one line of a state diagram, where underscores that stand are marks."""
    return _escaped(text, "-,.", "")


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
    return "<br/>".join(map(_escape_plain if len(lines) == 1 else _escape_markdown, lines))


def _title(picture: Picture) -> Iterator[str]:
    """The title and notes as front matter, in a quoted YAML string."""
    codes = dict.fromkeys(f"{_MARKS.get(one.tone, '')}{one.code}" for one in picture.remarks)
    words = " — ".join(part for part in (picture.title, *picture.notes, ", ".join(codes)) if part)
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
    numbers: dict[str, list[str]] = {}
    for number, edge in enumerate(picture.edges):
        told = edge.tone in _TOLD_BY_LINES
        colour = COLOURS[edge.tone].stroke if told else LINE_COLOURS.get(edge.line)
        if colour is not None:
            numbers.setdefault(colour, []).append(str(number))
    for colour, places in numbers.items():
        yield f"  linkStyle {','.join(places)} stroke:{colour}"


def _nodes(picture: Picture, cluster: str | None, indent: str) -> Iterator[str]:
    """The nodes of one cluster, and the clusters inside it."""
    for node in picture.nodes_in.get(cluster, ()):
        opening, closing = _OUTLINES[node.shape]
        yield f'{indent}{node.key}{opening}"{_label(node.lines)}"{closing}'
    for inner in picture.clusters_in.get(cluster, ()):
        # Mermaid would put a title where arrows cross it; it stands on the arrow into the cluster.
        yield f'{indent}subgraph {inner.key}[" "]'
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
    words = "<br/>".join(map(_escape_plain, edge.lines))
    return escape(_MARKS.get(edge.tone, "")) + words if words else ""


def _classes(picture: Picture) -> Iterator[str]:
    """One class per tone that occurs, and the nodes and clusters that have it."""
    for tone in COLOURS:
        keys = [node.key for node in picture.nodes if node.tone is tone]
        keys += [cluster.key for cluster in picture.clusters if cluster.tone is tone]
        if keys and tone is not Tone.PLAIN:
            yield f"  classDef {tone.value} {_style(tone)}"
            yield f"  class {','.join(keys)} {tone.value}"
