"""What is wrong where a text stops being JSON, and the mend."""

from __future__ import annotations

import re
from collections.abc import Sequence as Stack

from stratumc.diagnostics.finding import Finding, RelatedPlace
from stratumc.read.excerpt import excerpt
from stratumc.read.frames import Frame, path_of
from stratumc.text import Location, Path

_WORD = re.compile(r"[^\s,:\[\]{}\"]+|\S")
_NUMBER_BEFORE = re.compile(r"[-+.\w]*\Z")
_LIKE_NUMBER = re.compile(r"[-+]?\.?[0-9][\w.+-]*|[-+]\w+|[-+.]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_STRING_BODY = re.compile(r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_CONSTANTS = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
    "Null": "null",
    "nil": "null",
    "undefined": "null",
}
_EXPECTED_WORDS = {
    "VALUE": "a value",
    "VALUE_OR_END": "a value or `]`",
    "KEY": "a key in double quotes",
    "KEY_OR_END": "a key in double quotes or `}`",
    "COLON": "`:`",
}


class JsonError(Exception):
    """The place and the words of the fault at which reading stops."""

    def __init__(
        self,
        start: int,
        end: int,
        message: str,
        suggestion: str | None = None,
        *,
        code: str = "JSON_INVALID",
        path: Path = (),
        opening: int | None = None,
    ) -> None:
        super().__init__(message)
        self.start = start
        self.end = end
        self.message = message
        self.suggestion = suggestion
        self.code = code
        self.path = path
        self.opening = opening
        """Where a bracket was opened, to be shown as a second place."""

    def finding(self, source: int) -> Finding:
        """The fault as a finding of that source."""
        related: tuple[RelatedPlace, ...] = ()
        if self.opening is not None:
            place = Location(source=source, range=(self.opening, self.opening + 1))
            related = (RelatedPlace(place, "opened here"),)
        at = Location(self.path, source=source, range=(self.start, self.end))
        return Finding(self.code, at, self.message, related=related, suggestion=self.suggestion)


def describe_fault(text: str, offset: int, expected: str, stack: Stack[Frame]) -> JsonError:
    """The fault at an offset where `expected` (the name of an Expected) should stand."""
    fault = (
        _end_of_text(text, offset, stack)
        or _comment(text, offset)
        or _string(text, offset)
        or _number(text, offset)
        or _punctuation(text, offset, expected, stack)
        or _word(text, offset, expected)
    )
    path = path_of(stack)
    fault.path = path if expected.startswith("VALUE") else path[:-1]
    return fault


def _end_of_text(text: str, offset: int, stack: Stack[Frame]) -> JsonError | None:
    if offset < len(text):
        return None
    if not stack:
        return JsonError(0, offset, "the file holds no JSON value")
    start = stack[-1].start
    closing = "}" if stack[-1].keyed else "]"
    return JsonError(start, start + 1, f"`{text[start]}` is never closed", f"close it with `{closing}`")


def _comment(text: str, offset: int) -> JsonError | None:
    if not text.startswith(("//", "/*", "#"), offset):
        return None
    match = re.compile(r"/\*.*?\*/|/\*.*|(?://|#)[^\r\n]*", re.DOTALL).match(text, offset)
    end = match.end() if match else offset + 1
    return JsonError(offset, end, "JSON has no comments", "remove the comment, or use YAML")


def _string(text: str, offset: int) -> JsonError | None:
    """A string that begins at the offset and goes wrong inside."""
    if text[offset] == "'":
        match = re.compile(r"'[^'\r\n]*'?").match(text, offset)
        end = match.end() if match else offset + 1
        return JsonError(offset, end, "this string is in single quotes", 'use double quotes, `"`')
    if text[offset] != '"':
        return None
    body = _STRING_BODY.match(text, offset + 1)
    at = body.end() if body else offset + 1
    sign = text[at : at + 1]
    if sign == '"':
        return None
    if sign == "\\" and at + 1 < len(text):
        escape = text[at : at + 2]
        if escape == "\\u":
            return JsonError(at, at + 2, "`\\u` needs 4 hexadecimal digits after it")
        return JsonError(at, at + 2, f"`{escape}` is not an escape of JSON", "write `\\\\` for a backslash")
    if sign == "" or sign in "\\\r\n":
        return JsonError(offset, offset + 1, "this string isn't closed on its line", 'close it with `"`')
    names = {"\t": ("a tab", "`\\t`"), "\0": ("a NUL character", "`\\u0000`")}
    name, escape = names.get(sign, (f"the control character U+{ord(sign):04X}", f"`\\u{ord(sign):04x}`"))
    return JsonError(at, at + 1, f"{name} must be escaped in a string", f"write {escape}")


def _number(text: str, offset: int) -> JsonError | None:
    """A number in a form that JSON lacks; what was read of it may lie before the offset."""
    before = _NUMBER_BEFORE.search(text[max(0, offset - 64) : offset])
    start = offset - len(before.group()) if before else offset
    match = _LIKE_NUMBER.match(text, start)
    if match is None or match.end() <= offset or _NUMBER.fullmatch(match.group()):
        return None
    written = match.group()
    if written.lstrip("+-").lower() in ("infinity", "inf", "nan"):
        return _not_finite(start, match.end(), written)
    reason = "isn't a JSON number"
    if re.fullmatch(r"-?0[0-9]+.*", written):
        reason = "begins with a zero"
    elif written.startswith("+"):
        reason = "begins with a plus sign"
    elif re.fullmatch(r"-?[0-9]*\.|-?[0-9]*\.[eE].*|-?\..*", written):
        reason = "lacks a digit beside its point"
    return JsonError(start, match.end(), f"`{excerpt(written)}` {reason}", "write plain decimal digits")


def _not_finite(start: int, end: int, written: str) -> JsonError:
    return JsonError(start, end, f"JSON has no `{written}`", "use a number or `null`")


def _punctuation(text: str, offset: int, expected: str, stack: Stack[Frame]) -> JsonError | None:
    sign = text[offset]
    last = len(text[:offset].rstrip()) - 1
    if sign in "]}":
        if not stack:
            return JsonError(offset, offset + 1, f"`{sign}` closes nothing", "remove it")
        if text[last] == ",":
            return JsonError(last, last + 1, f"there is a comma before `{sign}`", "remove the comma")
        opening = stack[-1].start
        if (sign == "}") != stack[-1].keyed:
            message = f"`{sign}` can't close `{text[opening]}`"
            return JsonError(offset, offset + 1, message, opening=opening)
    if sign == "," and expected in ("VALUE", "VALUE_OR_END", "KEY", "KEY_OR_END"):
        what = "a key" if expected.startswith("KEY") else "a value"
        return JsonError(offset, offset + 1, f"{what} is missing before this comma")
    if sign == ":" and expected == "COMMA_OR_END" and stack and not stack[-1].keyed:
        return JsonError(offset, offset + 1, "a list has no keys", "use `{` and `}` for a mapping")
    return None


def _word(text: str, offset: int, expected: str) -> JsonError:
    match = re.compile(r'"(?:[^"\\\r\n]|\\.)*"').match(text, offset) or _WORD.match(text, offset)
    end = match.end() if match else offset + 1
    written = text[offset:end]
    if written in ("NaN", "Infinity"):
        return _not_finite(offset, end, written)
    if expected == "NOTHING":
        message = f"`{excerpt(written)}` comes after the end of the document"
        return JsonError(offset, end, message, "keep one JSON value in the file")
    if expected == "COMMA_OR_END":
        return JsonError(offset, end, f"a comma is missing before `{excerpt(written)}`", "add `,`")
    if expected.startswith("KEY") and written[0] != '"' and (written[0].isalnum() or written[0] in "_$"):
        return JsonError(
            offset, end, f"the key `{excerpt(written)}` has no quotes", f'write `"{excerpt(written)}"`'
        )
    if written in _CONSTANTS and expected.startswith("VALUE"):
        return JsonError(offset, end, f"JSON has no `{written}`", f"write `{_CONSTANTS[written]}`")
    if written.isspace() or not written.isprintable():
        message = f"the character U+{ord(written[0]):04X} isn't allowed here"
        return JsonError(offset, offset + 1, message, "remove it")
    is_text = expected.startswith("VALUE") and (written[0].isalnum() or written[0] in "_`$")
    suggestion = "put double quotes around text" if is_text else None
    message = f"expected {_EXPECTED_WORDS[expected]} here, not `{excerpt(written)}`"
    return JsonError(offset, end, message, suggestion)
