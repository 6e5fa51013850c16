"""The state file's text: two fields are the engine's, every other byte keeps its meaning."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from stratum_runtime.workflow.json_values import MAX_DEPTH, json_text

_SPACE = re.compile(r"[ \t\n\r]*")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class StateFileError(ValueError):
    """A state file that isn't a JSON object, or whose own fields make no sense; the message says why."""


def _refuse_constant(name: str) -> NoReturn:
    raise StateFileError(f"{name} is not JSON")


_VALUES = json.JSONDecoder(parse_constant=_refuse_constant)
_PLACES = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=str, parse_float=str)
"""Numbers stay text, so that none is too long or too large to pass over."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A top-level key with the place of its value."""

    key: str
    key_start: int
    start: int
    end: int


class StateText:
    """The text of a state file with the places of its top-level values."""

    def __init__(self, data: bytes | None) -> None:
        """Reads the file's bytes; None when there is no file yet. Raises StateFileError."""
        self._mark = b""
        text = "{}"
        if data is not None:
            self._mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
            text = _decoded(data)
        self._text = text
        self._is_new = data is None
        self._members, self._close = _members(text)

    def field(self, name: str) -> str | None:
        """The string in a field the engine owns; None when it is missing or null. Raises StateFileError."""
        member = self._find(name)
        if member is None:
            return None
        text = self._text[member.start : member.end]
        return _state_name(json.loads(text) if text == "null" or text[0] == '"' else False, name)

    def texts(self) -> dict[str, str]:
        """Every top-level value as its JSON text."""
        return {member.key: self._text[member.start : member.end] for member in self._members}

    def _find(self, name: str) -> _Member | None:
        found = [member for member in self._members if member.key == name]
        if len(found) > 1:
            raise StateFileError(f"the key `{name}` is there twice")
        return found[0] if found else None

    def with_values(self, values: Mapping[str, str]) -> bytes:
        """The file's bytes with JSON texts put in at top-level keys; new keys come last, in their order.

        Raises StateFileError when a key stands there twice.
        """
        edits: list[tuple[int, int, str]] = []
        added: list[str] = []
        for name, value in values.items():
            member = self._find(name)
            if member is None:
                added.append(f"{json_text(name)}: {value}")
            else:
                edits.append((member.start, member.end, value))
        if added:
            edits.append(self._insertion(added))
        text = self._text
        for start, end, value in sorted(edits, reverse=True):
            text = text[:start] + value + text[end:]
        return self._mark + text.encode("utf-8") + (b"\n" if self._is_new else b"")

    def _insertion(self, added: list[str]) -> tuple[int, int, str]:
        """Where and how new members go in, laid out as the last one is."""
        if not self._members:
            inside = self._text.index("{") + 1
            return inside, self._close, "\n  " + ",\n  ".join(added) + "\n"
        last = self._members[-1]
        before = self._text[: last.key_start]
        space = before[len(before.rstrip(" \t\n\r")) :]
        if not space and len(self._members) == 1 and ": " in self._text[last.key_start : last.start]:
            space = " "
        return last.end, last.end, "".join(f",{space}{member}" for member in added)


def read_fields(data: bytes, state_field: str, previous_field: str) -> tuple[str | None, str | None]:
    """State and previous state of a file, each None when it has none. Raises StateFileError.

    The fast way of looking: the whole is parsed at once, and only a text that may hold a key twice, or that
    the parser refuses, is read member by member, which also says what is wrong with it.
    """
    text = _decoded(data)
    if "\\" in text or text.count(f'"{state_field}"') > 1 or text.count(f'"{previous_field}"') > 1:
        return _careful(data, state_field, previous_field)
    try:
        value = _VALUES.decode(text)
    except (ValueError, RecursionError):
        return _careful(data, state_field, previous_field)
    if not isinstance(value, dict):
        return _careful(data, state_field, previous_field)
    state, previous = value.get(state_field), value.get(previous_field)
    return _state_name(state, state_field), _state_name(previous, previous_field)


def _careful(data: bytes, state_field: str, previous_field: str) -> tuple[str | None, str | None]:
    state = StateText(data)
    return state.field(state_field), state.field(previous_field)


def _state_name(value: Any, field: str) -> str | None:
    if value is None or type(value) is str:
        return value
    raise StateFileError(f"`{field}` isn't text")


def _decoded(data: bytes) -> str:
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise StateFileError(f"byte {error.start} is not UTF-8") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise StateFileError(f"it is nested deeper than {MAX_DEPTH} levels")
    return text


def _depth(text: str) -> int:
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        mark = match.group()[0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark != '"':
            depth -= 1
    return deepest


def _not_json(error: json.JSONDecodeError) -> StateFileError:
    return StateFileError(f"it is not JSON: {error.msg.lower()}, line {error.lineno} column {error.colno}")


def _members(text: str) -> tuple[list[_Member], int]:
    """The top-level members of an object and the offset of its closing brace. Raises StateFileError."""
    try:
        return _walk(text)
    except RecursionError:
        raise StateFileError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise _not_json(error) from None
    except IndexError:
        raise StateFileError("it is not JSON: the text ends too soon") from None


def _walk(text: str) -> tuple[list[_Member], int]:
    at = _skip(text, 0)
    if text[at] != "{":
        _VALUES.decode(text)
        raise StateFileError("it isn't a JSON object")
    members: list[_Member] = []
    at = _skip(text, at + 1)
    while text[at] != "}":
        if members:
            at = _skip(text, _expect(text, at, ","))
        key_start = at
        key, at = scanstring(text, _expect(text, at, '"'), True)
        start = _skip(text, _expect(text, _skip(text, at), ":"))
        _, at = _PLACES.raw_decode(text, start)
        members.append(_Member(key, key_start, start, at))
        at = _skip(text, at)
    if _skip(text, at + 1) != len(text):
        raise json.JSONDecodeError("Extra data", text, at + 1)
    return members, at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _expect(text: str, at: int, mark: str) -> int:
    if text[at] != mark:
        raise json.JSONDecodeError(f"Expecting {mark!r}", text, at)
    return at + 1
