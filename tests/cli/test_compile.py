"""`stratumc compile` and `stratumc verify` as a user calls them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stratum_runtime import loads
from support.command import stratumc
from support.repository import ROOT

RELEASE = ROOT / "examples" / "release.stratum.yaml"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A copy of an example, in a folder of its own."""
    return Path(shutil.copy(RELEASE, tmp_path))


def test_compile_answers_with_the_frozen_table(release: Path) -> None:
    outcome = stratumc("compile", release.name, cwd=release.parent)
    assert (outcome.status, outcome.err) == (0, "")
    assert loads(outcome.out).name == "release"
    assert outcome.out.endswith("}\n")
    assert outcome.out.count("\n") == 1


def test_compile_writes_to_a_file(release: Path) -> None:
    outcome = stratumc("compile", release.name, "-o", "release.table.json", cwd=release.parent)
    assert (outcome.status, outcome.out) == (0, "")
    assert stratumc("tables", ".", cwd=release.parent).status == 0
    assert stratumc("verify", "release.table.json", release.name, cwd=release.parent).status == 0


def test_tables_for_people_name_lines(release: Path) -> None:
    outcome = stratumc("compile", release, "--format", "table")
    assert "## release.build\n" in outcome.out
    assert "| ready | result | `verdict(accepted)` | succeeded |" in outcome.out
    assert "release.stratum.yaml:29 |" in outcome.out


def test_rows_are_one_a_line(release: Path) -> None:
    outcome = stratumc("compile", release, "--format", "rows")
    table = loads(stratumc("compile", release).out)
    assert len(outcome.out.splitlines()) == sum(len(machine.rows) for machine in table.machines)


def test_errors_leave_no_table(release: Path) -> None:
    release.write_text(release.read_text("utf-8").replace("after: [test]", "after: [tset]"), "utf-8")
    outcome = stratumc("compile", release.name, "-o", "out.json", cwd=release.parent)
    assert (outcome.status, outcome.out) == (1, "")
    assert "ROUTING_UNKNOWN_TARGET" in outcome.err
    assert not (release.parent / "out.json").exists()


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert stratumc("compile", "none.stratum.yaml", cwd=tmp_path).status == 2
    assert stratumc("verify", "none.json", cwd=tmp_path).status == 2


def test_verify_lists_what_holds(release: Path) -> None:
    stratumc("compile", release.name, "-o", "t.json", cwd=release.parent)
    outcome = stratumc("verify", "t.json", cwd=release.parent)
    assert outcome.status == 0
    assert "proved   macrosteps end (graph)\n" in outcome.out
    answer = json.loads(stratumc("verify", "t.json", "--json", cwd=release.parent).out)
    assert answer["ok"] is True
    assert {one["verdict"] for one in answer["properties"]} == {"proved"}


def test_verify_refuses_a_table_of_another_source(release: Path) -> None:
    stratumc("compile", release.name, "-o", "t.json", cwd=release.parent)
    release.write_text(release.read_text("utf-8").replace("max_rounds: 5", "max_rounds: 6"), "utf-8")
    outcome = stratumc("verify", "t.json", release.name, cwd=release.parent)
    assert outcome.status == 1
    assert "refuted  steps are those of the source (source)" in outcome.out
    assert outcome.err == "stratumc: `t.json` is refused\n"


def test_verify_refuses_what_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("{}", "utf-8")
    outcome = stratumc("verify", "t.json", cwd=tmp_path)
    assert outcome.status == 1
    assert "the table's format is None" in outcome.out


def test_the_folder_of_a_workflow_stands_for_it(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "examples" / "on-call", tmp_path / "on-call")
    compiled = stratumc("compile", folder, "-o", tmp_path / "t.json")
    assert (compiled.status, compiled.err) == (0, "")
    assert stratumc("verify", tmp_path / "t.json", folder).status == 0
    assert "## on-call" in stratumc("compile", folder, "--format", "table").out
    (tmp_path / "empty").mkdir()
    for arguments in (("compile", tmp_path / "empty"), ("verify", tmp_path / "t.json", tmp_path / "empty")):
        assert stratumc(*arguments).status == 2


def test_a_reader_that_has_gone_is_no_refutation(release: Path) -> None:
    stratumc("compile", release.name, "-o", "t.json", cwd=release.parent)
    code = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); "
    code += (
        "sys.argv = ['stratumc', 'verify', 't.json']; from stratumc.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=release.parent, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (141, b"")
