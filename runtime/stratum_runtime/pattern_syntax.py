"""Reads a regular expression of JavaScript's `u` dialect and refuses what could match slowly."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Ranges = tuple[tuple[str, str], ...]
    Instruction = tuple[int, Any, int, int | None]
    Program = tuple[Instruction, ...]

MAX_QUANTIFIERS = 32
_MAX_COUNT = 1 << 31
"""Larger repeat counts mean the same: no admitted text is that long."""

SET, ASSERT, REPEAT, OPEN, OR, CLOSE = range(6)
"""What an instruction does. Its other parts: a set or an assertion; or a repeat's body, least and most."""

_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_HEX = frozenset("0123456789abcdefABCDEF")
_LAST = chr(0x10FFFF)
_SPACES = (
    ("\t", "\r"), (" ", " "), ("\xa0", "\xa0"), ("\u1680", "\u1680"), ("\u2000", "\u200a"),
    ("\u2028", "\u2029"), ("\u202f", "\u202f"), ("\u205f", "\u205f"), ("\u3000", "\u3000"),
    ("\ufeff", "\ufeff"),
)  # fmt: skip


class PatternError(Exception):
    """A pattern that isn't admitted: what is wrong, and at which code point of it."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class CharacterSet:
    """Characters by ranges (inclusive) and by properties, or all others when `negated`."""

    __slots__ = ("_key", "negated", "properties", "ranges")

    def __init__(
        self, ranges: Ranges, properties: tuple[tuple[str, bool], ...] = (), negated: bool = False
    ) -> None:
        self.ranges = ranges
        self.properties = properties
        """Names of Unicode properties, each with whether its complement is meant."""
        self.negated = negated
        self._key = (ranges, properties, negated)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CharacterSet) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def members(self, characters: set[str]) -> list[str]:
        """Those of the given characters that are in the set, in no order."""
        if not self.negated and not self.properties and all(low == high for low, high in self.ranges):
            return [character for character, _ in self.ranges if character in characters]
        return [character for character in characters if self._holds(character) is not self.negated]

    def _holds(self, character: str) -> bool:
        for low, high in self.ranges:
            if low <= character <= high:
                return True
        if self.properties:
            from stratum_runtime.unicode_properties import has_property

            return any(has_property(character, name) is not negated for name, negated in self.properties)
        return False


_DIGITS: Ranges = (("0", "9"),)
_WORDS: Ranges = (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))
_CLASSES: dict[str, Ranges] = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}
_DOT = CharacterSet((("\n", "\n"), ("\r", "\r"), ("\u2028", "\u2029")), negated=True)


def _complement(ranges: Ranges) -> Ranges:
    """All characters outside ascending ranges."""
    gaps, start = [], 0
    for low, high in ranges:
        if ord(low) > start:
            gaps.append((chr(start), chr(ord(low) - 1)))
        start = ord(high) + 1
    return (*gaps, (chr(start), _LAST))


class _Group:
    """An open group: where its program starts and what it holds so far."""

    __slots__ = ("alternation", "offset", "previous_quantified", "quantified", "start")

    def __init__(self, start: int, offset: int) -> None:
        self.start = start
        self.offset = offset
        self.alternation = False
        """Whether a `|` stands anywhere inside, in inner groups too; so for `quantified`."""
        self.quantified = False
        self.previous_quantified = False


def parse_pattern(pattern: str) -> Program:
    """The program of an admitted pattern. Raises PatternError."""
    return _Parser(pattern).parse()


class _Parser:
    __slots__ = ("at", "groups", "pattern", "program", "quantifiers")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.program: list[Instruction] = [(OPEN, None, 0, None)]
        self.groups = [_Group(0, 0)]
        self.quantifiers = 0

    def parse(self) -> Program:
        while self.at < len(self.pattern):
            self._term()
        if len(self.groups) > 1:
            raise PatternError("a group isn't closed", self.groups[-1].offset)
        self._emit(CLOSE)
        return tuple(self.program)

    def _emit(self, kind: int, what: Any = None, least: int = 0, most: int | None = None) -> None:
        self.program.append((kind, what, least, most))

    def _peek(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def _term(self) -> None:
        character, start, length = self.pattern[self.at], self.at, len(self.program)
        self.at += 1
        if character == "(":
            self._open(start)
        elif character == "|":
            self.groups[-1].alternation = True
            self.groups[-1].previous_quantified = False
            self._emit(OR)
        elif character == ")":
            self._close(start)
        elif character in "^$":
            self._assertion(character)
        elif character == "\\" and self._peek() in ("b", "B"):
            self.at += 1
            self._assertion(self.pattern[self.at - 1])
        elif character in "*+?{":
            raise PatternError(f"nothing to repeat before `{character}`", start)
        elif character in "]}":
            raise PatternError(f"a lone `{character}` must be written `\\{character}`", start)
        else:
            self._emit(SET, self._set(character, start))
            self._quantifier(length, nested=False, quantified=False)

    def _open(self, start: int) -> None:
        if self._peek() == "?":
            raise PatternError("groups that begin with `(?` aren't allowed", start)
        self.groups.append(_Group(len(self.program), start))
        self._emit(OPEN)

    def _close(self, start: int) -> None:
        if len(self.groups) == 1:
            raise PatternError("`)` closes no group", start)
        group = self.groups.pop()
        self.groups[-1].alternation |= group.alternation
        self._emit(CLOSE)
        self._quantifier(
            group.start, nested=group.quantified or group.alternation, quantified=group.quantified
        )

    def _assertion(self, kind: str) -> None:
        self._emit(ASSERT, kind)
        self.groups[-1].previous_quantified = False

    def _set(self, character: str, start: int) -> CharacterSet:
        """The characters that the atom begun by `character` stands for."""
        if character == ".":
            return _DOT
        if character == "[":
            return self._class(start)
        if character == "\\":
            found = self._escape(in_class=False)
            return found if isinstance(found, CharacterSet) else CharacterSet(((found, found),))
        return CharacterSet(((character, character),))

    # --- quantifiers ---------------------------------------------------------------------------------

    def _quantifier(self, start: int, *, nested: bool, quantified: bool) -> None:
        """Reads what may repeat the atom whose program begins at `start`, and keeps the shape rule."""
        group, offset = self.groups[-1], self.at
        counts = self._counts()
        if counts is not None:
            self.quantifiers += 1
            if self.quantifiers > MAX_QUANTIFIERS:
                raise PatternError(f"more than {MAX_QUANTIFIERS} quantifiers", offset)
            if nested:
                raise PatternError("a repeated group may hold neither a quantifier nor `|`", offset)
            if self._peek() == "?":
                self.at += 1
            body = tuple(step for step in self.program[start:] if step[0] not in (OPEN, CLOSE))
            del self.program[start:]
            self._emit(REPEAT, body, *counts)
            quantified = True
        if quantified:
            if group.previous_quantified:
                raise PatternError("two quantified parts are side by side", offset)
            group.quantified = True
        group.previous_quantified = quantified

    def _counts(self) -> tuple[int, int | None] | None:
        """Least and most of the quantifier here; None when there is none."""
        character = self._peek()
        simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(character)
        if simple is not None:
            self.at += 1
            return simple
        if character != "{":
            return None
        start = self.at
        self.at += 1
        least = self._number(start)
        most: int | None = least
        if self._peek() == ",":
            self.at += 1
            most = None if self._peek() == "}" else self._number(start)
        if self._peek() != "}":
            raise PatternError("`{` must begin a count such as `{2}` or `{1,3}`", start)
        self.at += 1
        if most is not None and most < least:
            raise PatternError("the counts are in the wrong order", start)
        return least, most

    def _number(self, start: int) -> int:
        begin = self.at
        while self._peek() and self._peek() in "0123456789":
            self.at += 1
        if begin == self.at:
            raise PatternError("`{` must begin a count such as `{2}` or `{1,3}`", start)
        return min(int(self.pattern[begin : self.at]), _MAX_COUNT)

    # --- classes and escapes -------------------------------------------------------------------------

    def _class(self, start: int) -> CharacterSet:
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[str, str]] = []
        properties: list[tuple[str, bool]] = []
        while self._peek() != "]":
            begin = self.at
            low = self._class_atom(start)
            if self._peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._class_atom(start)
                if isinstance(low, CharacterSet) or isinstance(high, CharacterSet):
                    raise PatternError("a class can't be the end of a range", begin)
                if low > high:
                    raise PatternError("the ends of a range are in the wrong order", begin)
                ranges.append((low, high))
            elif isinstance(low, CharacterSet):
                ranges.extend(low.ranges)
                properties.extend(low.properties)
            else:
                ranges.append((low, low))
        self.at += 1
        return CharacterSet(tuple(ranges), tuple(properties), negated)

    def _class_atom(self, start: int) -> str | CharacterSet:
        character = self._peek()
        if not character:
            raise PatternError("`[` isn't closed", start)
        self.at += 1
        return self._escape(in_class=True) if character == "\\" else character

    def _escape(self, *, in_class: bool) -> str | CharacterSet:
        """What an escape stands for; the back-slash has been read."""
        start, character = self.at - 1, self._peek()
        self.at += 1
        if not character:
            raise PatternError("a back-slash ends the pattern", start)
        if character in "dws":
            return CharacterSet(_CLASSES[character])
        if character in "DWS":
            return CharacterSet(_complement(_CLASSES[character.lower()]))
        if character in "pP":
            return self._property(start, negated=character == "P")
        if character in _SYNTAX or (in_class and character == "-"):
            return character
        if in_class and character == "b":
            return "\b"
        return _CONTROLS.get(character) or self._coded(character, start)

    def _coded(self, character: str, start: int) -> str:
        r"""A character given by number or as a control: `\0`, `\cX`, `\xHH`, `\uHHHH`, `\u{H}`."""
        if character == "0" and not self._peek().isdecimal():
            return "\0"
        if character == "c" and self._peek().isascii() and self._peek().isalpha():
            self.at += 1
            return chr(ord(self.pattern[self.at - 1]) % 32)
        if character == "x":
            return chr(self._hex(2, start))
        if character == "u":
            return chr(self._unicode(start))
        if character == "k" or character in "123456789":
            raise PatternError("back-references aren't allowed", start)
        raise PatternError(f"`\\{character}` means nothing here", start)

    def _unicode(self, start: int) -> int:
        if self._peek() == "{":
            end = self.pattern.find("}", self.at)
            digits = self.pattern[self.at + 1 : end] if end > 0 else ""
            if not digits or not _HEX.issuperset(digits) or int(digits, 16) > ord(_LAST):
                raise PatternError("`\\u{` must be closed after a code point in hexadecimal digits", start)
            self.at = end + 1
            return int(digits, 16)
        code = self._hex(4, start)
        if 0xD800 <= code < 0xDC00 and self.pattern[self.at : self.at + 2] == "\\u":
            digits = self.pattern[self.at + 2 : self.at + 6]
            if len(digits) == 4 and _HEX.issuperset(digits) and 0xDC00 <= int(digits, 16) < 0xE000:
                self.at += 6
                return 0x10000 + (code - 0xD800 << 10) + int(digits, 16) - 0xDC00
        return code

    def _hex(self, count: int, start: int) -> int:
        digits = self.pattern[self.at : self.at + count]
        if len(digits) != count or not _HEX.issuperset(digits):
            raise PatternError(f"this escape needs {count} hexadecimal digits", start)
        self.at += count
        return int(digits, 16)

    def _property(self, start: int, *, negated: bool) -> CharacterSet:
        from stratum_runtime.unicode_properties import known_property

        end = self.pattern.find("}", self.at)
        if self._peek() != "{" or end < 0:
            raise PatternError("a property is written `\\p{Name}`", start)
        name = known_property(self.pattern[self.at + 1 : end])
        if name is None:
            raise PatternError("there is no such Unicode property", start)
        self.at = end + 1
        return CharacterSet((), ((name, negated),))
