"""A few short texts that a `matches` pattern is found in, for witnesses; the caller tests them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": " ", "S": "a"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}


def samples(pattern: str) -> Iterator[str]:
    """Texts made from the pattern with each part as short as may be, then with repeated parts longer."""
    for extra in range(4):
        for branch in range(2):
            try:
                yield _Sampler(pattern, extra, branch).run()
            except (IndexError, ValueError):
                return


class _Sampler:
    """Reads a pattern once and writes what it asks for; `extra` more of what repeats, `branch` of choices."""

    def __init__(self, pattern: str, extra: int, branch: int) -> None:
        self._pattern, self._extra, self._branch = pattern, extra, branch
        self._at = 0

    def run(self) -> str:
        return self._choice()

    def _peek(self) -> str:
        return self._pattern[self._at] if self._at < len(self._pattern) else ""

    def _next(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1]

    def _choice(self) -> str:
        branches = [self._sequence()]
        while self._peek() == "|":
            self._next()
            branches.append(self._sequence())
        return branches[min(self._branch, len(branches) - 1)]

    def _sequence(self) -> str:
        text = ""
        while self._peek() not in ("", "|", ")"):
            text += self._repeated(self._atom())
        return text

    def _atom(self) -> str:
        letter = self._next()
        match letter:
            case "(":
                inner = self._choice()
                self._next()
                return inner
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case "^" | "$":
                return ""
            case ".":
                return "a"
            case _:
                return letter

    def _escape(self) -> str:
        letter = self._next()
        if letter in "bB":
            return ""
        return _CLASSES.get(letter) or _CONTROLS.get(letter) or letter

    def _class(self) -> str:
        negated = self._peek() == "^"
        if negated:
            self._next()
        members = ""
        while self._peek() != "]":
            letter = self._next()
            members += self._escape() if letter == "\\" else letter
        self._next()
        if not negated:
            return members[0]
        return next(
            letter for letter in itertools.chain("a0 -_", map(chr, range(33, 127))) if letter not in members
        )

    def _repeated(self, atom: str) -> str:
        mark = self._peek()
        if mark and mark in "*+?":
            self._next()
            least = 1 if mark == "+" else 0
            return atom * (least + (min(self._extra, 1) if mark == "?" else self._extra))
        if mark == "{":
            end = self._pattern.index("}", self._at)
            least_text, _, most = self._pattern[self._at + 1 : end].partition(",")
            self._at = end + 1
            count = int(least_text)
            return atom * (min(count + self._extra, int(most)) if most else count)
        return atom
