"""Checks of what callers hand in: a wrong type is a refusal that names the argument, never an exception."""

from __future__ import annotations

import datetime
from typing import Any

from stratum_runtime.workflow.json_values import NotJsonError, json_text, require_json
from stratum_runtime.workflow.refusals import RefusalError


def invalid(name: str, what: str) -> RefusalError:
    """The refusal of one argument."""
    return RefusalError("invalid_argument", f"`{name}` {what}", argument=name)


def text(name: str, value: object) -> str | None:
    """A string, or None when the argument was left out."""
    if value is None or isinstance(value, str):
        return value
    raise invalid(name, "must be text")


def required_text(name: str, value: object) -> str:
    """A string."""
    if isinstance(value, str):
        return value
    raise invalid(name, "must be text")


def json_object(name: str, value: object) -> dict[str, Any]:
    """An object, empty when the argument was left out; all in it must be JSON."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise invalid(name, "must be an object")
    try:
        require_json(value)
    except NotJsonError as error:
        raise invalid(name, f"isn't a JSON object: {error}") from None
    return value


def json_members(name: str, value: object) -> dict[str, str]:
    """The members of such an object as JSON texts."""
    return {key: json_text(member) for key, member in json_object(name, value).items()}


def names(name: str, value: object) -> tuple[str, ...]:
    """A list of strings, empty when the argument was left out; one string stands for a list of it."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise invalid(name, "must be a list of text")


def flag(name: str, value: object) -> bool:
    """A boolean, false when the argument was left out."""
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    raise invalid(name, "must be true or false")


def count(name: str, value: object, default: int) -> int:
    """An integer from 0, or the default when the argument was left out."""
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise invalid(name, "must be a whole number from 0")


def moment(name: str, value: object, *, is_end: bool) -> datetime.datetime | None:
    """A time in ISO 8601, in UTC when it names no zone; a date means its first moment, as an end its last."""
    given = text(name, value)
    if given is None:
        return None
    try:
        found = datetime.datetime.fromisoformat(given)
    except ValueError:
        raise invalid(name, "must be a time in ISO 8601, such as 2026-01-31T12:00:00Z") from None
    if is_end and len(given) <= len("2026-01-31"):
        found = datetime.datetime.combine(found, datetime.time.max)
    return found if found.tzinfo is not None else found.replace(tzinfo=datetime.UTC)
