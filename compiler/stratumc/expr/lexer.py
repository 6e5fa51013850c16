"""Expression text to tokens with offsets (expressions.md, "Grammar")."""

from __future__ import annotations

import enum
import math
import re
from dataclasses import dataclass

from stratum_runtime.expression_values import whole_pairs

WHITE_SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript's `\\s` matches, as the inside of a character class."""

_TOKEN = re.compile(
    rf"""[{WHITE_SPACE}]*(?:
      (?P<number>(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<quote>["'])
    | (?P<symbol>\|\||&&|==|!=|<=|>=|[<>+\-*/!().,\[\]])
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(f"[{WHITE_SPACE}]*")
_STRING = {quote: re.compile(rf"[^{quote}\\\x00-\x1f]*") for quote in "\"'"}
_UNICODE = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {
    '"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """Why an expression doesn't parse; a half-open range of offsets shows where."""

    message: str
    start: int
    end: int
    code: str = "parse_error"
    """`parse_error`, or `resource_limit` when it is nested too deeply or too large."""
    suggestion: str | None = None
    """How what was meant is written."""


class ExpressionSyntaxError(Exception):
    """Ends parsing; never leaves `parse`."""

    def __init__(self, failure: ParseFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class TokenKind(enum.Enum):
    """What a token is; operators and `in` are symbols."""

    NUMBER = "number"
    STRING = "string"
    NAME = "name"
    SYMBOL = "symbol"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its text (a string's own value for strings), its number, and its range of offsets."""

    kind: TokenKind
    text: str
    start: int
    end: int
    number: float = 0.0

    @property
    def shown(self) -> str:
        """The token as messages name it."""
        match self.kind:
            case TokenKind.END:
                return "the end"
            case TokenKind.STRING:
                return "a string"
            case TokenKind.NUMBER | TokenKind.NAME | TokenKind.SYMBOL:
                return f"`{self.text}`"


def fail(message: str, start: int, end: int) -> ExpressionSyntaxError:
    """The exception for a parse error at a range."""
    return ExpressionSyntaxError(ParseFailure(message, start, end))


def read_tokens(text: str) -> list[Token]:
    """All tokens, the end last. Raises ExpressionSyntaxError."""
    tokens = [_read_token(text, 0)]
    while tokens[-1].kind is not TokenKind.END:
        tokens.append(_read_token(text, tokens[-1].end))
    return tokens


def _read_token(text: str, at: int) -> Token:
    """The token that begins at or after offset `at`."""
    match = _TOKEN.match(text, at)
    if match is None:
        start = _space_end(text, at)
        character = _visible(text[start])
        raise fail(f"unexpected character `{character}`", start, start + 1)
    kind = match.lastgroup
    start, end = match.span(kind or 0)
    found = text[start:end]
    if kind == "quote":
        return _read_string(text, start)
    if kind == "number":
        number = float(found)
        if math.isinf(number):
            raise fail("the number is too large", start, end)
        return Token(TokenKind.NUMBER, found, start, end, number)
    if kind == "end":
        return Token(TokenKind.END, "", len(text), len(text))
    is_name = kind == "name" and found != "in"
    return Token(TokenKind.NAME if is_name else TokenKind.SYMBOL, found, start, end)


def _space_end(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()


def _visible(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def _read_string(text: str, start: int) -> Token:
    """A string token; `start` is its opening quote."""
    plain = _STRING[text[start]]
    parts: list[str] = []
    at = start + 1
    while True:
        run = plain.match(text, at)
        assert run is not None
        parts.append(run.group())
        at = run.end()
        if at == len(text):
            raise fail("the string isn't closed", start, at)
        if text[at] == text[start]:
            return Token(TokenKind.STRING, whole_pairs("".join(parts)), start, at + 1)
        if text[at] != "\\":
            raise fail("a control character in a string must be escaped", at, at + 1)
        value, at = _read_escape(text, at)
        parts.append(value)


def _read_escape(text: str, at: int) -> tuple[str, int]:
    """The character that the escape at `at` stands for, and the offset after it."""
    kind = text[at + 1 : at + 2]
    if kind in _ESCAPES:
        return _ESCAPES[kind], at + 2
    if kind == "u":
        digits = _UNICODE.match(text, at + 2)
        if digits is None:
            raise fail("`\\u` needs four hexadecimal digits", at, at + 2)
        return chr(int(digits.group(), 16)), digits.end()
    raise fail(f"unknown escape `\\{kind}`" if kind else "the string isn't closed", at, at + 1 + len(kind))
