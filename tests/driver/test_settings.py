"""Settings: found upwards, every key, and complaints that name the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratumc.driver.settings import PerFile, Settings, SettingsError, find_settings
from stratumc.driver.settings_file import read_settings


def settings_of(path: Path, text: str) -> Settings | None:
    path.write_text(text, "utf-8")
    return read_settings(str(path), text.encode("utf-8"))


ALL_KEYS = """\
family = ["rule", "type"]
select = ["STATE_UNKNOWN"]
ignore = ["CONTRACT_UNUSED"]
exclude = ["old/*"]
strict = true

[severity]
INPUT_UNUSED = "error"

[per-file-ignores]
"legacy.stratum.yaml" = ["AFTER_REDUNDANT"]
"old/*.yaml" = ["FLOW_UNUSED", "INPUT_UNUSED"]
"""


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "stratumc.toml"
    assert settings_of(path, ALL_KEYS) == Settings(
        families=("rule", "type"),
        select=("STATE_UNKNOWN",),
        ignore=("CONTRACT_UNUSED",),
        exclude=("old/*",),
        strict=True,
        severity=(("INPUT_UNUSED", "error"),),
        per_file_ignores=(
            PerFile("legacy.stratum.yaml", ("AFTER_REDUNDANT",), 11),
            PerFile("old/*.yaml", ("FLOW_UNUSED", "INPUT_UNUSED"), 12),
        ),
        file=str(path),
    )


def test_pyproject_counts_only_with_a_table_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    assert settings_of(path, '[project]\ndependencies = ["stratumc"]\n') is None
    assert settings_of(path, "[tool.stratumc]\nstrict = true\n") == Settings(strict=True, file=str(path))
    assert settings_of(path, "[tool]\nstratumc = {strict = true}\n") == Settings(strict=True, file=str(path))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\nstrikt = true\n", 2, "unknown setting `strikt`: did you mean `strict`?"),
        ("strict = 1\n", 1, "`strict` must be true or false"),
        (
            "[tool.stratumc]\nstrict = true\n",
            1,
            "the settings stand in this file itself, without `[tool.stratumc]`",
        ),
        ('family = ["rules"]\n', 1, "`family` can't hold `rules`: it takes rule and type and proof"),
        ("family = []\n", 1, "`family` is empty, so nothing would be reported: leave it out for all"),
        ("select = []\n", 1, "`select` is empty, so nothing would be reported: leave it out for all"),
        ("select = 3\n", 1, "`select` must be a list of strings"),
        (
            'ignore = [\n  "STATE_UNKNWON",\n]\n',
            1,
            "unknown code `STATE_UNKNWON`: did you mean `STATE_UNKNOWN`?",
        ),
        ('[severity]\nSTATE_UNKNOWN = "bad"\n', 2, "unknown severity `bad`: one of error, warning, info"),
        ("severity = 1\n", 1, "`severity` must be a table of codes"),
        ("per-file-ignores = 1\n", 1, "`per-file-ignores` must be a table of patterns"),
        ('[per-file-ignores]\n"a*" = ["NO_SUCH"]\n', 2, "unknown code `NO_SUCH`"),
        (
            'ignore = ["YAML_INVALID"]\n',
            1,
            "`YAML_INVALID` can't be ignored: what can't be read isn't checked",
        ),
        (
            '[per-file-ignores]\n"a*" = ["FILE_UNREADABLE"]\n',
            2,
            "`FILE_UNREADABLE` can't be ignored: what can't be read isn't checked",
        ),
        (
            '[severity]\nJSON_INVALID = "info"\n',
            2,
            "`JSON_INVALID` is always an error: what can't be read isn't checked",
        ),
    ],
)
def test_a_complaint_names_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "stratumc.toml"
    with pytest.raises(SettingsError) as caught:
        settings_of(path, text)
    assert str(caught.value) == f"{path}:{line}: {message}"


def test_the_line_is_looked_for_in_our_table(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"pyproject\.toml:5: `strict`"):
        settings_of(tmp_path / "pyproject.toml", "[tool.other]\nstrict = 1\n\n[tool.stratumc]\nstrict = 1\n")


@pytest.mark.parametrize("data", [b"a = [", b"\xff"])
def test_a_file_that_is_no_toml(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SettingsError, match=r"stratumc\.toml: is no"):
        read_settings(str(tmp_path / "stratumc.toml"), data)


def test_the_nearest_file_above_what_the_paths_share(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.stratumc]\nstrict = true\n")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.black]\n")
    (deep / "stratumc.toml").write_text('select = ["STATE_UNKNOWN"]\n')
    assert find_settings((str(deep),)).select == ("STATE_UNKNOWN",)
    shared = find_settings((str(deep / "x.stratum.yaml"), str(tmp_path / "a")))
    assert shared.strict
    assert shared.file == str(tmp_path / "pyproject.toml")


def test_the_search_ends_at_a_repository(tmp_path: Path) -> None:
    (tmp_path / "stratumc.toml").write_text("strict = true\n")
    inner = tmp_path / "repository"
    (inner / ".git").mkdir(parents=True)
    assert find_settings((str(inner),)) == Settings()


def test_a_settings_file_that_is_none_is_not_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "stratumc.toml"
    path.mkdir()
    with pytest.raises(SettingsError, match=r"stratumc\.toml: is no file"):
        find_settings((str(tmp_path),))
    path.rmdir()
    path.symlink_to("nowhere")
    with pytest.raises(SettingsError, match=r"stratumc\.toml: is no file"):
        find_settings((str(tmp_path),))
