"""What other languages write where an expression doesn't parse, and how it is written here."""

from __future__ import annotations

import re
from dataclasses import replace

from stratumc.expr.lexer import ParseFailure

_NO_CHOICE = "combine conditions with `&&` and `||`: `a && b || !a && c`"
_SPELT = {
    "===": "==", "!==": "!=", "=>": ">=", "=<": "<=", "<>": "!=", "=": "==", "&": "&&", "|": "||",
    "and": "&&", "or": "||", "not": "!", "is not": "!=", "is": "==", "eq": "==", "ne": "!=",
}  # fmt: skip
"""Operators that have another spelling here."""
_MISSING = {
    "%": None, "**": None, "//": None, "^": None, "~": None, "div": None, "mod": None,
    "??": _NO_CHOICE, "?.": "guard it with `'name' in object && …`", "?": _NO_CHOICE,
    "if": _NO_CHOICE, "then": _NO_CHOICE, "else": _NO_CHOICE,
    "contains": "`a contains b` is written `b in a`",
    "includes": "`a includes b` is written `b in a`",
    "like": "call `matches(text, pattern)`",
    "matches": "call `matches(text, pattern)`",
    "between": "compare with both ends: `a <= b && b <= c`",
}  # fmt: skip
"""What there is no operator for, with what does the same."""
_FOREIGN = re.compile(
    r"not\s+in\b|is\s+not\b|[a-z]+(?![a-z0-9_])|===|!==|=>|=<|<>|\*\*|//|\?\?|\?\.|([=&|])(?!\1)|[%^~?]",
    re.IGNORECASE,
)
_FAR = 64
"""How far before a failure the word is looked for that led to it."""
_WORD_BEFORE = re.compile(r"(?<![\w.'\"])([A-Za-z]+)\s+$")
_FUNCTION_BEFORE = re.compile(r"(?<![\w.'\"])(len|any|all|min|max|str|int|bool)\s+$")
_QUOTED_NAME = re.compile(r"['\"]([A-Za-z_][A-Za-z0-9_]*)['\"]\s*\]")
_FRACTION = re.compile(r"\.[0-9]+")
_METHOD = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)\s*$")


def with_hint(text: str, failure: ParseFailure) -> ParseFailure:
    """The failure, better said when the text is what some other language writes."""
    if failure.code != "parse_error":
        return failure
    return _operator(text, failure) or _before(text, failure) or _value(text, failure) or failure


def _operator(text: str, failure: ParseFailure) -> ParseFailure | None:
    """A foreign operator at the failure, or begun one or two characters before it."""
    for start in range(max(0, failure.start - 2), failure.start + 1):
        found = _FOREIGN.match(text, start)
        if found is None or found.end() <= failure.start:
            continue
        if text[start].isalpha() and start < failure.start:
            continue
        word = " ".join(found.group().lower().split())
        written = found.group()
        if word == "not in":
            hint = "`a not in b` is written `!(a in b)`"
            return replace(
                failure, message=f"there is no operator `{written}`", end=found.end(), suggestion=hint
            )
        if word in _SPELT:
            message = f"`{written}` is written `{_SPELT[word]}`"
            return replace(failure, message=message, start=start, end=found.end())
        if word in _MISSING:
            message = f"there is no operator `{written}`"
            return replace(failure, message=message, start=start, end=found.end(), suggestion=_MISSING[word])
    return None


def _before(text: str, failure: ParseFailure) -> ParseFailure | None:
    """A word before the failure that was read as a name, but meant as an operator or a call."""
    before = text[max(0, failure.start - _FAR) : failure.start]
    begin = failure.start - len(before)
    word = _WORD_BEFORE.search(before)
    if word is not None and word.group(1).lower() == "not":
        message = f"`{word.group(1)}` is written `!`"
        return replace(failure, message=message, start=begin + word.start(1), end=begin + word.end(1))
    if word is not None and word.group(1).lower() == "if":
        message = f"there is no operator `{word.group(1)}`"
        start, end = begin + word.start(1), begin + word.end(1)
        return replace(failure, message=message, start=start, end=end, suggestion=_NO_CHOICE)
    called = _FUNCTION_BEFORE.search(before)
    if called is not None:
        return replace(failure, suggestion=f"a function is called with parentheses: `{called.group(1)}(…)`")
    method = _METHOD.search(before)
    if method is not None and text[failure.start : failure.start + 1] == "(":
        known = {"includes": "`b in a`", "contains": "`b in a`", "length": "`len(a)`", "size": "`len(a)`"}
        instead = known.get(method.group(1), "a function, such as `matches(text, pattern)`")
        return replace(
            failure, message=f"there is no method `{method.group(1)}`", suggestion=f"use {instead}"
        )
    return None


def _value(text: str, failure: ParseFailure) -> ParseFailure | None:
    """Values that are written otherwise here."""
    start, character = failure.start, text[failure.start : failure.start + 1]
    quoted = _QUOTED_NAME.match(text, start)
    if quoted is not None and text[:start].rstrip().endswith("["):
        return replace(failure, suggestion=f"a member is written `.{quoted.group(1)}`")
    fraction = _FRACTION.match(text, start)
    if fraction is not None:
        hint = f"write `0{fraction.group()}`"
        return replace(failure, message="a number begins with a digit", end=fraction.end(), suggestion=hint)
    if character == "[":
        hint = "compare with one value after the other: `a == 'x' || a == 'y'`"
        return replace(failure, message="an array can't be written", suggestion=hint)
    if character == "{":
        return replace(failure, message="an object can't be written")
    if character == "`":
        hint = "use single or double quotes"
        return replace(failure, message="a string can't be written in backquotes", suggestion=hint)
    if character == "+":
        return replace(failure, message="a number has no leading `+`")
    if character.isdecimal() and text[:start].endswith("0"):
        return replace(failure, message="a number has no leading `0`", start=start - 1)
    return None
