"""Which references a rendered text holds, and whether it can be read at all (v1.md section 5)."""

from __future__ import annotations

import re

from stratumc.spec.syntax import Reference, ReferenceKind

_PATH = r"(?:\.[a-zA-Z_][a-zA-Z0-9_]*|\[[0-9]+\])*"
_INPUT = re.compile(rf"input(\.[a-zA-Z_][a-zA-Z0-9_]*{_PATH})")
_STEP = re.compile(rf"([a-z][a-z0-9_-]*)\.output({_PATH})")
_CARRY = re.compile(rf"([a-z][a-z0-9_-]*)({_PATH})")
_PART = re.compile(r"\.([a-zA-Z_][a-zA-Z0-9_]*)|\[0*([0-9]+)\]")

_LONGEST_INDEX = 300
"""Digits of an index that are read; no array has more items, and the time to read them stays bounded."""


def references(text: str) -> tuple[Reference, ...] | None:
    """The references of a text in order; None when some `${` can't be read as one or isn't closed.

    Raises TypeError for anything but text.
    """
    if not isinstance(text, str):
        raise TypeError(f"`text` must be str, not {type(text).__name__}")
    found, faults = scan(text)
    return None if faults else found


def scan(text: str) -> tuple[tuple[Reference, ...], tuple[tuple[int, int], ...]]:
    """The references that can be read, and the range of each `${` that can't.

    A fault reaches to its `}`, or, when it isn't closed before, to the next `${` or the end.
    """
    found: list[Reference] = []
    faults: list[tuple[int, int]] = []
    start = text.find("${")
    while start >= 0:
        following = text.find("${", start + 2)
        close = text.find("}", start, None if following < 0 else following)
        if close < 0:
            faults.append((start, len(text) if following < 0 else following))
            start = following
            continue
        end = close + 1
        reference = _read(text[start + 2 : close], start, end, full=start == 0 and end == len(text))
        if reference is None:
            faults.append((start, end))
        else:
            found.append(reference)
        start = following
    return tuple(found), tuple(faults)


def _read(inside: str, start: int, end: int, *, full: bool) -> Reference | None:
    """The reference that the text between `${` and `}` names; the first form that fits counts."""
    if inside in ("item", "prev"):
        return Reference(ReferenceKind(inside), None, (), full, start, end)
    if match := _INPUT.fullmatch(inside):
        return Reference(ReferenceKind.INPUT, None, _path(match[1]), full, start, end)
    if match := _STEP.fullmatch(inside):
        return Reference(ReferenceKind.STEP, match[1], _path(match[2]), full, start, end)
    if match := _CARRY.fullmatch(inside):
        return Reference(ReferenceKind.CARRY, match[1], _path(match[2]), full, start, end)
    return None


def _path(text: str) -> tuple[str | int, ...]:
    return tuple(match[1] or int(match[2][:_LONGEST_INDEX]) for match in _PART.finditer(text))


def format_reference(reference: Reference) -> str:
    """The text between `${` and `}` of a reference, in its plainest spelling."""
    match reference.kind:
        case ReferenceKind.INPUT:
            head = "input"
        case ReferenceKind.STEP:
            head = f"{reference.name}.output"
        case ReferenceKind.CARRY:
            head = f"{reference.name}"
        case ReferenceKind.ITEM | ReferenceKind.PREV:
            head = reference.kind
    return head + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in reference.path)
