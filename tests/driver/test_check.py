"""The public functions `check` and `compile`: what they take, what they answer, and that no input raises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stratumc
from stratumc.driver import files as driver_files
from stratumc.read import limits

SPEC = """\
version: 1
contracts: {Text: {text: string}, Unused: {a: string}}
flows:
  entry: main
  main:
    input: {topic: string}
    output: {from: "${write.output}", contract: Text}
    steps:
      - id: write
        do: Write about ${input.topic}
        out: Text
        ensure: [{expr: len(result.text) > 0}]
"""
TYPE_ERROR = SPEC.replace("len(result.text) > 0", "result.text > 0")
RULE_ERROR = SPEC.replace("out: Text\n", "out: Text\n        colour: red\n")
WORKFLOW = {"initial_state": "a", "states": {"a": {"transitions": [{"event": "go", "target": "b"}]}, "b": {}}}


def codes(result: stratumc.CheckResult) -> set[str]:
    return {diagnostic.code for diagnostic in result.diagnostics}


@pytest.mark.parametrize("source", [SPEC, SPEC.encode()], ids=["str", "bytes"])
def test_a_text(source: str | bytes) -> None:
    result = stratumc.check(source)
    assert (result.ok, result.kind, codes(result)) == (True, "spec", {"CONTRACT_UNUSED"})


def test_a_path(tmp_path: Path) -> None:
    path = tmp_path / "any name"
    path.write_text(RULE_ERROR)
    (found,) = stratumc.check(path, families=("rule",)).diagnostics
    assert found.span.file == str(path)
    assert (found.span.line, found.span.column, found.span.end_column) == (12, 9, 15)


def test_names_are_shown() -> None:
    (found,) = stratumc.check(RULE_ERROR, name="x.stratum.yaml", families=("rule",)).diagnostics
    assert found.to_dict()["span"]["file"] == "x.stratum.yaml"


def test_families_are_told_apart() -> None:
    both = TYPE_ERROR.replace("out: Text\n", "out: Text\n        colour: red\n")
    assert codes(stratumc.check(both, families=("rule",))) == {"E2_UNKNOWN_FIELD"}
    assert codes(stratumc.check(TYPE_ERROR, families=("type",))) == {"EXPR_TYPE"}
    assert codes(stratumc.check(both, families=("rule", "type"))) == {"E2_UNKNOWN_FIELD", "EXPR_TYPE"}
    assert codes(stratumc.check(SPEC, families=("proof",))) == {"CONTRACT_UNUSED"}


def test_what_keeps_a_family_from_running_is_always_reported() -> None:
    """What was not checked must not look as if it had been."""
    for family in ("type", "proof"):
        assert codes(stratumc.check(RULE_ERROR, families=(family,))) == {"E2_UNKNOWN_FIELD"}
    assert codes(stratumc.check("version: [", families=("type",))) == {"YAML_INVALID"}


@pytest.mark.parametrize(
    ("select", "found"),
    [
        (("SCHEMA_INVALID",), set()),
        (("SCHEMA_INVALID", "EXPR_TYPE"), {"E2_UNKNOWN_FIELD"}),
        (("CONTRACT_UNUSED",), {"E2_UNKNOWN_FIELD"}),
    ],
)
def test_selected_codes_of_other_families_need_the_rules(select: tuple[str, ...], found: set[str]) -> None:
    assert codes(stratumc.check(RULE_ERROR, config=stratumc.Settings(select=select))) == found


@pytest.mark.parametrize("code", ["YAML_INVALID", "FILE_UNREADABLE"])
def test_what_cannot_be_read_is_never_ignored(tmp_path: Path, code: str) -> None:
    for settings in (
        stratumc.Settings(ignore=(code,)),
        stratumc.Settings(severity=((code, "info"),)),
        stratumc.Settings(select=("EXPR_TYPE",)),
        stratumc.Settings(select=("SCHEMA_INVALID",)),
    ):
        source = "version: [" if code == "YAML_INVALID" else tmp_path / "missing.stratum.yaml"
        (found,) = stratumc.check(source, config=settings).diagnostics
        assert (found.code, found.severity) == (code, "error")


def test_settings_count_too() -> None:
    settings = stratumc.Settings(families=("rule",), severity=(("E2_UNKNOWN_FIELD", "info"),))
    (found,) = stratumc.check(RULE_ERROR, config=settings).diagnostics
    assert (found.code, found.severity) == ("E2_UNKNOWN_FIELD", "info")


@pytest.mark.parametrize(("file", "used"), [("main.stratum.yaml", True), ("other.stratum.yaml", False)])
def test_settings_of_files_need_no_settings_file(file: str, used: bool) -> None:
    """Whether it is used or not: without a settings file nothing can be pointed at."""
    settings = stratumc.Settings(
        per_file_ignores=(stratumc.PerFile(file, ("CONTRACT_UNUSED", "INPUT_UNUSED")),)
    )
    result = stratumc.check(SPEC, name="main.stratum.yaml", config=settings)
    assert codes(result) == (set() if used else {"CONTRACT_UNUSED"})
    assert len(result.suppressed) == used


@pytest.mark.parametrize(("goal", "file"), [("write", "main.stratum.yaml"), ("writes", "<settings>")])
def test_assertions_need_no_settings_file(goal: str, file: str) -> None:
    asserted = stratumc.Assertion("reviewed", "main.stratum.yaml", goal, "check")
    source = SPEC.replace(
        "    steps:\n",
        "    steps:\n      - {id: check, gate: {on_approve: null, on_revise: null, on_kill: null}}\n",
    )
    result = stratumc.check(
        source, name="main.stratum.yaml", config=stratumc.Settings(assertions=(asserted,))
    )
    (found,) = (one for one in result.diagnostics if one.code == "ASSERTION_FAILED")
    assert found.span.file == file


@pytest.mark.parametrize(("kind", "families"), [("flow", ("rule",)), (None, ("rules",)), (None, "rule")])
def test_wrong_arguments_are_the_callers_fault(kind: str | None, families: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="one of"):
        stratumc.check(SPEC, kind=kind, families=families)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"config": {"ignore": []}}, "`config` must be Settings or None, not dict"),
        ({"name": None}, "`name` must be str, not NoneType"),
        ({"source": 3}, "`source` must be str or bytes or PathLike, not int"),
    ],
)
def test_arguments_of_another_type_are_named(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(TypeError) as caught:
        stratumc.check(**{"source": SPEC, **arguments})
    assert str(caught.value) == named
    with pytest.raises(TypeError, match="`text` must be str"):
        stratumc.references(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ('{"version": 1}', "a.stratum.json", "spec"),
        ("", "a.stratum.yaml", "spec"),
        ("- 1", "a.stratum.yml", "spec"),
        ('{"flows": {}}', "<text>", "spec"),
        ("version: '0.3'\nfunctions: {}\n", "<text>", "spec"),
        ("{version: 1, contracts: {}}", "<text>", "spec"),
        ('{"states": {}}', "<text>", "workflow"),
        ('{"initial_state": 1}', "x/workflow.json", "workflow"),
        ("{}", "x/workflow.json", "workflow"),
        ('{"nodes": [], "connections": {}}', "x/workflow.json", None),
        ('{"id": "x", "version": "1.0", "specVersion": "0.8", "states": []}', "x/workflow.json", None),
        ("colour: red", "<text>", None),
        ('{"statess": {}, "intial_state": "a"}', "x/workflow.json", "workflow"),
        ('{"statess": {"a": {"triggers": []}}}', "x/workflow.json", "workflow"),
        ('{"stages": {"a": {"script": []}}, "status": "on"}', "x/workflow.json", None),
        ('{"nodes": []}', "x/.forge/workflow.json", "workflow"),
        ('{"nodes": []}', "x/workflow.d/10.json", "workflow"),
        ('{"version": 1, "contracts": {}, "flows": {}}', "x/workflow.json", "spec"),
        ("[1]", "x/workflow.json", None),
        ("[1]", ".forge/workflow.json", "workflow"),
    ],
)
def test_the_kind_is_told_from_content_and_name(text: str, name: str, kind: str | None) -> None:
    assert stratumc.check(text, name=name, families=("rule",)).kind == kind


def test_the_place_tells_a_workflow_too(tmp_path: Path) -> None:
    (tmp_path / "workflow.d").mkdir()
    (tmp_path / "workflow.json").write_text('{"nodes": []}')
    assert stratumc.check(tmp_path / "workflow.json").ok
    (tmp_path / "workflow.d" / "10.json").write_text("{}")
    result = stratumc.check(tmp_path / "workflow.json")
    assert (result.kind, result.ok) == ("workflow", False)


def test_a_spec_in_a_workflow_file_is_checked_as_one(tmp_path: Path) -> None:
    (tmp_path / "workflow.json").write_text('{"version": 1, "contracts": {}, "flows": {"entry": "main"}}')
    result = stratumc.check(tmp_path / "workflow.json", families=("rule",))
    assert (result.kind, codes(result)) == ("spec", {"FLOW_UNKNOWN_ENTRY"})


def test_a_spec_by_its_name_alone_gets_one_error() -> None:
    (found,) = stratumc.check("on: push\njobs: {}\n", name="a.stratum.yaml").diagnostics
    assert (found.code, found.suggestion) == (
        "SCHEMA_INVALID",
        "it seems to be a workflow of GitHub Actions, which needs another name",
    )
    for text in ("verson: 1\njobs: {}\n", "functions: {}\n", "{}"):
        assert len(stratumc.check(text, name="a.stratum.yaml").diagnostics) > 1
    assert len(stratumc.check("on: push\njobs: {}\n", kind="spec").diagnostics) == 5


def test_the_folder_of_a_workflow_its_file_and_a_fragment_are_one(tmp_path: Path) -> None:
    folder = tmp_path / ".forge"
    (folder / "workflow.d").mkdir(parents=True)
    (folder / "workflow.json").write_text(json.dumps(WORKFLOW))
    fragment = folder / "workflow.d" / "10.json"
    fragment.write_text('{"states": {"b": {"transitions": [{"event": "on", "target": "nowhere"}]}}}')
    for path in (folder / "workflow.json", folder, tmp_path, fragment, folder / "workflow.d"):
        result = stratumc.check(path, families=("rule",))
        (found,) = result.diagnostics
        assert (result.kind, found.code, found.span.file) == ("workflow", "STATE_UNKNOWN", str(fragment))


@pytest.mark.parametrize("name", ["missing", "", "a\0b", "."])
def test_a_path_to_nothing_is_a_finding(tmp_path: Path, name: str) -> None:
    result = stratumc.check(tmp_path / name)
    assert codes(result) == {"FILE_UNREADABLE"}
    assert not result.ok


def test_compile_gives_a_table_or_errors() -> None:
    compiled = stratumc.compile(SPEC)
    assert compiled.table is not None
    assert {found.severity for found in compiled.diagnostics} == {"info"}
    for text in (RULE_ERROR, TYPE_ERROR, "", "colour: red"):
        compiled = stratumc.compile(text, name="x.stratum.yaml")
        assert compiled.table is None
        assert "error" in {found.severity for found in compiled.diagnostics}


def test_a_suppressed_error_of_the_rules_makes_no_table() -> None:
    text = RULE_ERROR.replace("colour: red", "colour: red # stratumc: ignore[E2_UNKNOWN_FIELD]")
    assert stratumc.check(text).ok
    assert stratumc.compile(text).table is None


def test_compile_is_deterministic() -> None:
    program = (
        "import sys, stratumc, stratum_runtime; "
        "sys.stdout.buffer.write(stratum_runtime.dumps(stratumc.compile(sys.stdin.read()).table))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=SPEC.encode(),
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1


@given(st.text(max_size=60), st.sampled_from([None, "spec", "workflow"]))
def test_any_text_gives_diagnostics(text: str, kind: str | None) -> None:
    assert not stratumc.check(text, kind=kind).ok


@given(st.binary(max_size=60), st.sampled_from(["a.stratum.yaml", "a.stratum.json", "workflow.json"]))
def test_any_bytes_give_diagnostics(data: bytes, name: str) -> None:
    assert stratumc.check(data, name=name).diagnostics


def test_the_public_names_are_there() -> None:
    names = [name for name in stratumc.__all__ if name != "__version__"]
    assert [getattr(stratumc, name).__name__ for name in names] == names
    assert set(stratumc.__all__) <= set(dir(stratumc))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(stratumc, "nothing")  # noqa: B009


def test_bounds_are_there_for_specs_that_keep_the_rules() -> None:
    assert stratumc.check(SPEC).bounds == {
        "main": {
            "dispatches": {"least": 1, "most": 2},
            "decisions": {"least": 0, "most": 0},
            "rounds": {"least": 0, "most": 0},
        }
    }
    assert stratumc.check(SPEC, families=("rule", "type")).bounds is None
    assert stratumc.check(RULE_ERROR).bounds is None
    assert stratumc.check(json.dumps(WORKFLOW)).bounds is None


def test_no_proofs_of_a_workflow_with_a_broken_rule() -> None:
    text = '{"initial_state": "a", "states": {"a": {}, "b": {}}, "name": "x", "name": "y"}'
    assert codes(stratumc.check(text)) == {"DUPLICATE_KEY"}


def test_a_file_above_the_limit_is_told(tmp_path: Path) -> None:
    """The driver reads one byte more than the limit of the readers, so that they can tell."""
    assert driver_files.MAX_BYTES == limits.MAX_BYTES
    path = tmp_path / "large.stratum.yaml"
    path.write_bytes(b"#" * (limits.MAX_BYTES + 2))
    assert codes(stratumc.check(path)) == {"LIMIT_EXCEEDED"}


CASCADES = {
    "do: *nope, out: Text": {"YAML_INVALID"},
    "*do : A, out: Text": {"YAML_INVALID"},
    "do: !mine [A], out: Text": {"YAML_INVALID"},
    "do: A, out: Text, attempts: .inf": {"SCHEMA_INVALID"},
    "<<: {do: A}, out: Text": {"E2_UNKNOWN_FIELD"},
    "do: A, uot: Text": {"E2_UNKNOWN_FIELD"},
    "do: A, colour: Text": {"E2_UNKNOWN_FIELD", "REF_OUTPUT_CONTRACT_REQUIRED"},
    "<<: {do: A}, colour: Text": {"E2_UNKNOWN_FIELD"},
    "do: !mine A, out: Ghost": {"YAML_INVALID", "CONTRACT_UNKNOWN_REF"},
}


@pytest.mark.parametrize("step", CASCADES)
def test_what_follows_from_a_fault_is_not_told_again(step: str) -> None:
    text = (
        "version: 1\ncontracts: {Text: {text: string}}\nflows:\n  entry: main\n  main:\n    input: {}\n"
        f"    output: {{from: '${{a.output}}', contract: Text}}\n    steps:\n      - {{id: a, {step}}}\n"
    )
    assert codes(stratumc.check(text, families=("rule",))) == CASCADES[step]


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        ("{Text: {text: string}}", "{[Text]: {text: string}}"),
        ("{Text: {text: string}}", "{*Text : {text: string}}"),
        ("  main:\n", "  *main :\n"),
        ("input: {topic: string}", "input: {[topic]: string}"),
        ("      - id: write\n", "      - [id]: write\n"),
    ],
)
def test_a_key_that_cannot_be_read_is_the_only_fault(sound: str, broken: str) -> None:
    text = (
        "version: 1\ncontracts: {Text: {text: string}}\nflows:\n  entry: main\n  main:\n"
        "    input: {topic: string}\n    output: {from: '${write.output}', contract: Text}\n    steps:\n"
        "      - id: write\n        do: Write ${input.topic}\n        out: Text\n"
    )
    assert stratumc.check(text, families=("rule",)).diagnostics == ()
    found = stratumc.check(text.replace(sound, broken), families=("rule",)).diagnostics
    assert [one.code for one in found] == ["YAML_INVALID"]
