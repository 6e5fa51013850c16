"""Reads the command lines of `check` that hooks and editors use, without the parser of options.

Loading that parser takes longer than checking a small file. Whatever is not read here is left to it, so that
there is one place for abbreviations, messages and help; a test compares the two.
"""

from __future__ import annotations

from typing import Any

from stratumc.cli.check_request import FORMATS, CheckRequest
from stratumc.driver.settings import FAMILIES, KINDS

_FLAGS: dict[str, tuple[str, bool]] = {
    "--strict": ("strict", True),
    "--statistics": ("statistics", True),
    "--stats": ("stats", True),
    "--quiet": ("quiet", True),
    "-q": ("quiet", True),
    "--no-cache": ("use_cache", False),
}
_CHOICES = {"--kind": ("kind", KINDS), "--format": ("form", FORMATS), "--family": ("family", FAMILIES)}


def read_plainly(arguments: list[str]) -> CheckRequest | None:
    """The request of `stratumc check ARGUMENTS`; None when it takes more than this to read them."""
    paths: list[str] = []
    families: list[str] = []
    fields: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument in _FLAGS:
            name, value = _FLAGS[argument]
            fields[name] = value
        elif argument in _CHOICES:
            name, choices = _CHOICES[argument]
            chosen = next(rest, None)
            if chosen not in choices:
                return None
            if name == "family":
                families.append(chosen)
            else:
                fields[name] = chosen
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            paths.append(argument)
    return CheckRequest(paths=tuple(paths), family=tuple(families), **fields)
