"""A picture alone as a self-contained HTML page."""

from __future__ import annotations

import html

from stratumc.emit.dot import lay_out
from stratumc.emit.label_text import shown
from stratumc.emit.picture import Picture
from stratumc.emit.template import assets, fill


def picture_page(picture: Picture) -> str:
    """The picture, drawn by Graphviz, inside a page that loads nothing, in light and dark."""
    svg = lay_out(picture, "svg").decode("utf-8")
    title = html.escape(shown(picture.title))
    drawn = svg[svg.index("<svg") :].rstrip()
    parts = {
        "title": title,
        "style": assets("colours.css", "drawing.css", "picture.css"),
        "svg": drawn.replace("<svg", f'<svg class="drawn" role="img" aria-label="{title}"', 1),
    }
    return fill("picture.html", parts)
