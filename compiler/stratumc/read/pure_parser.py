"""PyYAML's own parser, corrected where it departs from YAML 1.2: tabs, `?` inside words, and escapes.

What it overrides are PyYAML's scanning methods, by their names. PyYAML keeps the whole text, with a NUL
after it, in `buffer`, and the offset of the next character in `pointer`.
"""

from __future__ import annotations

import re
from typing import Any

from yaml.error import Mark
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken, TagToken

_BLANKS = re.compile(r"[ \t]*")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(?:[\0\r\n]|#)")
_REST_OF_LINE = re.compile(r"[^\0\r\n]*")
_WORD = re.compile(r"(?:[^\0 \t\r\n:]|:(?![\0 \t\r\n]))+")
_WORD_IN_FLOW = re.compile(r"(?:[^\0 \t\r\n:,\[\]{}]|:(?![\0 \t\r\n,\[\]{}]))+")
_INDICATORS = re.compile(r"[-+][1-9]?|[1-9][-+]?|")
_BARE_HANDLE = re.compile(r"![0-9A-Za-z-]*!")
_TAG = re.compile(
    r"!(?:<([^\s<>]+)>|([0-9A-Za-z-]*!(?=[^\0\s,]))?((?:[-0-9A-Za-z;/?:@&=+$_.~*'()!]|%[0-9A-Fa-f]{2})*))"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE_ESCAPE = re.compile(
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<lone>\\(?:u|U0000)(?=[dD][89a-fA-F]))", re.DOTALL
)


class PureParser(Reader, Scanner, Parser):
    """Events of a text, without libyaml."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skips blanks, comments and line ends; a tab separates, but doesn't indent (YAML 1.2, 6.1)."""
        while True:
            self._skip_blanks()
            if self.peek() == "#":
                self._skip(_REST_OF_LINE)
            if not self._line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def _skip_blanks(self) -> None:
        while self.peek() == " ":
            self.forward()
        if self.peek() != "\t":
            return
        if self.flow_level or not self.allow_simple_key or _BLANK_OR_COMMENT.match(self.buffer, self.pointer):
            self._skip(_BLANKS)
        elif self._stands_behind_indicator():
            self._skip(_BLANKS)
            self.allow_simple_key = False

    def _stands_behind_indicator(self) -> bool:
        """Whether something other than blanks stands before this place on its line, as `-` in `-<tab>x`."""
        start = self.buffer.rfind("\n", 0, self.pointer) + 1
        return not self.buffer[start : self.pointer].isspace() and start < self.pointer

    def _line_break(self) -> str:
        text: str = self.scan_line_break()  # type: ignore[no-untyped-call]
        return text

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.buffer, self.pointer)
        text = match.group() if match else ""
        self.forward(len(text))
        return text

    def scan_block_scalar_indicators(self, _start: Mark) -> tuple[bool | None, int | None]:
        """Chomping and indentation of a block scalar's header, the blanks after them skipped."""
        signs = self._skip(_INDICATORS)
        chomping = {"+": True, "-": False}.get(signs.strip("123456789"))
        digit = signs.strip("+-")
        self._skip(_BLANKS)
        return chomping, int(digit) if digit else None

    def scan_tag(self) -> TagToken:
        """A tag: verbatim, with a handle, or local; blanks, tabs too, or a comma in brackets end it."""
        start = self.get_mark()
        match = _TAG.match(self.buffer, self.pointer)
        follows = self.buffer[match.end()] if match else ""
        if (
            match is None
            or _BARE_HANDLE.fullmatch(match.group())
            or not (follows in "\0 \t\r\n" or (follows == "," and self.flow_level))
        ):
            problem = "did not find expected whitespace or line break"
            raise ScannerError("while scanning a tag", start, problem, start)
        verbatim, handle, suffix = match.groups()
        self.forward(len(match.group()))
        if verbatim or match.group() == "!":
            return TagToken((None, verbatim or "!"), start, self.get_mark())
        value = ("!" + (handle or ""), suffix)
        return TagToken(value, start, self.get_mark())

    def scan_plain(self) -> ScalarToken:
        """A plain scalar; inside `[…]` and `{…}` a question mark is an ordinary character (section 7.3.3)."""
        word = _WORD_IN_FLOW if self.flow_level else _WORD
        start = end = self.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        spaces: list[str] = []
        while self.peek() != "#" and (text := self._skip(word)):
            self.allow_simple_key = False
            chunks += [*spaces, text]
            end = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start) or []
            if not spaces or (not self.flow_level and self.column < indent):
                break
        return ScalarToken("".join(chunks), True, start, end)

    def scan_plain_spaces(self, indent: int, start_mark: Mark) -> list[str] | None:
        """White space inside a plain scalar, folded; None before a document marker."""
        blanks = self._skip(_BLANKS)
        if self.peek() not in "\r\n":
            return [blanks] if blanks else []
        breaks: list[str] = []
        while self.peek() in " \t\r\n":
            if self.peek() in "\r\n":
                breaks.append(self._line_break())
                self.allow_simple_key = True
                if self.prefix(3) in ("---", "...") and self.peek(3) in "\0 \t\r\n":
                    return None
            elif self.peek() == "\t" and self.column < indent and self._tab_indents():
                problem = "found a tab character that violates indentation"
                raise ScannerError("while scanning a plain scalar", start_mark, problem, self.get_mark())
            else:
                self.forward()
        return breaks[1:] or [" "]

    def _tab_indents(self) -> bool:
        return _BLANK_OR_COMMENT.match(self.buffer, self.pointer) is None

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Mark) -> list[str]:
        """Characters of a quoted scalar; joins pairs of surrogates, refuses escapes of no character."""
        start = self.pointer
        problem = "found invalid Unicode character escape code"
        try:
            chunks: list[str] = super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError):
            raise ScannerError(
                "while parsing a quoted scalar", start_mark, problem, self.get_mark()
            ) from None
        if double and any(map(_SURROGATE.search, chunks)):
            chunks = [_SURROGATE_PAIR.sub(_joined, "".join(chunks))]
        if double and _SURROGATE.search("".join(chunks)):
            escapes = _SURROGATE_ESCAPE.finditer(self.buffer, start)
            escape = next((one for one in escapes if one["lone"]), None)
            mark: Any = self.get_mark()
            if escape is not None:
                mark.index = escape.end()
            raise ScannerError("while parsing a quoted scalar", start_mark, problem, mark)
        return chunks


def _joined(pair: re.Match[str]) -> str:
    """The character that two escapes write together, as in JSON."""
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")
