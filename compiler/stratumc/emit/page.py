"""A picture alone as a self-contained HTML page."""

from __future__ import annotations

import html

from stratumc.emit.dot import lay_out
from stratumc.emit.picture import Picture

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; background: #fafaf9; color: #1c1917; font: 15px/1.5 system-ui, sans-serif; }}
main {{ overflow: auto; padding: 1rem; }}
</style>
</head>
<body>
<main>
{svg}
</main>
</body>
</html>
"""


def picture_page(picture: Picture) -> str:
    """The picture, drawn by Graphviz, inside a page that loads nothing."""
    svg = lay_out(picture, "svg").decode("utf-8")
    return _PAGE.format(title=html.escape(picture.title), svg=svg[svg.index("<svg") :].rstrip())
