"""Where a YAML text has comments: every `#` after white space that no scalar holds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from stratumc.text.comment import Comment

_COMMENT = re.compile(r"(?:(?<=[ \t\r\n])|\A)#[^\r\n]*")


def find_comments(
    text: str, scalars: Sequence[tuple[int, int]], word: re.Pattern[str]
) -> tuple[Comment, ...]:
    """The comments that hold a word, in document order; `scalars` are the spans of those that hold a `#`."""
    starts = [start for start, _ in scalars]
    comments = []
    position = 0
    while (match := _COMMENT.search(text, position)) is not None:
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < scalars[before][1]:
            position = scalars[before][1]
            continue
        start, position = match.span()
        if word.search(match.group()):
            comments.append(Comment(start, position, match.group(), _stands_alone(text, start)))
    return tuple(comments)


def _stands_alone(text: str, start: int) -> bool:
    """Whether only white space stands between the beginning of a line and an offset."""
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return start == 0 or text[start - 1] in "\r\n"
