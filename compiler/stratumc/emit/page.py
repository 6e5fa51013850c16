"""A picture alone as a self-contained HTML page."""

from __future__ import annotations

import html
import re

from stratumc.emit.dot import lay_out
from stratumc.emit.label_text import shown
from stratumc.emit.picture import Picture, Tone
from stratumc.emit.template import assets, fill

_MEANS = {
    Tone.ERROR: "error",
    Tone.WARNING: "warning",
    Tone.INFO: "info",
    Tone.UNREACHABLE: "never comes up",
    Tone.CURRENT: "current",
    Tone.DONE: "done",
    Tone.FAILED: "failed",
    Tone.SKIPPED: "skipped or left",
}

_MOST_FITTED = 1600
"""Points of width up to which a picture is fitted into the window at first; smaller it couldn't be read."""


def picture_page(picture: Picture) -> str:
    """The picture, drawn by Graphviz, inside a page that loads nothing, in light and dark.

    It can be scrolled at its own size or fitted into the window, and tells what its colours mean.
    """
    svg = lay_out(picture, "svg").decode("utf-8")
    title = html.escape(shown(picture.title))
    drawn = svg[svg.index("<svg") :].rstrip()
    width = re.search(r'width="(\d+)', drawn)
    parts = {
        "title": title,
        "style": assets("colours.css", "drawing.css", "picture.css"),
        "whole": " checked" if width is not None and int(width[1]) <= _MOST_FITTED else "",
        "legend": "".join(
            f'<li><span class="swatch {tone.value}"></span>{words}</li>'
            for tone, words in _MEANS.items()
            if tone in picture.tones
        ),
        "svg": drawn.replace("<svg", f'<svg class="drawn" role="img" aria-label="{title}"', 1),
    }
    return fill("picture.html", parts)
