"""`check` with assertions in the settings: what is decided when, and where a faulty one is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.checked_files import GOOD, WORKFLOW
from support.command import stratumc

REVIEWED = GOOD.replace(
    "      - {id: write, do: ",
    """\
      - {id: review, gate: {on_approve: null, on_revise: null, on_kill: null}}
      - {id: write, after: [review], do: """,
)

ASSERTION = """\
[assertions.reviewed]
file = "good.stratum.yaml"
to = "write"
must-pass = "review"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "good.stratum.yaml").write_text(REVIEWED)
    (tmp_path / "other.stratum.yaml").write_text(GOOD)
    (tmp_path / "stratumc.toml").write_text(ASSERTION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    outcome = stratumc("check", "--no-cache", "--format", "json", *arguments)
    diagnostics = json.loads(outcome.out)["diagnostics"]
    return (
        outcome.status,
        [one for one in diagnostics if one["code"] == "ASSERTION_FAILED" and not one["suppressed"]],
        outcome.err,
    )


def place(diagnostic: dict[str, Any]) -> str:
    span = diagnostic["span"]
    return f"{span['file']}:{span['line']}:{span['column']}-{span['end_column']}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'to = "write"',
            'to = "wrte"',
            (
                "stratumc.toml:3:6-12",
                "assertion `reviewed` can't be decided: no step of flow `main` is `wrte`",
                "did you mean `write`?",
            ),
        ),
        (
            '"review"',
            '"gate"',
            (
                "stratumc.toml:4:13-19",
                "assertion `reviewed` can't be decided: no step of flow `main` is `gate`",
                "there are `review`, `write`",
            ),
        ),
        (
            'to = "write"',
            'to = "write"\nflow = "mian"',
            (
                "stratumc.toml:4:8-14",
                "assertion `reviewed` can't be decided: no flow is `mian`",
                "did you mean `main`?",
            ),
        ),
        (
            'to = "write"',
            'from = "start"\nto = "write"',
            (
                "stratumc.toml:3:8-15",
                "assertion `reviewed` can't be decided: no step of flow `main` is `start`",
                "there are `review`, `write`",
            ),
        ),
        (
            "good.stratum",
            "god.stratum",
            (
                "stratumc.toml:2:8-26",
                "assertion `reviewed` names a file that isn't there: `god.stratum.yaml`",
                "did you mean `good.stratum.yaml`?",
            ),
        ),
        (
            '"good.stratum.yaml"',
            '"."',
            ("stratumc.toml:2:8-11", "assertion `reviewed` names a folder that holds no workflow: `.`", None),
        ),
    ],
)
def test_a_name_that_is_not_there_is_shown_in_the_settings(
    folder: Path, old: str, new: str, expected: tuple[str, str, str | None]
) -> None:
    (folder / "stratumc.toml").write_text(ASSERTION.replace(old, new))
    status, diagnostics, _ = found()
    (only,) = diagnostics
    assert status == 1
    assert (place(only), only["message"], only["suggestion"]) == expected


def test_all_wrong_names_are_told_at_once(folder: Path) -> None:
    (folder / "stratumc.toml").write_text(ASSERTION.replace('"write"', '"a"').replace('"review"', '"b"'))
    assert [place(one) for one in found()[1]] == ["stratumc.toml:3:6-9", "stratumc.toml:4:13-16"]


def test_a_state_and_a_flow_of_a_workflow(folder: Path) -> None:
    (folder / "workflow.json").write_text(WORKFLOW)
    (folder / "stratumc.toml").write_text(
        '[assertions.x]\nfile = "."\nto = "b"\nmust-pass = "a"\nflow = "main"\n'
    )
    messages = [one["message"] for one in found()[1]]
    assert messages == [
        "assertion `x` can't be decided: no state is `b`",
        "assertion `x` can't be decided: a workflow has no flows",
    ]


def test_one_that_fails_is_shown_at_the_goal_with_its_own_place(folder: Path) -> None:
    (folder / "good.stratum.yaml").write_text(REVIEWED.replace("id: review, ", 'id: review, when: "false", '))
    status, diagnostics, _ = found("good.stratum.yaml")
    (only,) = diagnostics
    assert (status, only["span"]["file"]) == (1, "good.stratum.yaml")
    (related,) = only["related"]
    assert (related["message"], related["file"], related["line"]) == ("asserted here", "stratumc.toml", 4)


def test_a_missing_file_keeps_nothing_else_from_being_checked(folder: Path) -> None:
    (folder / "stratumc.toml").write_text(ASSERTION.replace("good", "gone"))
    (folder / "other.stratum.yaml").write_text(GOOD.replace("out: Text}", "out: Txt}"))
    outcome = stratumc("check", "other.stratum.yaml")
    assert outcome.status == 1
    assert "Txt" in outcome.out
    assert "`gone.stratum.yaml`" in outcome.out


@pytest.mark.parametrize("spelling", ["./good.stratum.yaml", "link.stratum.yaml", "x/../good.stratum.yaml"])
def test_a_file_is_itself_however_it_is_written(folder: Path, spelling: str) -> None:
    (folder / "good.stratum.yaml").write_text(GOOD)
    (folder / "link.stratum.yaml").symlink_to("good.stratum.yaml")
    text = ASSERTION.replace("good.stratum.yaml", spelling).replace('"review"', '"write"')
    (folder / "stratumc.toml").write_text(text.replace('to = "write"', 'to = "nothing"'))
    assert found("good.stratum.yaml")[1]


def test_a_file_that_was_not_checked_leaves_its_assertion_undecided_and_says_so(folder: Path) -> None:
    (folder / "good.stratum.yaml").write_text(GOOD)
    status, diagnostics, err = found("other.stratum.yaml")
    assert (status, diagnostics) == (0, [])
    assert "assertions on files that were not checked, so not decided: `reviewed`" in err
    assert "not decided" not in stratumc("check", "-q", "other.stratum.yaml").err
    assert "not decided" not in found("other.stratum.yaml", "--family", "rule")[2]
    assert "not decided" not in found(".")[2]


def test_a_search_finds_what_assertions_are_about_whatever_its_name(folder: Path) -> None:
    (folder / "flows").mkdir()
    (folder / "flows" / "main.yaml").write_text(GOOD)
    (folder / "stratumc.toml").write_text(ASSERTION.replace("good.stratum.yaml", "flows/main.yaml"))
    status, diagnostics, err = found()
    assert status == 1
    assert [place(one) for one in diagnostics] == ["stratumc.toml:4:13-21"]
    assert "not decided" not in err
    (folder / "stratumc.toml").write_text(
        'exclude = ["flows/*"]\n' + ASSERTION.replace("good.stratum.yaml", "flows/main.yaml")
    )
    status, diagnostics, err = found()
    assert (status, diagnostics) == (0, [])
    assert "not decided: `reviewed`" in err


def test_a_file_of_another_tool_decides_nothing(folder: Path) -> None:
    (folder / "workflow.json").write_text('{"name": "CI", "on": "push", "jobs": {}}')
    (folder / "stratumc.toml").write_text(ASSERTION.replace("good.stratum.yaml", "workflow.json"))
    status, diagnostics, _ = found()
    assert status == 1
    assert [one["message"] for one in diagnostics] == [
        "assertion `reviewed` can't be decided: `workflow.json` is neither a spec nor a workflow of stratumc"
    ]


def test_a_file_that_breaks_rules_is_told_of_that_alone(folder: Path) -> None:
    (folder / "good.stratum.yaml").write_text(REVIEWED.replace("out: Text}", "out: Txt}"))
    status, diagnostics, err = found("good.stratum.yaml")
    assert (status, diagnostics) == (1, [])
    assert "assertions on files that break rules, so not decided: `reviewed`" in err
    assert (
        "not decided"
        not in found("other.stratum.yaml", "--ignore", "ASSERTION_FAILED", "--ignore", "ASSERTION_VACUOUS")[2]
    )


def test_without_proofs_assertions_on_what_is_checked_are_named(folder: Path) -> None:
    said = "assertions are decided with the family `proof`, so not decided: `reviewed`"
    assert said in found("good.stratum.yaml", "--family", "rule")[2]
    assert said in found(".", "--family", "rule", "--family", "type")[2]
    assert "not decided" not in stratumc("check", "-q", "--family", "rule", "good.stratum.yaml").err
    assert "not decided" not in found("other.stratum.yaml", "--family", "rule")[2]


def test_breaking_rules_that_are_ignored_does_not_pass_an_assertion(folder: Path) -> None:
    text = REVIEWED.replace("out: Text}", "out: Txt} # stratumc: ignore[CONTRACT_UNKNOWN_REF] later")
    (folder / "good.stratum.yaml").write_text(text)
    status, diagnostics, _ = found("good.stratum.yaml")
    assert status == 1
    assert diagnostics


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        (("--ignore", "ASSERTION_FAILED"), 0),
        (("--severity", "ASSERTION_FAILED=warning"), 0),
        (("--family", "rule"), 0),
        (("--select", "ASSERTION_FAILED"), 1),
    ],
)
def test_flags_count_for_assertions_on_missing_files_too(
    folder: Path, flags: tuple[str, ...], status: int
) -> None:
    (folder / "stratumc.toml").write_text(ASSERTION.replace("good", "gone"))
    assert found("other.stratum.yaml", *flags)[0] == status


def test_every_fault_of_the_settings_is_told_by_either_reader_of_the_command_line(folder: Path) -> None:
    (folder / "stratumc.toml").write_text("strict = 1\nselekt = 2\n")
    plain, whole = stratumc("check"), stratumc("check", "--select", "YAML_INVALID")
    assert plain.status == whole.status == 2
    assert plain.err == whole.err
    assert plain.err.splitlines() == [
        "stratumc: stratumc.toml:1:10: `strict` must be true or false",
        "stratumc: stratumc.toml:2:1: unknown setting `selekt`: did you mean `select`?",
    ]


NESTED = """\
version: 1
contracts:
  Note: {text: string}
flows:
  entry: main
  main:
    input: {hot: boolean}
    output: {from: "${last.output}", contract: Note}
    steps:
      - {id: build, when: input.hot, do: Build}
      - {id: approval, after: [build], run: inner, with: {}}
      - {id: last, after: [approval], do: End, out: Note}
      - {id: cold, after: [build], when: "!input.hot && 'build' in result", do: Never}
  inner:
    input: {}
    output: {from: "${done.output}", contract: Note}
    steps:
      - {id: review, gate: {on_approve: null, on_revise: null, on_kill: null}}
      - {id: done, after: [review], do: Done, out: Note}
"""


@pytest.mark.parametrize(
    ("goal", "gate", "code", "message"),
    [
        ("last", "approval.review", None, None),
        (
            "last",
            "approval.reviw",
            "ASSERTION_FAILED",
            "assertion `reviewed` can't be decided: no step of flow `inner` is `reviw`",
        ),
        (
            "last",
            "build.review",
            "ASSERTION_FAILED",
            "assertion `reviewed` can't be decided: step `build` runs no flow that could have a step "
            "`review`",
        ),
        (
            "last",
            "aproval.review",
            "ASSERTION_FAILED",
            "assertion `reviewed` can't be decided: no step of flow `main` is `aproval.review`",
        ),
        (
            "cold",
            "build",
            "ASSERTION_VACUOUS",
            "assertion `reviewed` says nothing: no run comes to `cold` at all",
        ),
    ],
)
def test_gates_of_called_flows_and_goals_that_nothing_comes_to(
    folder: Path, goal: str, gate: str, code: str | None, message: str | None
) -> None:
    (folder / "good.stratum.yaml").write_text(NESTED)
    (folder / "stratumc.toml").write_text(
        f'[assertions.reviewed]\nfile = "good.stratum.yaml"\nto = "{goal}"\nmust-pass = "{gate}"\n'
    )
    outcome = stratumc("check", "--no-cache", "--format", "json", "good.stratum.yaml")
    told = [one for one in json.loads(outcome.out)["diagnostics"] if one["code"].startswith("ASSERTION")]
    assert [(one["code"], one["message"]) for one in told] == ([(code, message)] if code else [])
    assert outcome.status == (1 if code == "ASSERTION_FAILED" else 0)
