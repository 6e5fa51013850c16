"""Settings: found upwards, every key, and complaints that name the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratumc.driver.settings import PerFile, Place, Settings, SettingsError
from stratumc.driver.settings_file import read_settings
from stratumc.driver.settings_search import find_settings


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
            PerFile("legacy.stratum.yaml", ("AFTER_REDUNDANT",), (Place(11, 26, 11, 43),)),
            PerFile(
                "old/*.yaml",
                ("FLOW_UNUSED", "INPUT_UNUSED"),
                (Place(12, 17, 12, 30), Place(12, 32, 12, 46)),
            ),
        ),
        file=str(path),
    )


def test_pyproject_counts_only_with_a_table_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    assert settings_of(path, '[project]\ndependencies = ["stratumc"]\n') is None
    assert settings_of(path, "[tool.stratumc]\nstrict = true\n") == Settings(strict=True, file=str(path))
    assert settings_of(path, "[tool]\nstratumc = {strict = true}\n") == Settings(strict=True, file=str(path))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("\nstrikt = true\n", "2:1", "unknown setting `strikt`: did you mean `strict`?"),
        ("strict = 1\n", "1:10", "`strict` must be true or false"),
        (
            "[tool.stratumc]\nstrict = true\n",
            "1:7",
            "the keys of this file need no table `[tool.stratumc]`",
        ),
        (
            'family = ["type", "rules"]\n',
            "1:19",
            "`family` can't hold `rules`: it takes rule and type and proof",
        ),
        ("family = []\n", "1:10", "`family` is empty, so nothing would be reported: leave it out for all"),
        ("select = []\n", "1:10", "`select` is empty, so nothing would be reported: leave it out for all"),
        ("select = 3\n", "1:10", "`select` must be a list of strings"),
        ('exclude = ["a", 3]\n', "1:17", "`exclude` must be a list of strings"),
        (
            'ignore = [\n  "STATE_UNKNWON",\n]\n',
            "2:3",
            "unknown code `STATE_UNKNWON`: did you mean `STATE_UNKNOWN`?",
        ),
        (
            '[severity]\nSTATE_UNKNOWN = "bad"\n',
            "2:17",
            "unknown severity `bad`: one of error, warning, info",
        ),
        ('[severity]\nSTATE = "error"\n', "2:1", "unknown code `STATE`"),
        ("severity = 1\n", "1:12", "`severity` must be a table of codes"),
        ("per-file-ignores = 1\n", "1:20", "`per-file-ignores` must be a table of patterns"),
        ('[per-file-ignores]\n"a*" = ["NO_SUCH"]\n', "2:9", "unknown code `NO_SUCH`"),
        (
            'ignore = ["YAML_INVALID"]\n',
            "1:11",
            "`YAML_INVALID` can't be ignored: what can't be read isn't checked",
        ),
        (
            '[per-file-ignores]\n"a*" = ["FILE_UNREADABLE"]\n',
            "2:9",
            "`FILE_UNREADABLE` can't be ignored: what can't be read isn't checked",
        ),
        (
            '[severity]\nJSON_INVALID = "info"\n',
            "2:16",
            "`JSON_INVALID` is always an error: what can't be read isn't checked",
        ),
        ("assertions = 1\n", "1:14", "`assertions` must be a table of named assertions"),
        (
            "[assertions]\nx = 1\n",
            "2:1",
            "assertion `x` must be a table of strings: file, to, must-pass, from, flow",
        ),
        (
            '[assertions.x]\nfile = "a"\nto = "b"\nmust_pass = "c"\nmust-pass = "c"\n',
            "4:1",
            "assertion `x` has no `must_pass`: did you mean `must-pass`?",
        ),
        ('[assertions.x]\nfile = "a"\nto = "b"\n', "1:13", "assertion `x` lacks `must-pass`"),
        (
            '[assertions.x]\nfile = "a"\nto = ""\nmust-pass = "c"\n',
            "3:6",
            "`to` of assertion `x` must be a string that isn't empty",
        ),
    ],
)
def test_a_fault_names_file_line_and_column(tmp_path: Path, text: str, place: str, message: str) -> None:
    path = tmp_path / "stratumc.toml"
    with pytest.raises(SettingsError) as caught:
        settings_of(path, text)
    assert caught.value.faults == (f"{path}:{place}: {message}",)


def test_all_faults_are_told_at_once_in_the_order_of_their_places(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    text = """\
[tool.other]
strict = 1

[tool.stratumc]
severity = {INPUT_UNUSED = "bad", NO_SUCH = "error"}
strict = 1
selekt = ["X"]
[tool.stratumc.assertions]
first = {file = "a", to = 1}
"""
    with pytest.raises(SettingsError) as caught:
        settings_of(path, text)
    assert [fault.removeprefix(f"{path}:") for fault in caught.value.faults] == [
        "5:28: unknown severity `bad`: one of error, warning, info",
        "5:35: unknown code `NO_SUCH`",
        "6:10: `strict` must be true or false",
        "7:1: unknown setting `selekt`: did you mean `select`?",
        "9:1: assertion `first` lacks `must-pass`",
        "9:27: `to` of assertion `first` must be a string that isn't empty",
    ]


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "stratumc.toml"
    assert read_settings(str(path), b"\xef\xbb\xbfstrict = true\r\n") == Settings(strict=True, file=str(path))


@pytest.mark.parametrize("data", [b"a = [", b"\xff", b"a = " + b"[" * 5000 + b"]" * 5000])
def test_a_file_that_is_no_toml(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SettingsError, match=r"stratumc\.toml(:1)?: is(n't| nested)"):
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
    with pytest.raises(SettingsError, match=r"stratumc\.toml: isn't a file"):
        find_settings((str(tmp_path),))
    path.rmdir()
    path.symlink_to("nowhere")
    with pytest.raises(SettingsError, match=r"stratumc\.toml: isn't a file"):
        find_settings((str(tmp_path),))
