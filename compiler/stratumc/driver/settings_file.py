"""Reads a settings file and refuses what it can't mean, each fault with its file, line and column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from stratumc.driver.settings import (
    FAMILIES,
    SEVERITIES,
    Assertion,
    PerFile,
    Place,
    Settings,
    SettingsError,
    shown,
)
from stratumc.driver.toml_places import TomlPlaces, Way, toml_places

_KEYS = ("family", "select", "ignore", "exclude", "strict", "severity", "per-file-ignores", "assertions")

_ASSERTION_KEYS = ("file", "to", "must-pass", "from", "flow")


def read_settings(path: str, data: bytes) -> Settings | None:
    """The settings of a file; None for a pyproject.toml without `[tool.stratumc]`.

    Raises SettingsError with all faults of the file.
    """
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        table: Any = tomllib.loads(text)
        is_ours = os.path.basename(path) != "pyproject.toml"
        top: Way = () if is_ours else ("tool", "stratumc")
        if not is_ours:
            tool = table.get("tool")
            table = tool.get("stratumc") if isinstance(tool, dict) else None
        return None if table is None else _SettingsFile(path, text, top).settings(table)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{shown(path)}:{line}: isn't UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{shown(path)}: isn't TOML: {error}") from None
    except RecursionError:
        raise SettingsError(f"{shown(path)}: is nested too deeply") from None


class _SettingsFile:
    """Validates one settings file and collects every fault."""

    def __init__(self, path: str, text: str, top: Way) -> None:
        self._path = path
        self._text = text
        self._top = top
        self._faults: list[tuple[int, str]] = []

    @cached_property
    def _places(self) -> TomlPlaces:
        return toml_places(self._text)

    def settings(self, table: Any) -> Settings:
        """The settings that a table stands for. Raises SettingsError."""
        settings = Settings(file=self._path)
        if isinstance(table, dict):
            fields: dict[str, Any] = {}
            for key, value in table.items():
                self._read(key, value, fields)
            settings = settings._replace(**fields)
        else:
            self._fault((), "`tool.stratumc` must be a table")
        if self._faults:
            raise SettingsError(*(message for _, message in sorted(self._faults)))
        return settings

    def _read(self, key: str, value: Any, fields: dict[str, Any]) -> None:
        """Reads one key into the field that it stands for."""
        match key:
            case "family":
                fields["families"] = self._families(value)
            case "select":
                fields["select"] = tuple(code for code, _ in self._some(key, self._codes((key,), value)))
            case "ignore":
                fields["ignore"] = tuple(code for code, _ in self._ignored((key,), value))
            case "exclude":
                fields["exclude"] = tuple(word for word, _ in self._words((key,), value))
            case "strict":
                fields["strict"] = value is True
                if not isinstance(value, bool):
                    self._fault((key,), "`strict` must be true or false")
            case "severity":
                fields["severity"] = self._severities(value)
            case "per-file-ignores":
                fields["per_file_ignores"] = self._per_file(value)
            case "assertions":
                fields["assertions"] = self._assertions(value)
            case _:
                self._unknown(key, value)

    def _unknown(self, key: str, value: Any) -> None:
        if key == "tool" and not self._top and isinstance(value, dict) and "stratumc" in value:
            message = "the keys of this file need no table `[tool.stratumc]`"
            self._fault((key, "stratumc"), message, at_key=True)
            return
        self._fault((key,), f"unknown setting `{key}`{suggest(key, _KEYS)}", at_key=True)

    def _words(self, way: Way, value: Any) -> tuple[tuple[str, Way], ...]:
        """The strings of a list, or one string, each with the way to it."""
        words = [(value, way)] if isinstance(value, str) else value
        if not isinstance(words, list):
            self._fault(way, f"`{way[-1]}` must be a list of strings")
            return ()
        if isinstance(value, list):
            words = [(word, (*way, number)) for number, word in enumerate(value)]
        for word, its_way in words:
            if not isinstance(word, str):
                self._fault(its_way, f"`{way[-1]}` must be a list of strings")
        return tuple(words)

    def _families(self, value: Any) -> tuple[str, ...]:
        words = self._words(("family",), value)
        for word, way in words:
            if isinstance(word, str) and word not in FAMILIES:
                takes = " and ".join(FAMILIES)
                self._fault(way, f"`family` can't hold `{word}`: it takes {takes}")
        return tuple(word for word, _ in self._some("family", words))

    def _some(self, key: str, words: tuple[tuple[str, Way], ...]) -> tuple[tuple[str, Way], ...]:
        if not words and not self._faults_in((key,)):
            self._fault((key,), f"`{key}` is empty, so nothing would be reported: leave it out for all")
        return words

    def _codes(self, way: Way, value: Any) -> tuple[tuple[str, Way], ...]:
        codes = self._words(way, value)
        for code, its_way in codes:
            if isinstance(code, str):
                self._fault_if(its_way, fault_of_code(code))
        return codes

    def _ignored(self, way: Way, value: Any) -> tuple[tuple[str, Way], ...]:
        codes = self._codes(way, value)
        for code, its_way in codes:
            if isinstance(code, str):
                self._fault_if(its_way, fault_of_ignoring(code))
        return codes

    def _severities(self, value: Any) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, dict):
            self._fault(("severity",), "`severity` must be a table of codes")
            return ()
        for code, level in value.items():
            way = ("severity", code)
            self._fault_if(way, fault_of_code(code), at_key=True)
            self._fault_if(way, fault_of_severity(level) or fault_of_lowering(code, level))
        return tuple(value.items())

    def _per_file(self, value: Any) -> tuple[PerFile, ...]:
        if not isinstance(value, dict):
            self._fault(("per-file-ignores",), "`per-file-ignores` must be a table of patterns")
            return ()
        return tuple(self._of_files(pattern, codes) for pattern, codes in value.items())

    def _of_files(self, pattern: str, value: Any) -> PerFile:
        codes = self._ignored(("per-file-ignores", pattern), value)
        return PerFile(pattern, tuple(code for code, _ in codes), tuple(self._place(way) for _, way in codes))

    # --- assertions ---

    def _assertions(self, value: Any) -> tuple[Assertion, ...]:
        if not isinstance(value, dict):
            self._fault(("assertions",), "`assertions` must be a table of named assertions")
            return ()
        found = (self._assertion(name, fields) for name, fields in value.items())
        return tuple(one for one in found if one is not None)

    def _assertion(self, name: str, fields: Any) -> Assertion | None:
        way = ("assertions", name)
        before = len(self._faults)
        if not isinstance(fields, dict):
            keys = ", ".join(_ASSERTION_KEYS)
            self._fault(way, f"assertion `{name}` must be a table of strings: {keys}", at_key=True)
            return None
        for key, value in fields.items():
            if key not in _ASSERTION_KEYS:
                message = f"assertion `{name}` has no `{key}`{suggest(key, _ASSERTION_KEYS)}"
                self._fault((*way, key), message, at_key=True)
            elif not isinstance(value, str) or not value:
                self._fault((*way, key), f"`{key}` of assertion `{name}` must be a string that isn't empty")
        for key in _ASSERTION_KEYS[:3]:
            if key not in fields:
                self._fault(way, f"assertion `{name}` lacks `{key}`", at_key=True)
        return self._sound_assertion(name, fields) if len(self._faults) == before else None

    def _sound_assertion(self, name: str, fields: Mapping[str, str]) -> Assertion:
        places = tuple((key, self._place(("assertions", name, key))) for key in fields)
        file, goal, gate = (fields[key] for key in _ASSERTION_KEYS[:3])
        return Assertion(name, file, goal, gate, fields.get("from"), fields.get("flow"), places)

    # --- places ---

    def _range(self, way: Way, *, at_key: bool = False) -> tuple[int, int]:
        """Where a value stands; its key when that is meant, or the value is a table of a header."""
        whole = (*self._top, *way)
        found = None if at_key else self._places.values.get(whole)
        while found is None and whole:
            found = self._places.keys.get(whole)
            whole = whole[:-1]
        return found or (0, 0)

    def _place(self, way: Way) -> Place:
        start, end = self._range(way)
        return Place(*self._position(start), *self._position(end))

    def _position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1; `Document` would cost a cached check its import."""
        return self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset)

    def _fault(self, way: Way, message: str, *, at_key: bool = False) -> None:
        start = self._range(way, at_key=at_key)[0]
        line, column = self._position(start)
        self._faults.append((start, f"{shown(self._path)}:{line}:{column}: {message}"))

    def _fault_if(self, way: Way, message: str | None, *, at_key: bool = False) -> None:
        if message is not None:
            self._fault(way, message, at_key=at_key)

    def _faults_in(self, way: Way) -> bool:
        """Whether a fault of the value at a way was found already."""
        start, end = self._range(way)
        return any(start <= place <= end for place, _ in self._faults)


def fault_of_code(code: str) -> str | None:
    """Why a text is no code, with the nearest one; None when it is one."""
    from stratumc.diagnostics.catalog import CATALOG

    return None if code in CATALOG else f"unknown code `{code}`{suggest(code, tuple(CATALOG))}"


def fault_of_severity(level: Any) -> str | None:
    """Why a value is no severity; None when it is one."""
    return None if level in SEVERITIES else f"unknown severity `{level}`: one of {', '.join(SEVERITIES)}"


def fault_of_ignoring(code: str) -> str | None:
    """Why a code can't be ignored; None when it can."""
    from stratumc.diagnostics.catalog import NEVER_IGNORED

    return f"`{code}` can't be ignored: what can't be read isn't checked" if code in NEVER_IGNORED else None


def fault_of_lowering(code: str, level: str) -> str | None:
    """Why a code can't have a severity; None when it can."""
    from stratumc.diagnostics.catalog import NEVER_IGNORED

    if code not in NEVER_IGNORED or level == "error":
        return None
    return f"`{code}` is always an error: what can't be read isn't checked"


def suggest(name: str, known: tuple[str, ...]) -> str:
    """The end of a message about an unknown name: the nearest known one, if one is near."""
    from stratumc.diagnostics.nearest import did_you_mean

    near = did_you_mean(name, known)
    return f": {near}" if near else ""
