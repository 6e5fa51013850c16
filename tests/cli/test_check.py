"""`stratumc check` from the outside: every flag, every form, every exit status."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from support.checked_files import BROKEN, GOOD, WORKFLOW
from support.command import stratumc, stratumc_process

pytestmark = pytest.mark.usefixtures("project")


def test_a_clean_file() -> None:
    outcome = stratumc("check", "good.stratum.yaml")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "checked 1 file: no findings\n")


def test_a_broken_file() -> None:
    outcome = stratumc("check", "--family", "rule", "broken.stratum.yaml")
    assert outcome.status == 1
    assert outcome.out.startswith("error[E2_UNKNOWN_FIELD]: ")
    assert "--> broken.stratum.yaml:9:" in outcome.out
    assert outcome.err == "checked 1 file: 1 error\n"


def test_without_paths_the_current_folder_is_checked() -> None:
    outcome = stratumc("check", "--family", "rule")
    assert outcome.status == 1
    assert outcome.err == "checked 3 files: 1 error, 1 warning\n"


def test_strict_makes_warnings_fail(project: Path) -> None:
    assert stratumc("check", "--family", "rule", "warned.stratum.yaml").status == 0
    assert stratumc("check", "--family", "rule", "--strict", "warned.stratum.yaml").status == 1
    (project / "stratumc.toml").write_text("strict = true\n")
    assert stratumc("check", "--family", "rule", "warned.stratum.yaml").status == 1


def test_standard_input() -> None:
    outcome = stratumc("check", "--family", "rule", "-", stdin=BROKEN.encode())
    assert outcome.status == 1
    assert "--> <stdin>:9:" in outcome.out
    named = stratumc(
        "check", "--family", "rule", "-", "--stdin-filename", "x.stratum.yaml", stdin=BROKEN.encode()
    )
    assert "--> x.stratum.yaml:9:" in named.out


def test_a_name_for_standard_input_that_is_not_read() -> None:
    outcome = stratumc("check", "--stdin-filename", "x", "good.stratum.yaml")
    assert outcome.status == 2
    assert "give `-` as a path too" in outcome.err


def test_the_kind_is_told_from_the_content(project: Path) -> None:
    (project / "a.json").write_text(WORKFLOW)
    (project / "b.json").write_text(json.dumps({"version": 1, "contracts": {}, "flows": {}}))
    report = json.loads(stratumc("check", "--format", "json", "--family", "rule", "a.json", "b.json").out)
    assert [one["kind"] for one in report["inputs"]] == ["workflow", "spec"]


def test_the_kind_can_be_given() -> None:
    outcome = stratumc("check", "--kind", "workflow", "--family", "rule", "-", stdin=b'{"version": 1}')
    assert outcome.status == 1
    assert "this workflow is empty" in outcome.out


def test_content_that_is_neither(project: Path) -> None:
    (project / "other.yaml").write_text("colour: red\n")
    outcome = stratumc("check", "other.yaml")
    assert outcome.status == 1
    assert "error[NOT_OURS]" in outcome.out
    assert "help: say which it is: `--kind spec` or `--kind workflow`" in outcome.out


def test_a_workflow_file_of_another_tool_fails_nothing(project: Path) -> None:
    (project / "workflow.json").write_text('{"nodes": [], "connections": {}}')
    outcome = stratumc("check", "--strict", "workflow.json")
    assert outcome.status == 0
    assert "info[NOT_OURS]" in outcome.out


@pytest.mark.parametrize("name", ["missing.stratum.yaml", "dangling.stratum.yaml", "pipe.stratum.yaml"])
def test_a_file_that_cannot_be_read_keeps_no_other_from_being_checked(project: Path, name: str) -> None:
    (project / "dangling.stratum.yaml").symlink_to(project / "nowhere")
    os.mkfifo(project / "pipe.stratum.yaml")
    outcome = stratumc("check", "--family", "rule", name, "broken.stratum.yaml")
    assert outcome.status == 2
    assert "error[FILE_UNREADABLE]" in outcome.out
    assert "error[E2_UNKNOWN_FIELD]" in outcome.out


def test_nothing_to_check(project: Path) -> None:
    (project / "empty").mkdir()
    outcome = stratumc("check", "empty")
    assert outcome.status == 2
    assert "nothing to check in `empty`: looked for *.stratum.yaml" in outcome.err
    beside = stratumc("check", "empty", "good.stratum.yaml")
    assert beside.status == 0
    assert "nothing to check in `empty`" in beside.err


def test_a_pattern_that_excludes_everything_is_named(project: Path) -> None:
    (project / "stratumc.toml").write_text('exclude = ["*.yaml"]\n')
    outcome = stratumc("check")
    assert (outcome.status, outcome.err) == (
        2,
        "stratumc: nothing to check in `.`: `exclude` leaves out everything in it\n",
    )


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        (["--formt", "json"], "Did you mean --format"),
        (["--format", "xml"], "'xml' is not one of 'text', 'json', 'sarif', 'github', 'junit'"),
        (["--select", "STATE_UNKNWON"], "did you mean `STATE_UNKNOWN`?"),
        (["--severity", "STATE_UNKNOWN"], "write CODE=error, CODE=warning or CODE=info"),
        (["--severity", "STATE_UNKNOWN=bad"], "unknown severity `bad`: one of error, warning, info"),
        (["--ignore", "YAML_INVALID"], "`YAML_INVALID` can't be ignored"),
        (["--severity", "YAML_INVALID=info"], "`YAML_INVALID` is always an error"),
        (["--jobs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage_names_the_mend(arguments: list[str], mend: str) -> None:
    outcome = stratumc("check", *arguments, "good.stratum.yaml")
    assert outcome.status == 2
    assert outcome.out == ""
    assert mend in outcome.err.replace("'--format'", "--format")


def test_an_unknown_setting_is_wrong_usage(project: Path) -> None:
    (project / "stratumc.toml").write_text("\nstrikt = true\n")
    outcome = stratumc("check", "good.stratum.yaml")
    assert outcome.status == 2
    assert outcome.err == "stratumc: stratumc.toml:2:1: unknown setting `strikt`: did you mean `strict`?\n"


def test_select_ignore_and_severity() -> None:
    everything = ("check", "--family", "rule", ".")
    assert "E2_UNKNOWN_FIELD" not in stratumc(*everything, "--select", "IGNORE_UNUSED").out
    assert stratumc(*everything, "--ignore", "E2_UNKNOWN_FIELD,IGNORE_UNUSED").status == 0
    lowered = stratumc(*everything, "--severity", "E2_UNKNOWN_FIELD=warning")
    assert lowered.status == 0
    assert "warning[E2_UNKNOWN_FIELD]" in lowered.out


def test_settings_by_file(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        "[tool.stratumc.per-file-ignores]\n"
        '"broken.*" = ["E2_UNKNOWN_FIELD"]\n'
        '"good.stratum.yaml" = ["REF_INVALID"]\n'
    )
    outcome = stratumc("check", "--family", "rule", ".")
    assert outcome.status == 0
    assert "1 suppressed" in outcome.err
    assert "`REF_INVALID` is ignored in `good.stratum.yaml`, where it isn't found" in outcome.out
    assert "--> pyproject.toml:3:24" in outcome.out


def test_comments_ignore_and_json_keeps_what_is_suppressed(project: Path) -> None:
    text = BROKEN.replace(
        "      - {id", "      # stratumc: ignore[E2_UNKNOWN_FIELD] painted on purpose\n      - {id"
    )
    (project / "broken.stratum.yaml").write_text(text)
    outcome = stratumc("check", "--family", "rule", "--format", "json", "broken.stratum.yaml")
    assert outcome.status == 0
    (found,) = json.loads(outcome.out)["diagnostics"]
    assert (found["code"], found["suppressed"]) == ("E2_UNKNOWN_FIELD", "comment: painted on purpose")


def test_errors_of_the_rules_that_nobody_asked_for_are_explained() -> None:
    outcome = stratumc("check", "--family", "type", "broken.stratum.yaml")
    assert outcome.status == 1
    assert outcome.out.startswith("error[E2_UNKNOWN_FIELD]: ")
    assert outcome.err.startswith("checked 1 file: 1 error\nstratumc: errors of the rules are shown too: ")
    assert stratumc("check", "--select", "SCHEMA_INVALID", "broken.stratum.yaml").status == 0


def test_statistics_and_quiet() -> None:
    counted = stratumc("check", "--family", "rule", "--statistics", ".")
    assert re.search(
        r"^ +1 error +E2_UNKNOWN_FIELD +a key that the language does not have$", counted.out, re.M
    )
    quiet = stratumc("check", "--family", "rule", "--quiet", ".")
    assert quiet.err == ""
    assert "warning" not in quiet.out
    assert "error[" in quiet.out


def test_sarif_is_the_same_from_any_folder(project: Path) -> None:
    folder = project / "spécs & more"
    folder.mkdir()
    (folder / "b c.stratum.yaml").write_text(BROKEN)
    here = stratumc("check", "--family", "rule", "--format", "sarif", "spécs & more/b c.stratum.yaml")
    there = stratumc("check", "--family", "rule", "--format", "sarif", "b c.stratum.yaml", cwd=folder)
    assert here.out == there.out
    (result,) = json.loads(here.out)["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "sp%C3%A9cs%20&%20more/b%20c.stratum.yaml"


def test_github_annotations_have_paths_of_the_repository(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "broken.stratum.yaml").write_text(BROKEN)
    outcome = stratumc(
        "check", "--family", "rule", "--format", "github", "broken.stratum.yaml", cwd=project / "sub"
    )
    assert outcome.out.startswith("::error file=sub/broken.stratum.yaml,line=9,")


def test_junit_has_a_suite_for_each_file() -> None:
    outcome = stratumc("check", "--family", "rule", "--format", "junit", ".")
    suites = ElementTree.fromstring(outcome.out).findall("testsuite")
    assert [suite.get("name") for suite in suites] == [
        "broken.stratum.yaml",
        "good.stratum.yaml",
        "warned.stratum.yaml",
    ]


def test_output_is_written_whole(project: Path) -> None:
    target = project / "report.json"
    target.write_text("before")
    outcome = stratumc(
        "check", "--family", "rule", "--format", "json", "--output", target, "broken.stratum.yaml"
    )
    assert (outcome.status, outcome.out) == (1, "")
    assert json.loads(target.read_text())["summary"]["error"] == 1
    assert [path.name for path in project.glob("report*")] == ["report.json"]


def test_output_that_cannot_be_written(project: Path) -> None:
    outcome = stratumc("check", "--family", "rule", "--output", "no/such/folder.txt", "good.stratum.yaml")
    assert outcome.status == 2
    assert outcome.err.endswith("stratumc: `no/such/folder.txt`: no such file or directory\n")


def test_any_number_of_jobs_gives_the_same(project: Path) -> None:
    for number in range(12):
        (project / f"n{number:02}.stratum.yaml").write_text(BROKEN if number % 3 else GOOD)
    outcomes = [
        stratumc("check", "--family", "rule", "--no-cache", "--jobs", jobs, ".") for jobs in ("1", "2", "5")
    ]
    assert len({(outcome.status, outcome.out, outcome.err) for outcome in outcomes}) == 1
    assert outcomes[0].status == 1


def test_the_cache_gives_the_same_again(project: Path) -> None:
    first = stratumc("check", "--family", "rule", ".")
    assert stratumc("check", "--family", "rule", ".") == first
    (project / "broken.stratum.yaml").write_text(GOOD)
    assert stratumc("check", "--family", "rule", ".").status == 0
    (project / "good.stratum.yaml").write_text(BROKEN)
    assert stratumc("check", "--family", "rule", ".").status == 1


def test_a_change_of_a_fragment_is_seen(project: Path) -> None:
    (project / "workflow.json").write_text(WORKFLOW)
    (project / "workflow.d").mkdir()
    assert stratumc("check", "--family", "rule", "workflow.json").status == 0
    fragment = '{"states": {"a": {"transitions": [{"event": "off", "target": "nowhere"}]}}}'
    (project / "workflow.d" / "10.json").write_text(fragment)
    outcome = stratumc("check", "--family", "rule", "workflow.json")
    assert outcome.status == 1
    assert "--> workflow.d/10.json:1:" in outcome.out


def test_settings_are_part_of_the_cache() -> None:
    assert stratumc("check", "--family", "rule", "broken.stratum.yaml").status == 1
    assert (
        stratumc("check", "--family", "rule", "--ignore", "E2_UNKNOWN_FIELD", "broken.stratum.yaml").status
        == 0
    )


def test_output_is_utf_8_whatever_the_locale(project: Path) -> None:
    (project / "broken.stratum.yaml").write_text(BROKEN.replace("colour", "Färbung"), "utf-8")
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    outcome = stratumc_process("check", "--family", "rule", "broken.stratum.yaml", env=environment)
    assert outcome.status == 1
    assert "`Färbung`" in outcome.out


def test_bounds_in_text_and_json() -> None:
    outcome = stratumc("check", "--stats", "good.stratum.yaml")
    assert outcome.out == "good.stratum.yaml: main: dispatches 1 to 2, gate decisions 0, rounds 0\n"
    assert stratumc("check", "--stats", "good.stratum.yaml") == outcome, "from the cache too"
    (described,) = json.loads(stratumc("check", "--stats", "--format", "json", "good.stratum.yaml").out)[
        "inputs"
    ]
    assert described["bounds"]["main"]["dispatches"] == {"least": 1, "most": 2}
    (described,) = json.loads(stratumc("check", "--format", "json", "good.stratum.yaml").out)["inputs"]
    assert "bounds" not in described


def test_a_folder_that_may_not_be_searched_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "locked").mkdir()
    search = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "locked":
            raise PermissionError(13, "Permission denied", path)
        return search(path)

    monkeypatch.setattr(os, "scandir", refuse)
    outcome = stratumc("check", "--family", "rule", ".")
    assert outcome.status == 2
    assert "error[FILE_UNREADABLE]: `locked` can't be read: permission denied" in outcome.out
    assert "E2_UNKNOWN_FIELD" in outcome.out


def test_no_check_that_could_run_is_not_a_green_result(project: Path) -> None:
    (project / "workflow.json").write_text(WORKFLOW)
    outcome = stratumc("check", "--family", "type", "workflow.json")
    assert outcome.status == 2
    assert outcome.err == "stratumc: nothing was checked: workflows have no checks of the family `type`\n"
    assert stratumc("check", "--family", "type", "workflow.json", "good.stratum.yaml").status == 0


def test_json_keeps_its_schema() -> None:
    schema = json.loads(stratumc("schema", "diagnostics").out)
    for arguments in (["--stats"], ["--family", "rule"], ["--select", "IGNORE_UNUSED"]):
        report = json.loads(stratumc("check", "--format", "json", *arguments, ".").out)
        Draft202012Validator(schema).validate(report)
        assert [one["name"] for one in report["inputs"]] == [
            "broken.stratum.yaml",
            "good.stratum.yaml",
            "warned.stratum.yaml",
        ]
