"""The Unicode properties that patterns may name: all those of JavaScript's `u` dialect."""

from __future__ import annotations

_KEYS = {"gc": "General_Category", "sc": "Script", "scx": "Script_Extensions"}

_written: dict[str, str] = {}
_read: dict[str, tuple[int, ...]] = {}


def known_property(text: str) -> str | None:
    """The name of the property that stands inside the braces; None when there is no such property."""
    key, equals, value = text.partition("=")
    name = f"{_KEYS.get(key, key)}={value}" if equals else text
    return name if name in _distances() else None


def has_property(character: str, name: str) -> bool:
    """Whether a character has the property of that name, which `known_property` gave."""
    from bisect import bisect_right

    if name not in _read:
        edges, last = [], 0
        for distance in _written[name].split():
            last += int(distance)
            edges.append(last)
        _read[name] = tuple(edges)
    return bisect_right(_read[name], ord(character)) % 2 == 1


def _distances() -> dict[str, str]:
    """By each spelling of a property, the distances between where it begins and ends to hold."""
    if not _written:
        from os.path import dirname, join

        with open(join(dirname(__file__), "unicode_ranges.txt"), encoding="ascii") as lines:
            for line in lines:
                names, _, distances = line.rstrip().partition(": ")
                _written.update(dict.fromkeys(names.split(), distances))
    return _written
