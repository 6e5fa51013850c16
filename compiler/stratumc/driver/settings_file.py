"""Reads a settings file and refuses what it can't mean, with the file and the line."""

from __future__ import annotations

import os
from typing import Any

from stratumc.driver.settings import (
    FAMILIES,
    SEVERITIES,
    Assertion,
    PerFile,
    Settings,
    SettingsError,
    shown,
)


def read_settings(path: str, data: bytes) -> Settings | None:
    """The settings of a file; None for a pyproject.toml without `[tool.stratumc]`. Raises SettingsError."""
    import tomllib

    try:
        text = data.decode("utf-8")
        table: Any = tomllib.loads(text)
    except UnicodeDecodeError:
        raise SettingsError(f"{shown(path)}: is no UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{shown(path)}: is no TOML: {error}") from None
    if os.path.basename(path) == "pyproject.toml":
        tool = table.get("tool")
        table = tool.get("stratumc") if isinstance(tool, dict) else None
        if table is None:
            return None
    return _SettingsFile(path, text).settings(table)


class _SettingsFile:
    """Validates one settings file; every complaint names the file and the line of the key."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._start = 0
        if os.path.basename(path) == "pyproject.toml":
            self._start = next(
                (n for n, line in enumerate(self._lines) if "stratumc" in line and "[" in line), 0
            )

    def settings(self, table: Any) -> Settings:
        if not isinstance(table, dict):
            raise self._error("stratumc", "`tool.stratumc` must be a table")
        settings = Settings(file=self._path)
        for key, value in table.items():
            settings = self._with_key(settings, key, value)
        return settings

    def _with_key(self, settings: Settings, key: str, value: Any) -> Settings:
        match key:
            case "family":
                return settings._replace(families=self._some(key, self._words(key, value, FAMILIES)))
            case "select":
                return settings._replace(select=self._some(key, self._codes(key, value)))
            case "ignore":
                return settings._replace(ignore=self._ignored(key, value))
            case "exclude":
                return settings._replace(exclude=self._words(key, value))
            case "strict":
                if not isinstance(value, bool):
                    raise self._error(key, "`strict` must be true or false")
                return settings._replace(strict=value)
            case "severity":
                return settings._replace(severity=self._severities(value))
            case "per-file-ignores":
                return settings._replace(per_file_ignores=self._per_file(value))
            case "assertions":
                return settings._replace(assertions=self._assertions(value))
        if key == "tool" and self._start == 0 and isinstance(value, dict) and "stratumc" in value:
            raise self._error(key, "the settings stand in this file itself, without `[tool.stratumc]`")
        known = (
            "family",
            "select",
            "ignore",
            "exclude",
            "strict",
            "severity",
            "per-file-ignores",
            "assertions",
        )
        raise self._error(key, f"unknown setting `{key}`{suggest(key, known)}")

    def _words(self, key: str, value: Any, allowed: tuple[str, ...] | None = None) -> tuple[str, ...]:
        words = [value] if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise self._error(key, f"`{key}` must be a list of strings")
        for word in words:
            if allowed is not None and word not in allowed:
                raise self._error(key, f"`{key}` can't hold `{word}`: it takes {' and '.join(allowed)}")
        return tuple(words)

    def _some(self, key: str, words: tuple[str, ...]) -> tuple[str, ...]:
        if not words:
            raise self._error(key, f"`{key}` is empty, so nothing would be reported: leave it out for all")
        return words

    def _codes(self, key: str, value: Any) -> tuple[str, ...]:
        codes = self._words(key, value)
        for code in codes:
            fault = fault_of_code(code)
            if fault:
                raise self._error(key, fault)
        return codes

    def _ignored(self, key: str, value: Any) -> tuple[str, ...]:
        codes = self._codes(key, value)
        for code in codes:
            fault = fault_of_ignoring(code)
            if fault:
                raise self._error(key, fault)
        return codes

    def _severities(self, value: Any) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, dict):
            raise self._error("severity", "`severity` must be a table of codes")
        for code, level in value.items():
            fault = fault_of_code(code) or fault_of_severity(level) or fault_of_lowering(code, level)
            if fault:
                raise self._error(code, fault)
        return tuple(value.items())

    def _per_file(self, value: Any) -> tuple[PerFile, ...]:
        if not isinstance(value, dict):
            raise self._error("per-file-ignores", "`per-file-ignores` must be a table of patterns")
        return tuple(
            PerFile(pattern, self._ignored(pattern, codes), self._line(pattern))
            for pattern, codes in value.items()
        )

    def _assertions(self, value: Any) -> tuple[Assertion, ...]:
        if not isinstance(value, dict):
            raise self._error("assertions", "`assertions` must be a table of named assertions")
        return tuple(self._assertion(name, fields) for name, fields in value.items())

    def _assertion(self, name: str, fields: Any) -> Assertion:
        known = ("file", "to", "must-pass", "from", "flow")
        if not isinstance(fields, dict) or not all(isinstance(one, str) for one in fields.values()):
            raise self._error(name, f"assertion `{name}` must be a table of strings: {', '.join(known)}")
        for key in fields:
            if key not in known:
                raise self._error(key, f"assertion `{name}` has no `{key}`{suggest(key, known)}")
        for key in known[:3]:
            if key not in fields:
                raise self._error(name, f"assertion `{name}` lacks `{key}`")
        if not os.path.exists(os.path.join(os.path.dirname(self._path), fields["file"])):
            raise self._error(name, f"assertion `{name}` names a file that isn't there: `{fields['file']}`")
        return Assertion(
            name, fields["file"], fields["to"], fields["must-pass"], fields.get("from"), fields.get("flow")
        )

    def _line(self, key: str) -> int:
        """The line, from 1, at which a key is written; TOML readers don't tell."""
        spellings = (key, f'"{key}"', f"'{key}'")
        for number, line in enumerate(self._lines[self._start :], self._start + 1):
            stripped = line.strip()
            name = stripped.partition("=")[0].strip() if "=" in stripped else ""
            if name in spellings or (stripped.startswith("[") and key in stripped):
                return number
        return next((n for n, line in enumerate(self._lines, 1) if key in line), 1)

    def _error(self, key: str, message: str) -> SettingsError:
        return SettingsError(f"{shown(self._path)}:{self._line(key)}: {message}")


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
