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
    """A way from one place to the next, both by number."""

    source: int
    target: int
    label: str


@dataclass(frozen=True, slots=True)
class ReviewPicture:
    """One diagram of the page, with what the page needs to answer clicks."""

    title: str
    svg: str
    """The drawing; node ids are the keys of `nodes`."""
    nodes: tuple[tuple[str, int], ...]
    """Key of each node that stands for a step or state, and the number of its name."""
    names: tuple[str, ...]
    """Steps or states, in document order."""
    places: tuple[int, ...]
    """Where a run or project can be: per place the number of its name. A state has several where the ways on
    depend on the state before."""
    edges: tuple[PathEdge, ...]
    """The ways between places."""
    lines: tuple[tuple[str, int], ...]
    """Per name, file and line of its declaration."""
    findings: tuple[tuple[int, ...], ...]
    """Per name, the numbers of the diagnostics about it."""


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
        "nodes": picture.nodes,
        "names": picture.names,
        "places": picture.places,
        "edges": [(edge.source, edge.target, edge.label) for edge in picture.edges],
        "lines": picture.lines,
        "findings": picture.findings,
    }
