"""Where a YAML text has comments: every `#` after white space that no scalar holds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from stratumc.text.comment import Comment

_COMMENT = re.compile(r"(?:(?<=[ \t\r\n])|\A)#[^\r\n]*")


def find_comments(text: str, scalars: Sequence[tuple[int, int]]) -> tuple[Comment, ...]:
    """The comments of a text, given the spans of those scalars that hold a `#`, in document order."""
    if "#" not in text:
        return ()
    starts = [start for start, _ in scalars]
    comments = []
    position = 0
    while (match := _COMMENT.search(text, position)) is not None:
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < scalars[before][1]:
            position = scalars[before][1]
            continue
        start, position = match.span()
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        comments.append(Comment(start, position, match.group(), not text[line:start].strip()))
    return tuple(comments)
