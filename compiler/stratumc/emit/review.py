"""Writes the review page: one HTML file with everything inside, for reading without a network."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from stratumc.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class PathEdge:
    """A way from one state or step to the next, for the page's path queries."""

    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class ReviewPicture:
    """One diagram of the page, with what the page needs to answer clicks."""

    title: str
    svg: str
    """The drawing; node ids are the keys of `nodes`."""
    nodes: tuple[tuple[str, str], ...]
    """Key and name of each node; pseudo nodes have an empty name."""
    names: tuple[str, ...]
    """What can be chosen for a path, in document order."""
    edges: tuple[PathEdge, ...]
    places: dict[str, tuple[str, int]]
    """Name to file and line of its declaration."""
    findings: dict[str, tuple[int, ...]]
    """Name to the numbers of the diagnostics about it."""


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that the page shows."""

    title: str
    files: tuple[tuple[str, str], ...]
    """Name and text of each input."""
    diagnostics: tuple[Diagnostic, ...]
    pictures: tuple[ReviewPicture, ...]
    headings: tuple[str, ...]
    """Columns of the transition table."""
    rows: tuple[tuple[str, ...], ...]
    bounds: tuple[tuple[str, str, str, str], ...]
    """Flow, what is bounded, least, most."""
    diff: tuple[str, str] | None = None
    """Title and text of the comparison with another revision."""


def review_page(review: Review) -> str:
    """The page as HTML; it loads nothing, and works from the file system."""
    page = _asset("review.html")
    parts = {
        "title": html.escape(review.title),
        "style": _asset("review.css"),
        "script": _asset("review.js"),
        "data": _embedded(_data(review)),
    }
    head, *rest = page.split("{{")
    filled = [head]
    for piece in rest:
        name, _, text = piece.partition("}}")
        filled += [parts[name], text]
    return "".join(filled)


def _asset(name: str) -> str:
    return resources.files("stratumc.emit").joinpath("assets", name).read_text("utf-8")


def _embedded(value: Any) -> str:
    """JSON that can stand inside a script element, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(review: Review) -> dict[str, Any]:
    return {
        "files": [{"name": name, "text": text} for name, text in review.files],
        "diagnostics": [
            {**found.to_dict(), "number": number} for number, found in enumerate(review.diagnostics)
        ],
        "pictures": [_picture(picture) for picture in review.pictures],
        "table": {"headings": review.headings, "rows": review.rows},
        "bounds": review.bounds,
        "diff": None if review.diff is None else {"title": review.diff[0], "text": review.diff[1]},
    }


def _picture(picture: ReviewPicture) -> dict[str, Any]:
    return {
        "title": picture.title,
        "svg": picture.svg,
        "nodes": [{"key": key, "name": name} for key, name in picture.nodes],
        "names": picture.names,
        "edges": [{"from": edge.source, "to": edge.target, "label": edge.label} for edge in picture.edges],
        "places": {name: {"file": file, "line": line} for name, (file, line) in picture.places.items()},
        "findings": picture.findings,
    }
