"""Tells where in a TOML text each key and each value stands, which `tomllib` does not."""

from __future__ import annotations

import re
from typing import NamedTuple

Way = tuple[str | int, ...]
"""The keys and numbers of elements that lead to a value, as in what `tomllib` gives."""


class Range(NamedTuple):
    """Half-open, in code points."""

    start: int
    end: int


class TomlPlaces(NamedTuple):
    """Where keys and values stand, by the way to them."""

    keys: dict[Way, Range]
    """The first place of the name of each key; of a dotted key or a header, its part."""
    values: dict[Way, Range]
    """Each value that is written in one piece: no table of a header."""


def toml_places(text: str) -> TomlPlaces:
    """The places of all keys and values of a text that `tomllib` accepts (TOML 1.0).

    Raises RecursionError for arrays nested as deep as `tomllib` refuses them.
    """
    reader = _Reader(text)
    reader.read()
    return TomlPlaces(reader.keys, reader.values)


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\]|\\.)*"'
    r"|'[^']*'"
    r"|\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*"
    r"|[^\s,\]}#]+",
    re.DOTALL,
)
"""A value that is neither array nor inline table; the fifth is a date with a blank before its time."""


class _Reader:
    """Walks once over a text that is known to be TOML, so that no fault has to be told."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.keys: dict[Way, Range] = {}
        self.values: dict[Way, Range] = {}
        self._numbers: dict[Way, int] = {}
        """Of each array of tables, the number of the last one."""

    def read(self) -> None:
        table: Way = ()
        self._skip()
        while self.offset < len(self.text):
            if self.text[self.offset] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip()

    def _skip(self) -> None:
        found = _BLANK.match(self.text, self.offset)
        assert found is not None
        self.offset = found.end()

    def _header(self) -> Way:
        """Reads `[a.b]` or `[[a.b]]` and gives the way of the table that follows."""
        is_array = self.text.startswith("[[", self.offset)
        self.offset += 1 + is_array
        self._skip()
        way = self._key((), resolve=True)
        self._skip()
        self.offset += 1 + is_array
        if is_array:
            # `_key` went into the last of the tables that came before.
            way = way[:-1] if way[:-1] in self._numbers else way
            self._numbers[way] = self._numbers.get(way, -1) + 1
            way = (*way, self._numbers[way])
        return way

    def _pair(self, table: Way) -> None:
        way = self._key(table, resolve=False)
        self._skip()
        self.offset += 1
        self._skip()
        self._value(way)

    def _key(self, way: Way, *, resolve: bool) -> Way:
        """Reads a key, noting each of its parts; a header goes into the last table of an array."""
        while True:
            found = _KEY.match(self.text, self.offset)
            assert found is not None
            way = (*way, _name(found[0]))
            self.keys.setdefault(way, Range(*found.span()))
            if resolve and way in self._numbers:
                way = (*way, self._numbers[way])
            dot = _DOT.match(self.text, found.end())
            self.offset = found.end()
            if dot is None:
                return way
            self.offset = dot.end()

    def _value(self, way: Way) -> None:
        start = self.offset
        match self.text[start]:
            case "[":
                self._array(way)
            case "{":
                self._inline(way)
            case _:
                found = _TEXT.match(self.text, start)
                assert found is not None
                self.offset = found.end()
        self.values[way] = Range(start, self.offset)

    def _array(self, way: Way) -> None:
        self.offset += 1
        number = 0
        while not self._closes("]"):
            self._value((*way, number))
            number += 1

    def _inline(self, way: Way) -> None:
        self.offset += 1
        while not self._closes("}"):
            self._pair(way)

    def _closes(self, bracket: str) -> bool:
        """Goes past blanks and a comma, and past the bracket when it is there."""
        self._skip()
        if self.text[self.offset] == ",":
            self.offset += 1
            self._skip()
        if self.text[self.offset] != bracket:
            return False
        self.offset += 1
        return True


def _name(written: str) -> str:
    """The name that a part of a key means."""
    if written[0] == "'":
        return written[1:-1]
    if written[0] != '"':
        return written
    if "\\" not in written:
        return written[1:-1]
    import tomllib

    name = tomllib.loads(f"name = {written}")["name"]
    assert isinstance(name, str)
    return name
