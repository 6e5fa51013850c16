"""JSON text to a tree with a span for every node, without recursion."""

from __future__ import annotations

import enum
import re

from stratumc.diagnostics.finding import Finding
from stratumc.read.core_schema import NotFiniteError, parse_number
from stratumc.read.frames import DROPPED, Frame, duplicate_key, path_of, too_many_faults
from stratumc.read.json_errors import JsonError, describe_fault
from stratumc.read.limits import MAX_DEPTH, MAX_FAULTS
from stratumc.read.result import ReadResult
from stratumc.text import Document, Location
from stratumc.text.tree import Node, Scalar, ScalarValue, Style

_TOKEN = re.compile(
    r"[ \t\n\r]*(?:([{}\[\],:])"
    r'|"((?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(true|false|null)\b)"
)
_PUNCTUATION, _STRING, _NUMBER, _WORD = 1, 2, 3, 4
_SHORT = 16
_WORDS = {"true": True, "false": False, "null": None}
_BLANK = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))"
)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SURROGATE = re.compile("[\ud800-\udfff]")


class Expected(enum.Enum):
    """What may come next in a JSON text."""

    VALUE = "a value"
    VALUE_OR_END = "a value or `]`"
    KEY = "a key"
    KEY_OR_END = "a key or `}`"
    COLON = "`:`"
    COMMA_OR_END = "`,` or the end of the collection"
    NOTHING = "nothing"


_VALUES = (Expected.VALUE, Expected.VALUE_OR_END)
_KEYS = (Expected.KEY, Expected.KEY_OR_END)


def read_json(document: Document, source: int = 0) -> ReadResult:
    """The tree of a JSON text (RFC 8259).

    Never raises for any text. Findings: JSON_INVALID at the first fault, DUPLICATE_KEY, LIMIT_EXCEEDED,
    ENCODING_INVALID, and SCHEMA_INVALID for numbers beyond the range of doubles.
    """
    reader = _Reader(document.text, source)
    try:
        reader.run()
    except JsonError as fault:
        return ReadResult(None, (*reader.findings, fault.finding(source)))
    except _TooManyError as fault:
        return ReadResult(None, (*reader.findings, too_many_faults(fault.last)))
    return ReadResult(reader.root, tuple(reader.findings))


class _TooManyError(Exception):
    """The file has as many faults as are reported."""

    def __init__(self, last: Finding) -> None:
        super().__init__(last.message)
        self.last = last


class _Reader:
    """One pass over a text, one token at a time."""

    def __init__(self, text: str, source: int) -> None:
        self.text = text
        self.source = source
        self.root: Node | None = None
        self.findings: list[Finding] = []
        self._stack: list[Frame] = []
        self._expected = Expected.VALUE

    def run(self) -> None:
        """Reads the whole text; raises JsonError where it stops being JSON."""
        match_token, text, position = _TOKEN.match, self.text, 0
        while (token := match_token(text, position)) is not None:
            kind = token.lastindex
            assert kind is not None
            start, position = token.start(kind), token.end()
            if kind == _PUNCTUATION:
                self._punctuation(token.group(kind), start)
            elif kind == _STRING and self._expected in _KEYS:
                self._key(token.group(kind), start - 1, position)
            elif self._expected in _VALUES:
                value = self._value(kind, token.group(kind), start, position)
                self._add(Scalar(value, start - (kind == _STRING), position, Style.JSON))
            else:
                self._fail(start - (kind == _STRING))
        blank = _BLANK.match(text, position)
        end = blank.end() if blank else position
        if end < len(text) or self._expected is not Expected.NOTHING:
            self._fail(end)

    def _punctuation(self, sign: str, start: int) -> None:
        expected = self._expected
        if sign in "{[":
            if expected not in _VALUES:
                self._fail(start)
            self._open(start, keyed=sign == "{")
        elif sign in "}]":
            self._close(sign, start)
        elif sign == "," and expected is Expected.COMMA_OR_END:
            self._expected = Expected.KEY if self._stack[-1].keyed else Expected.VALUE
        elif sign == ":" and expected is Expected.COLON:
            self._expected = Expected.VALUE
        else:
            self._fail(start)

    def _open(self, start: int, *, keyed: bool) -> None:
        if len(self._stack) >= MAX_DEPTH:
            message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
            raise JsonError(start, start + 1, message, path=path_of(self._stack))
        self._stack.append(Frame(start, keyed=keyed))
        self._expected = Expected.KEY_OR_END if keyed else Expected.VALUE_OR_END

    def _close(self, sign: str, start: int) -> None:
        empty = Expected.KEY_OR_END if sign == "}" else Expected.VALUE_OR_END
        may_end = self._expected in (empty, Expected.COMMA_OR_END)
        if not may_end or self._stack[-1].keyed != (sign == "}"):
            self._fail(start)
        self._add(self._stack.pop().finish(start + 1))

    def _add(self, node: Node) -> None:
        if self._stack:
            self._stack[-1].add(node)
            self._expected = Expected.COMMA_OR_END
        else:
            self.root = node
            self._expected = Expected.NOTHING

    def _key(self, body: str, start: int, end: int) -> None:
        frame = self._stack[-1]
        key = Scalar(self._string(body, start, end), start, end, Style.JSON)
        frame.key = key
        first = frame.index.get(str(key.value))
        if first is not None:
            self._keep(duplicate_key(first.key, key, path_of(self._stack), self.source))
            frame.key = DROPPED
        self._expected = Expected.COLON

    def _value(self, kind: int, written: str, start: int, end: int) -> ScalarValue:
        if kind == _STRING:
            return self._string(written, start - 1, end)
        if kind == _WORD:
            return _WORDS[written]
        if len(written) < _SHORT and written.isdigit():
            return int(written)
        try:
            return parse_number(written)
        except NotFiniteError as fault:
            at = Location(path_of(self._stack), source=self.source, range=(start, end))
            self._keep(Finding("SCHEMA_INVALID", at, f"the number {fault}"))
            return 1

    def _string(self, body: str, start: int, end: int) -> str:
        if "\\" in body:
            body = _ESCAPE.sub(_unescape, body)
        if not body.isascii() and _SURROGATE.search(body):
            raise JsonError(
                start, end, "this string holds half of a surrogate pair", path=path_of(self._stack)
            )
        return body

    def _keep(self, finding: Finding) -> None:
        self.findings.append(finding)
        if len(self.findings) == MAX_FAULTS:
            raise _TooManyError(finding)

    def _fail(self, offset: int) -> None:
        raise describe_fault(self.text, offset, self._expected.name, self._stack)


def _unescape(match: re.Match[str]) -> str:
    high, low, unit, sign = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    if unit is not None:
        return chr(int(unit, 16))
    return _ESCAPED.get(sign, sign)
