"""Finds the settings file that counts for some paths."""

from __future__ import annotations

import os

from stratumc.driver.settings import Settings, SettingsError, shown


def find_settings(paths: tuple[str, ...]) -> Settings:
    """The settings for these paths: the nearest file at or above what they share.

    The search ends at a folder with `.git`. Raises SettingsError.
    """
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    folder = os.path.commonpath(folders) if folders else os.getcwd()
    while True:
        found = _settings_of_folder(folder)
        if found is not None:
            return found
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return Settings()
        folder = parent


def _settings_of_folder(folder: str) -> Settings | None:
    for name in ("stratumc.toml", "pyproject.toml"):
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            if name == "stratumc.toml" and os.path.lexists(path):
                raise SettingsError(f"{shown(path)}: isn't a file") from None
            continue
        except OSError as error:
            raise SettingsError(
                f"{shown(path)}: can't be read: {(error.strerror or str(error)).lower()}"
            ) from None
        if name == "stratumc.toml" or b"stratumc" in data:
            from stratumc.driver.settings_file import read_settings

            found = read_settings(path, data)
            if found is not None:
                return found
    return None
