"""Which tables belong to which sources, and when one is stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stratumc.driver.tables import fault_of_table, find_tables, table_of
from support.command import stratumc
from support.repository import EXAMPLES

SPEC = (EXAMPLES / "release.stratum.yaml").read_text("utf-8")
WORKFLOW = json.dumps(
    {"initial_state": "a", "states": {"a": {"transitions": [{"event": "go", "target": "a"}]}}}
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec and a workflow with their tables, and a spec without one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "release.stratum.yaml").write_text(SPEC, "utf-8")
    (tmp_path / "other.stratum.yaml").write_text(SPEC, "utf-8")
    (tmp_path / "workflow.json").write_text(WORKFLOW, "utf-8")
    for source in ("flows/release.stratum.yaml", "workflow.json"):
        assert stratumc("compile", source, "-o", table_of(source)).status == 0
    return tmp_path


@pytest.mark.parametrize(
    ("source", "table"),
    [
        ("a/x.stratum.yaml", "a/x.table.json"),
        ("x.stratum.json", "x.table.json"),
        ("a/workflow.json", "a/workflow.table.json"),
        ("a/workflow.d/10.json", "a/workflow.table.json"),
        ("plain.yaml", "plain.table.json"),
    ],
)
def test_where_a_table_lies(source: str, table: str) -> None:
    assert table_of(source) == table


def test_tables_are_found_by_table_source_and_folder(folder: Path) -> None:
    both = {
        "workflow.table.json": "workflow.json",
        "flows/release.table.json": "flows/release.stratum.yaml",
    }
    assert find_tables((".",)) == both
    assert find_tables(("other.stratum.yaml",)) == {}
    assert find_tables(("workflow.json", "flows/release.table.json")) == both


def test_current_tables(folder: Path) -> None:
    outcome = stratumc("tables")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "compared 2 tables, 0 stale\n")


def test_a_stale_table(folder: Path) -> None:
    (folder / "workflow.json").write_text(WORKFLOW.replace("go", "on"), "utf-8")
    outcome = stratumc("tables", "workflow.json")
    assert outcome.status == 1
    assert outcome.out == (
        "workflow.table.json: it isn't what `workflow.json` compiles to: "
        "run `stratumc compile workflow.json -o workflow.table.json`\n"
    )


def test_a_new_fragment_makes_a_table_stale(folder: Path) -> None:
    (folder / "workflow.d").mkdir()
    (folder / "workflow.d" / "10.json").write_text('{"global_actions": ["/help"]}', "utf-8")
    assert stratumc("tables", "workflow.d/10.json").status == 1


def test_a_source_with_errors(folder: Path) -> None:
    (folder / "flows" / "release.stratum.yaml").write_text("version: 1\n", "utf-8")
    fault = fault_of_table("flows/release.table.json", "flows/release.stratum.yaml")
    assert fault is not None
    assert fault.reason.startswith("`flows/release.stratum.yaml` has errors: ")


def test_a_table_without_its_source(folder: Path) -> None:
    (folder / "workflow.json").unlink()
    outcome = stratumc("tables", ".")
    assert outcome.status == 1
    assert outcome.out == "workflow.table.json: its source isn't beside it\n"


def test_a_table_that_is_not_there(folder: Path) -> None:
    (folder / "workflow.table.json").unlink()
    outcome = stratumc("tables", "workflow.table.json")
    assert outcome.status == 2
    assert outcome.err == "stratumc: `workflow.table.json`: no such file or directory\n"
