"""`stratumc diagram`, `diff` and `review` from a shell."""

from __future__ import annotations

from pathlib import Path

import pytest

import stratumc as compiler
from stratumc.cli.runs import open_engine
from support.command import stratumc
from support.pictures import DEAD_ENDS, FINDINGS
from support.review_page import page_data


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATUM_STATE_ROOT", str(tmp_path / "state"))
    (tmp_path / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    (tmp_path / "workflow.json").write_text(DEAD_ENDS, "utf-8")
    return tmp_path


def planned(text: str) -> str:
    table = compiler.compile(text, name="a.stratum.yaml").table
    assert table is not None
    engine = open_engine()
    given = {"version": "1", "is_patch": False, "builds": ["x", "y", "z"]}
    flow_id = str(engine.plan(table, inputs=given)["flow_id"])
    engine.step_done(flow_id, "build", result={"artifact": "a"})
    return flow_id


def test_a_run_colours_the_steps(folder: Path) -> None:
    flow_id = planned(FINDINGS)
    outcome = stratumc("diagram", "a.stratum.yaml", "--run", flow_id[:10], cwd=folder)
    assert outcome.status == 0
    assert "items#58; 2 ready, 1 pending" in outcome.out
    assert "class n1 done" in outcome.out


def test_how_the_run_stands_is_told(folder: Path) -> None:
    flow_id = planned(FINDINGS)
    outcome = stratumc("diagram", "a.stratum.yaml", "--run", flow_id, "--format", "dot", cwd=folder)
    assert f"run {flow_id}: in progress" in outcome.out
    assert open_engine().cancel(flow_id)["status"] == "cancelled"
    outcome = stratumc("diagram", "a.stratum.yaml", "--run", flow_id, "--format", "dot", cwd=folder)
    assert f"run {flow_id}: cancelled" in outcome.out
    assert "was waiting" in outcome.out
    assert "#fef9c3" not in outcome.out


def test_a_run_of_another_version_is_said_to_be(folder: Path) -> None:
    flow_id = planned(FINDINGS.replace("do: Rescue", "do: Save"))
    outcome = stratumc("diagram", "a.stratum.yaml", "--run", flow_id, cwd=folder)
    assert outcome.status == 0
    assert "keeps the table of another version" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.stratum.yaml", "--run", "nope"), "no run `nope`"),
        (("a.stratum.yaml", "--run", ""), "no run ``"),
        (("workflow.json", "--run", "nope"), "a workflow has no runs"),
        (("workflow.json", "--state", "wrok"), "no state `wrok`: did you mean `work`?"),
        (("none.yaml",), "no such file"),
    ],
)
def test_what_is_not_there(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = stratumc("diagram", *arguments, cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err


def test_a_store_that_cannot_be_read(folder: Path) -> None:
    (folder / "state").mkdir()
    (folder / "state" / "runs.sqlite").write_bytes(
        b"no database at all, but long enough to be looked at" * 30
    )
    outcome = stratumc("diagram", "a.stratum.yaml", "--run", "x", cwd=folder)
    assert outcome.status == 2
    assert "internal error" not in outcome.err


def test_the_page_holds_everything(folder: Path) -> None:
    (folder / "b.stratum.yaml").write_text("version: 2\n", "utf-8")
    outcome = stratumc(
        "review", "a.stratum.yaml", "workflow.json", "b.stratum.yaml", "-o", "p.html", cwd=folder
    )
    assert (outcome.status, outcome.out) == (0, "")
    data = page_data(folder / "p.html")
    names = [file["name"] for one in data["inputs"] for file in one["files"]]
    assert names == ["a.stratum.yaml", "workflow.json", "b.stratum.yaml"]
    assert [one["broken"] for one in data["inputs"]] == [False, False, True]
    assert [picture["title"] for picture in data["pictures"]] == ["release", "dead ends"]
    assert data["pictures"][1]["names"] == ["idle", "work", "closed", "lost"]
    assert {found["code"] for found in data["diagnostics"]} >= {
        "STEP_NEVER_RUNS",
        "STATE_UNREACHABLE",
        "SCHEMA_INVALID",
    }
    assert "src=" not in (folder / "p.html").read_text("utf-8")


def test_kinds_that_differ_are_refused(folder: Path) -> None:
    outcome = stratumc("diff", "a.stratum.yaml", "workflow.json", cwd=folder)
    assert (outcome.status, outcome.out) == (2, "")
    assert "a spec and a workflow can't be compared" in outcome.err


def test_a_picture_of_a_difference(folder: Path) -> None:
    (folder / "new.stratum.yaml").write_text(FINDINGS.replace("id: never", "id: later"), "utf-8")
    outcome = stratumc("diff", "a.stratum.yaml", "new.stratum.yaml", "--format", "mermaid", cwd=folder)
    assert outcome.status == 0
    assert "never<br/>removed" in outcome.out
    assert "classDef done" in outcome.out
