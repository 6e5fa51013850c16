"""What is wrong with a malformed call, in the caller's words."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

_EXPECTED = {
    "string_type": "text",
    "dict_type": "an object",
    "list_type": "a list",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "literal_error": "one of {expected}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}


def faults_text(error: ValidationError, known: Sequence[str]) -> str:
    """Every fault of a call's arguments; `known` are the arguments that the tool takes."""
    told: dict[str, None] = {}
    for fault in error.errors(include_url=False, include_input=False):
        told[_fault(fault, known)] = None
    return "; ".join(told)


def _fault(fault: Any, known: Sequence[str]) -> str:
    kind, place = fault["type"], fault["loc"]
    name = str(place[0]) if place else ""
    if kind == "missing":
        return f"argument `{name}` is missing"
    if kind == "extra_forbidden":
        return f"unknown argument `{name}` ({nearest(name, known, 'the tool takes')})"
    inside = "".join(f"[{part}]" for part in place[1:] if isinstance(part, int))
    expected = _EXPECTED.get(kind)
    if expected is None:
        return f"argument `{name}{inside}`: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
    return f"argument `{name}{inside}` must be {expected.format(**fault.get('ctx', {}))}"


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """The name that was probably meant, or all that there are."""
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean `{near[0]}`?" if near else f"{otherwise} {', '.join(known) or 'none'}"
