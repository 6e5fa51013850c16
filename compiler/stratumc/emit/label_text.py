"""Text of labels: what is shown for any name, and on how many lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

LABEL_WIDTH = 36
"""Code points of a line of an edge's label."""

NAME_WIDTH = 44
"""Code points of a line of a name."""

MOST_LABEL_LINES = 9
"""Of an edge's label: a condition of 300 characters is whole."""

_MOST_LINES = 6

_HIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef"
    r"\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
"""Characters without a picture of their own, or that turn the text around them; those that join emoji and
letters are none.
"""


def shown(text: str) -> str:
    """The text with hidden characters as escapes, so that no format drops them or is misled by them."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def shorten(text: str, limit: int = 48) -> str:
    """The text on one line, cut with an ellipsis after `limit` code points."""
    line = flat(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def flat(text: str) -> str:
    """The text on one line."""
    return shown(" ".join(text.split()))


def listed(names: Sequence[str], most: int) -> str:
    """As many names as `most` characters hold, one at least, and how many more there are."""
    text = ""
    for number, name in enumerate(names):
        longer = f"{text}, {name}" if number else name
        if number and len(longer) > most:
            return f"{text} and {len(names) - number} more"
        text = longer
    return text


def name_lines(name: str) -> tuple[str, ...]:
    """A user's name as lines of a label; one of white space alone is put in quotes."""
    return wrap(name if name.strip() else f'"{name}"', NAME_WIDTH)


def wrap(text: str, width: int, most: int = _MOST_LINES) -> tuple[str, ...]:
    """The text as lines of at most `width` code points, broken at spaces where there are some.

    No line for an empty text; what doesn't fit on `most` lines ends in an ellipsis.
    """
    lines: list[str] = []
    rest = shown(text)
    while rest and len(lines) < most:
        if len(rest) <= width:
            lines.append(rest)
            return tuple(lines)
        cut = rest.rfind(" ", 1, width + 1)
        cut = width if cut <= 0 else cut
        lines.append(rest[:cut])
        rest = rest[cut:].removeprefix(" ")
    return (*lines[:-1], lines[-1][: width - 1] + "…") if rest else tuple(lines)
