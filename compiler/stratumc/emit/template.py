"""Fills the templates of pages from the files beside it."""

from __future__ import annotations

from importlib import resources


def fill(template: str, parts: dict[str, str]) -> str:
    """A template with `{{name}}` replaced; what is filled in is never looked at again."""
    head, *rest = _asset(template).split("{{")
    filled = [head]
    for piece in rest:
        name, _, text = piece.partition("}}")
        filled += [parts[name], text]
    return "".join(filled)


def assets(*names: str) -> str:
    """The texts of some files, one after the other."""
    return "\n".join(map(_asset, names))


def _asset(name: str) -> str:
    return resources.files("stratumc.emit").joinpath("assets", name).read_text("utf-8")
