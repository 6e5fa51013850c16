"""Writes the review page: one HTML file with everything inside, for reading without a network."""

from __future__ import annotations

import html
import json
from typing import Any

from stratumc.diagnostics import Diagnostic
from stratumc.emit.label_text import shown
from stratumc.emit.review_parts import (
    Comparison,
    Drawing,
    DrawnNode,
    Input,
    PassedGate,
    PathEdge,
    Review,
    ReviewPicture,
    Row,
)
from stratumc.emit.template import assets, fill

_STYLES = ("colours.css", "page.css", "diagram.css", "drawing.css", "print.css")
_SCRIPTS = (
    "page.js",
    "diagram.js",
    "findings.js",
    "source.js",
    "tables.js",
    "paths.js",
    "changes.js",
    "selection.js",
    "start.js",
)
"""One for each part of the page, joined in this order to one script."""


def review_page(review: Review) -> str:
    """The page as HTML; it loads nothing, and works from the file system."""
    parts = {
        "title": html.escape(shown(review.title)),
        "style": assets(*_STYLES),
        "script": assets(*_SCRIPTS),
        "findings": _listed(review.diagnostics),
        "data": _embedded(_data(review)),
    }
    return fill("review.html", parts)


def _listed(diagnostics: tuple[Diagnostic, ...]) -> str:
    """The findings as a list, for browsers that run no script."""
    items = (
        f'  <li class="finding {found.severity}">'
        f'<span class="badge">{found.severity}</span> <b>{found.code}</b>'
        f'<span class="message">{_text(found.message)}</span>'
        f"<small>{_text(found.span.file)}:{found.span.line}:{found.span.column}</small></li>\n"
        for found in diagnostics
    )
    listed = "".join(items)
    return f'<ul class="findings">\n{listed}</ul>' if listed else "<p>Nothing was found.</p>"


def _text(text: str) -> str:
    return f"<bdi>{html.escape(shown(text))}</bdi>"


def _embedded(value: Any) -> str:
    """JSON that can stand inside a script element, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(review: Review) -> dict[str, Any]:
    return {
        "inputs": [_input(one) for one in review.inputs],
        "diagnostics": [
            {**found.to_dict(), "number": number} for number, found in enumerate(review.diagnostics)
        ],
        "pictures": [_picture(picture) for picture in review.pictures],
        "against": review.against,
        "settings": None if review.settings is None else _file(*review.settings),
    }


def _input(one: Input) -> dict[str, Any]:
    return {
        "name": one.name,
        "files": [_file(name, text) for name, text in one.files],
        "broken": one.is_broken,
        "rows": [_row(row) for row in one.rows],
        "bounds": one.bounds,
        "comparison": None if one.comparison is None else _comparison(one.comparison),
    }


def _file(name: str, text: str) -> dict[str, str]:
    return {"name": name, "text": text}


def _row(row: Row) -> tuple[str, ...]:
    return (row.machine, row.region, row.state, row.event, row.guards, row.target, row.effects)


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "old": one.old,
        "said": one.said,
        "diff": one.diff,
        "serious": one.serious,
        "others": one.others,
    }


def _picture(picture: ReviewPicture) -> dict[str, Any]:
    return {
        "input": picture.input,
        "noun": picture.noun,
        "title": picture.title,
        "drawings": [_drawing(one) for one in picture.drawings],
        "names": picture.names,
        "places": picture.places,
        "known": picture.known,
        "starts": picture.starts,
        "edges": [_edge(edge) for edge in picture.edges],
        "paths": None if picture.paths is None else [_paths(row) for row in picture.paths],
        "ofRuns": picture.is_of_runs,
        "lines": picture.lines,
        "findings": picture.findings,
        "own": picture.own,
        "calls": picture.calls,
        "completes": picture.completes,
        "gates": [_gate(gate) for gate in picture.gates],
        "before": picture.before,
        "passed": picture.passed,
        "together": picture.together,
        "complete": picture.is_complete,
    }


def _drawing(one: Drawing) -> dict[str, Any]:
    return {
        "svg": one.svg,
        "nodes": [_node(node) for node in one.nodes],
        "passages": one.passages,
        "legend": one.legend,
    }


def _node(node: DrawnNode) -> dict[str, Any]:
    told = {"key": node.key, "number": node.number, "means": node.means}
    inside = {"flow": node.flow, "stage": node.stage, "line": node.line}
    return {**told, **{name: value for name, value in inside.items() if value is not None}}


def _paths(row: tuple[tuple[PathEdge, ...] | None, ...]) -> list[Any]:
    return [None if path is None else [(*_edge(hop), hop.over) for hop in path] for path in row]


def _gate(gate: PassedGate) -> tuple[str, int, bool]:
    return (gate.name, gate.step, gate.is_inside)


def _edge(edge: PathEdge) -> tuple[int, int, str] | tuple[int, int, str, int]:
    told = (edge.source, edge.target, edge.label)
    return told if edge.previous is None else (*told, edge.previous)
