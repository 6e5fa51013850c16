"""What the shape of a `matches` pattern says of every string that it is found in: its length, its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stratum_runtime.pattern_syntax import ASSERT, CLOSE, OPEN, OR, REPEAT, CharacterSet, parse_pattern

if TYPE_CHECKING:
    from stratum_runtime.pattern_syntax import Program

_LAST_SINGLE = "\uffff"


@dataclass(frozen=True, slots=True)
class Shape:
    """Bounds of the length, in UTF-16 code units, and literal parts of the strings with a match."""

    shortest: int
    longest: int | None
    """None where there is no limit: the pattern isn't tied to both ends, or repeats without one."""
    literals: tuple[str, ...]
    """Each is in the string."""
    is_literal: bool
    """The pattern is one literal and nothing else: it is found where the literal is."""


@dataclass(frozen=True, slots=True)
class _Span:
    """The length of what a part of a pattern matches, and whether that touches the ends of the string."""

    shortest: int = 0
    longest: int | None = 0
    first: bool = False
    last: bool = False

    def then(self, other: _Span) -> _Span:
        longest = None if self.longest is None or other.longest is None else self.longest + other.longest
        return _Span(
            self.shortest + other.shortest,
            longest,
            self.first or (self.longest == 0 and other.first),
            other.last or (self.last and other.longest == 0),
        )

    def either(self, other: _Span) -> _Span:
        longest = None if self.longest is None or other.longest is None else max(self.longest, other.longest)
        return _Span(
            min(self.shortest, other.shortest), longest, self.first and other.first, self.last and other.last
        )


def shape_of(pattern: str) -> Shape:
    """The shape of an admitted pattern."""
    program = parse_pattern(pattern)
    span = _span(program)
    literals = tuple(_literals(program))
    plain = all(kind in (OPEN, CLOSE) or _letter(what) is not None for kind, what, _, _ in program)
    return Shape(
        span.shortest,
        span.longest if span.first and span.last else None,
        literals,
        plain and len(literals) == 1,
    )


def _span(program: Program) -> _Span:
    entered: list[tuple[_Span, _Span | None]] = []
    here = _Span()
    for kind, what, least, most in program:
        if kind == OPEN:
            entered.append((here, None))
            here = _Span()
        elif kind == OR:
            before, other = entered[-1]
            entered[-1] = (before, here if other is None else other.either(here))
            here = _Span()
        elif kind == CLOSE:
            before, other = entered.pop()
            here = before.then(here if other is None else other.either(here))
        elif kind == REPEAT:
            once = _span(what)
            longest = 0 if once.longest == 0 else None
            if most is not None and once.longest is not None:
                longest = once.longest * most
            here = here.then(_Span(once.shortest * least, longest))
        elif kind == ASSERT:
            here = here.then(_Span(first=what == "^", last=what == "$"))
        else:
            here = here.then(_Span(1, _widest(what)))
    return here


def _widest(characters: CharacterSet) -> int:
    """The most code units of one of some characters."""
    few = not characters.negated and not characters.properties
    return 1 if few and all(high <= _LAST_SINGLE for _, high in characters.ranges) else 2


def _letter(what: object) -> str | None:
    """The one character that an instruction takes; None when it is another instruction, or takes several."""
    if not isinstance(what, CharacterSet) or what.negated or what.properties or len(what.ranges) != 1:
        return None
    low, high = what.ranges[0]
    return low if low == high else None


def _literals(program: Program) -> Iterator[str]:
    """The longest literal parts that every match has; none where the pattern has alternatives."""
    if any(kind == OR for kind, _, _, _ in program):
        return
    text = ""
    for kind, what, _, _ in program:
        letter = _letter(what)
        if letter is not None:
            text += letter
        elif kind not in (OPEN, CLOSE, ASSERT):
            if text:
                yield text
            text = ""
    if text:
        yield text
