"""Regular expressions in time linear in the text: JavaScript's dialect with the `u` flag, search only.

Only patterns of a safe shape are admitted (expressions.md, "Functions"): no `(?`, no back-references, no
nested or adjacent quantified atoms, at most 32 quantifiers. So what is repeated is always a plain sequence
of character sets, and a whole pattern is a flat program over sets of positions. A set of positions is one
integer with a bit per position; every instruction is a few operations on such integers, repetition by
doubling included, and none ever goes back.
"""

from __future__ import annotations

from stratum_runtime.pattern_syntax import (
    ASSERT,
    CLOSE,
    OPEN,
    OR,
    REPEAT,
    CharacterSet,
    PatternError,
    parse_pattern,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stratum_runtime.pattern_syntax import Program

__all__ = ["Pattern", "PatternError", "compile_pattern"]

_CACHE_SIZE = 256
_WORD = CharacterSet((("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")))


class Pattern:
    """A compiled pattern; immutable."""

    __slots__ = ("_program",)

    def __init__(self, program: Program) -> None:
        self._program = program

    def search(self, text: str) -> bool:
        """Whether the pattern is found anywhere in the text."""
        return _run(self._program, _Positions(text))


_cache: dict[str, Pattern] = {}


def compile_pattern(pattern: str) -> Pattern:
    """The pattern's program; the last few are kept. Raises PatternError when it isn't admitted."""
    found = _cache.get(pattern)
    if found is None:
        found = Pattern(parse_pattern(pattern))
        if len(_cache) >= _CACHE_SIZE:
            _cache.clear()
        _cache[pattern] = found
    return found


class _Positions:
    """One text: where each character set and each assertion holds, as masks (bit i is position i)."""

    __slots__ = ("_codes", "_masks", "_none", "_reversed", "all", "length")

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self.all = (1 << self.length + 1) - 1
        self._reversed = text[::-1]
        self._codes = set(text)
        self._none = dict.fromkeys(map(ord, self._codes), "0")
        self._masks: dict[CharacterSet, int] = {}

    def of(self, characters: CharacterSet) -> int:
        """The positions whose character is in the set."""
        mask = self._masks.get(characters)
        if mask is None:
            table = self._none.copy()
            for character in characters.members(self._codes):
                table[ord(character)] = "1"
            mask = int(self._reversed.translate(table) or "0", 2)
            self._masks[characters] = mask
        return mask

    def where(self, assertion: str) -> int:
        """The positions where `^`, `$`, `b` (a word's edge) or `B` (none) holds."""
        if assertion == "^":
            return 1
        if assertion == "$":
            return 1 << self.length
        words = self.of(_WORD)
        edges = words ^ (words << 1)
        return edges if assertion == "b" else self.all & ~edges


def _run(program: Program, positions: _Positions) -> bool:
    """Follows all matches at once, from every position."""
    mask = positions.all
    entered: list[int] = []
    left: list[int] = []
    for kind, what, least, most in program:
        if kind == OPEN:
            entered.append(mask)
            left.append(0)
        elif kind == OR:
            left[-1] |= mask
            mask = entered[-1]
        elif kind == CLOSE:
            mask |= left.pop()
            entered.pop()
        elif kind == REPEAT:
            mask = _repeat(mask, what, least, most, positions)
        elif kind == ASSERT:
            mask &= positions.where(what)
        else:
            mask = (mask & positions.of(what)) << 1
    return mask != 0


def _repeat(mask: int, body: Program, least: int, most: int | None, positions: _Positions) -> int:
    """Where `body` ends after `least` to `most` passes from the positions of `mask`."""
    width, starts = 0, positions.all
    for kind, what, _, _ in reversed(body):
        if kind == ASSERT:
            starts &= positions.where(what)
        else:
            starts = (starts >> 1) & positions.of(what)
            width += 1
    if width == 0:
        return mask & starts if least else mask
    room = positions.length // width
    if least > room:
        return 0
    mask = _exactly(mask, starts, width, least)
    more = room if most is None else min(most - least, room)
    steps, size, passes, covered = starts, width, 1, 0
    while covered + passes <= more and mask & steps:
        mask |= (mask & steps) << size
        covered += passes
        steps, size, passes = steps & (steps >> size), size * 2, passes * 2
    return mask | _exactly(mask, starts, width, more - covered)


def _exactly(mask: int, starts: int, width: int, passes: int) -> int:
    """Where that many passes end; at `starts` one pass of `width` characters can begin."""
    while passes and mask:
        if passes & 1:
            mask = (mask & starts) << width
        starts, width, passes = starts & (starts >> width), width * 2, passes >> 1
    return mask
