"""Renders templates and resolves references and arguments (runs.md section 4)."""

from __future__ import annotations

from stratum_runtime.contract import ABSENT
from stratum_runtime.jsontext import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Lookup = Callable[[str, int | None], Any]


class Unavailable:
    """A template that can't be rendered: a reference of it has no value."""

    __slots__ = ("reference",)

    def __init__(self, reference: str) -> None:
        self.reference = reference

    def __repr__(self) -> str:
        return f"Unavailable({self.reference!r})"


def resolve(part: Sequence[Any], lookup: Lookup) -> Any:
    """The value of a reference part of a template, or ABSENT.

    `lookup(kind, number)` gives what the reference starts from, or ABSENT: the flow's `input`, the output of
    a `step` by region, a `carry` variable by number, `item`, `prev`.
    """
    kind = part[0]
    if kind in ("item", "prev"):
        return lookup(kind, None)
    value = lookup(kind, None if kind == "input" else part[1])
    for name in part[-1]:
        if name.__class__ is int:
            value = value[name] if value.__class__ is list and name < len(value) else ABSENT
        else:
            value = value.get(name, ABSENT) if value.__class__ is dict else ABSENT
        if value is ABSENT:
            break
    return value


def render(template: dict[str, Any], lookup: Lookup) -> Any:
    """A template's value: of a full one the reference's own, else text; Unavailable when one has none."""
    parts = template["parts"]
    if template["full"]:
        value = resolve(parts[0], lookup)
        return Unavailable(template["text"]) if value is ABSENT else value
    texts = []
    for part in parts:
        if part.__class__ is str:
            texts.append(part)
            continue
        value = resolve(part, lookup)
        if value is ABSENT:
            return Unavailable(template["text"])
        texts.append(value_text(value))
    return "".join(texts)


def value_text(value: Any) -> str:
    """A value inside text: strings as they are, null as nothing, all else as compact JSON."""
    if value.__class__ is str:
        text: str = value
        return text
    return "" if value is None else json_text(value)


def build(value: Sequence[Any], templates: Sequence[dict[str, Any]], lookup: Lookup) -> Any:
    """The JSON value that an argument tree stands for; Unavailable when a reference has none."""
    kind, content = value
    if kind == "template":
        return render(templates[content], lookup)
    if kind == "value":
        return content
    pairs = enumerate(content) if kind == "list" else content
    built: dict[Any, Any] = {}
    for key, item in pairs:
        built[key] = build(item, templates, lookup)
        if built[key].__class__ is Unavailable:
            return built[key]
    return list(built.values()) if kind == "list" else built
