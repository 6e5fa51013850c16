"""Writes the review page: one HTML file with everything inside, for reading without a network."""

from __future__ import annotations

import html
import json
from typing import Any

from stratumc.emit.label_text import shown
from stratumc.emit.review_parts import Comparison, Drawing, Input, PathEdge, Review, ReviewPicture, Row
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
        "data": _embedded(_data(review)),
    }
    return fill("review.html", parts)


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
    }


def _input(one: Input) -> dict[str, Any]:
    return {
        "name": one.name,
        "files": [{"name": name, "text": text} for name, text in one.files],
        "broken": one.is_broken,
        "rows": [_row(row) for row in one.rows],
        "bounds": one.bounds,
        "comparison": None if one.comparison is None else _comparison(one.comparison),
    }


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
        "starts": picture.starts,
        "edges": [_edge(edge) for edge in picture.edges],
        "lines": picture.lines,
        "findings": picture.findings,
        "calls": picture.calls,
        "gates": picture.gates,
        "before": picture.before,
        "passed": picture.passed,
        "complete": picture.is_complete,
    }


def _drawing(one: Drawing) -> dict[str, Any]:
    return {"svg": one.svg, "nodes": one.nodes, "legend": one.legend}


def _edge(edge: PathEdge) -> tuple[int, int, str]:
    return (edge.source, edge.target, edge.label)
