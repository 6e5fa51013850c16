"""Documents of v0.x are recognised, and each old construct is told what became of it."""

from __future__ import annotations

import re

import pytest

import stratumc
from support.repository import ROOT
from support.spec_texts import flow, load, spec

OLD = """
version: "0.3"
contracts:
  Note: {text: {type: string}}
functions:
  write: {intent: Write it, output: Note, retries: 3}
workflow: {name: write}
flows:
  main:
    input: {}
    output: Note
    steps:
      - {id: a, function: write, inputs: {}, depends_on: []}
      - {id: b, function: write, ensure: [result.text]}
"""


def test_the_version_says_what_the_document_is() -> None:
    loaded = load(OLD)
    assert loaded.spec is None
    version = next(finding for finding in loaded.findings if finding.at.path == ("version",))
    assert version.code == "SCHEMA_INVALID"
    assert version.message == "this is a v0.3 spec, and only `version: 1` is read"
    assert version.suggestion == "write `version: 1` and its constructs in place of the old ones"


def test_each_old_construct_is_told_once() -> None:
    found = load(OLD).findings
    assert [finding.related for finding in found] == [()] * len(found)
    assert "E2_CONSTRUCT_MIX" not in {finding.code for finding in found}
    empty = OLD.replace("{id: a, function: write, inputs: {}, depends_on: []}", "{id: a}")
    assert [one.at.path for one in load(empty).findings if one.code == "E2_CONSTRUCT_MIX"] == [
        ("flows", "main", "steps", 0)
    ]


def test_every_old_key_is_told_what_became_of_it() -> None:
    told = {finding.at.path[-1]: finding.suggestion for finding in load(OLD).findings}
    assert "`do`" in str(told["functions"])
    assert told["depends_on"] == "`after` lists the steps that come before"
    assert "`{expr: …}`" in str(told[0])
    assert "type string" in str(told["text"])


@pytest.mark.parametrize("version", ["0.1", '"0.2"', "0", '"0"', "0.30"])
def test_versions_of_old(version: str) -> None:
    text = spec(flow()).replace("version: 1", f"version: {version}")
    (finding,) = load(text).findings
    assert finding.message.startswith("this is a v0")
    assert finding.at.path == ("version",)
    assert finding.suggestion == "write `version: 1`"


@pytest.mark.parametrize("version", ["2", '"1"', "1.5", "true", "null", "-1", "v0"])
def test_other_versions_are_just_wrong(version: str) -> None:
    text = spec(flow()).replace("version: 1", f"version: {version}")
    (finding,) = load(text).findings
    assert finding.message.startswith("`version` must be the number 1, not ")


def test_a_missing_version_is_old_when_old_constructs_are_there() -> None:
    assert load(spec(flow()).replace("version: 1\n", "")).spec is not None
    (message,) = {
        finding.message
        for finding in load(OLD.replace('version: "0.3"\n', "")).findings
        if finding.at.path == ("version",)
    }
    assert message == "this is a v0.x spec, and only `version: 1` is read"


def test_an_old_key_in_a_document_of_version_1_is_told_too() -> None:
    (finding,) = load(spec(flow("- {id: a, do: A, depends_on: [write]}"))).findings
    assert (finding.code, finding.suggestion) == (
        "E2_UNKNOWN_FIELD",
        "`after` lists the steps that come before",
    )


def test_the_example_of_the_documentation() -> None:
    old, new = re.findall(
        r"^```yaml \S+\n(.*?)^```$", (ROOT / "docs" / "migrating-from-v0.md").read_text("utf-8"), re.M | re.S
    )
    found = load(old).findings
    told = {finding.suggestion for finding in found if finding.code != "E2_CONSTRUCT_MIX"}
    assert None not in told
    assert load(new).findings == ()
    assert stratumc.check(new, name="v1.stratum.yaml").diagnostics == ()
