"""Where each character of a scalar's value stands in the text, for every style of YAML and for JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from stratumc.text.tree import Scalar, Style

Piece = tuple[str, int, int]
"""One character of a value, and the half-open range of offsets that writes it."""

_BREAK = re.compile(r"\r\n|\r|\n")
_FOLD = re.compile(r"[ \t]*(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))*[ \t]*")
_ESCAPED_BREAK = re.compile(r"\\(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))*[ \t]*")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))",
    re.DOTALL,
)
_NAMED_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?(\r\n|\r|\n|\Z)")


def inner_range(text: str, scalar: Scalar, start: int, stop: int) -> tuple[int, int]:
    """The offsets of `text` that write `scalar.value[start:stop]`; all of it when it isn't a string."""
    if not isinstance(scalar.value, str):
        return scalar.start, scalar.end
    pieces = _pieces(text, scalar)
    start = max(0, min(start, len(pieces)))
    stop = max(start, min(stop, len(pieces)))
    if start == len(pieces):
        end = pieces[-1][2] if pieces else scalar.end - (scalar.style in _QUOTED)
        return end, end
    first = pieces[start][1]
    return first, (pieces[stop - 1][2] if stop > start else first)


@lru_cache(maxsize=2)
def _pieces(text: str, scalar: Scalar) -> tuple[Piece, ...]:
    """All pieces of a scalar, kept for the next finding, which is often in the same one."""
    return tuple(value_pieces(text, scalar))


def value_pieces(text: str, scalar: Scalar) -> Iterator[Piece]:
    """The characters of a string scalar's value in order, each with its range in the text."""
    match scalar.style:
        case Style.PLAIN:
            yield from _flow_pieces(text, scalar.start, scalar.end, scalar.style)
        case Style.SINGLE | Style.DOUBLE | Style.JSON:
            yield from _flow_pieces(text, scalar.start + 1, scalar.end - 1, scalar.style)
        case Style.LITERAL | Style.FOLDED:
            yield from _block_pieces(text, scalar)


_QUOTED = (Style.SINGLE, Style.DOUBLE, Style.JSON)


def _flow_pieces(text: str, offset: int, end: int, style: Style) -> Iterator[Piece]:
    """Plain and quoted scalars: escapes, and line breaks that fold to a space or to fewer breaks."""
    escapes = style in (Style.DOUBLE, Style.JSON)
    while offset < end:
        character = text[offset]
        if character in " \t\r\n" and (fold := _FOLD.match(text, offset, end)) is not None:
            yield from _folded(text, fold)
            offset = fold.end()
        elif character == "\\" and escapes:
            if (joined := _ESCAPED_BREAK.match(text, offset, end)) is not None:
                yield from _breaks_after_first(text, joined)
                offset = joined.end()
            else:
                value, after = _unescape(text, offset, end)
                yield value, offset, after
                offset = after
        else:
            width = 2 if character == "'" and style is Style.SINGLE else 1
            yield character, offset, offset + width
            offset += width


def _folded(text: str, fold: re.Match[str]) -> Iterator[Piece]:
    """One line break is a space; of several, all but the first are breaks."""
    later = list(_breaks_after_first(text, fold))
    if later:
        yield from later
    else:
        yield " ", fold.start(), fold.end()


def _breaks_after_first(text: str, lines: re.Match[str]) -> Iterator[Piece]:
    breaks = list(_BREAK.finditer(text, lines.start(), lines.end()))
    for match in breaks[1:]:
        yield "\n", match.start(), match.end()


def _unescape(text: str, offset: int, end: int) -> tuple[str, int]:
    match = _ESCAPE.match(text, offset, end)
    if match is None:
        return text[offset], offset + 1
    high, low, *codes, sign = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00)), match.end()
    for code in codes:
        if code is not None:
            return chr(int(code, 16)), match.end()
    return _NAMED_ESCAPES.get(sign, sign), match.end()


def _block_pieces(text: str, scalar: Scalar) -> Iterator[Piece]:
    """Literal and folded scalars, with the indentation that gives the value that was read."""
    header = _HEADER.match(text, scalar.start)
    if header is None:
        return
    body = header.end()
    widest = _first_indentation(text, body)
    for indentation in range(widest, 0, -1):
        pieces = list(_lines(text, body, indentation, folded=scalar.style is Style.FOLDED))
        value = scalar.value
        assert isinstance(value, str)
        if "".join(piece[0] for piece in pieces[: len(value)]) == value:
            yield from pieces[: len(value)]
            return


def _first_indentation(text: str, offset: int) -> int:
    """The most spaces that begin a line up to the first one that isn't blank."""
    widest = 0
    for line in re.compile(r"( *)([^\r\n]?)[^\r\n]*(?:\r\n|\r|\n|\Z)").finditer(text, offset):
        widest = max(widest, len(line.group(1)))
        if line.group(2) or line.end() == len(text):
            break
    return widest


def _lines(text: str, offset: int, indentation: int, *, folded: bool) -> Iterator[Piece]:
    """The lines of a block scalar before its final breaks are chomped (YAML 1.2, section 8.1)."""
    offset, blank = _blank_lines(text, offset, indentation)
    yield from blank
    while _is_line(text, offset, indentation):
        offset += indentation
        spaced = text[offset] in " \t"
        end = match.start() if (match := _BREAK.search(text, offset)) else len(text)
        yield from ((text[at], at, at + 1) for at in range(offset, end))
        after = match.end() if match else end
        offset, blank = _blank_lines(text, after, indentation)
        if (
            folded
            and not spaced
            and _is_line(text, offset, indentation)
            and text[offset + indentation] not in " \t"
        ):
            if not blank:
                yield " ", end, offset + indentation
        else:
            yield "\n", end, after
        yield from blank


def _is_line(text: str, offset: int, indentation: int) -> bool:
    """Whether a line with content begins at an offset."""
    content = offset + indentation
    return content < len(text) and text[offset:content].isspace() and text[content] not in "\r\n"


def _blank_lines(text: str, offset: int, indentation: int) -> tuple[int, list[Piece]]:
    """The breaks of lines that hold at most `indentation` spaces, and the offset after them."""
    pieces: list[Piece] = []
    blank = re.compile(rf" {{0,{indentation}}}(\r\n|\r|\n)")
    while (match := blank.match(text, offset)) is not None:
        pieces.append(("\n", *match.span(1)))
        offset = match.end()
    return offset, pieces
