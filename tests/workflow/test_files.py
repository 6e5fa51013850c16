"""Which files make up a workflow, and what becomes of those that can't be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import stratumc
from stratumc.diagnostics import Severity
from stratumc.workflow import read_workflow_files
from support.workflows import SMALL, codes, diagnose, lay_out, write


def names(path: Path) -> list[tuple[str, str | None]]:
    return [(Path(file.path).name, file.problem) for file in read_workflow_files(path)]


def test_the_base_then_the_fragments_in_plain_string_order(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL, b={}, a={}, Z={}, a10={}, a2={}, é={})
    (path.parent / "workflow.d" / "notes.txt").write_text("no")
    (path.parent / "workflow.d" / "old").mkdir()
    write(path.parent / "workflow.d" / "old" / "x.json", "{")
    expected = ["workflow.json", "Z.json", "a.json", "a10.json", "a2.json", "b.json", "é.json"]
    assert [name for name, _ in names(path)] == expected
    assert names(path) == names(path.parent)


def test_a_key_that_stands_twice_keeps_the_workflow_from_being_used(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    text = path.read_text("utf-8")
    path.write_text(text.replace('"initial_state"', '"name": "again", "initial_state"', 1), "utf-8")
    answer = stratumc.create_engine(tmp_path).check()
    assert answer["error"]["code"] == "workflow_invalid"
    assert [found["code"] for found in answer["error"]["diagnostics"]] == ["DUPLICATE_KEY"]


def test_the_base_is_optional_beside_fragments(tmp_path: Path) -> None:
    fragment = {"initial_state": "a", "states": {"a": {"description": "A."}}}
    path = lay_out(tmp_path, None, a=fragment)
    assert codes(path) == []
    assert names(path) == [("a.json", None)]


def test_nothing_at_all_is_said_so(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    (found,) = diagnose(path)
    assert (found.code, found.message) == ("FILE_UNREADABLE", "`workflow.json` doesn't exist")
    assert (found.span.file, found.span.line, found.span.column) == (str(path), 1, 1)


def test_a_folder_among_the_fragments_is_ignored_with_a_warning(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL, a={})
    (path.parent / "workflow.d" / "x.json").mkdir()
    (found,) = diagnose(path)
    assert (found.severity, found.message) == ("warning", "`x.json` is a folder and is ignored")
    assert read_workflow_files(path)[-1].severity is Severity.WARNING


def test_an_ignored_folder_alone_does_not_make_the_base_optional(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    (path.parent / "workflow.d" / "x.json").mkdir(parents=True)
    assert [one.message for one in diagnose(path) if one.severity == "error"] == [
        "`workflow.json` doesn't exist"
    ]
    assert stratumc.create_engine(tmp_path).check()["error"]["code"] == "workflow_invalid"


@pytest.mark.parametrize("where", ["workflow.json", "workflow.d/x.json"])
def test_a_link_to_nothing_is_an_error(tmp_path: Path, where: str) -> None:
    path = lay_out(tmp_path, SMALL, a={})
    link = path.parent / where
    link.unlink(missing_ok=True)
    link.symlink_to(tmp_path / "gone")
    (found,) = diagnose(path)
    assert (found.code, found.severity) == ("FILE_UNREADABLE", "error")
    assert found.message == f"`{link.name}` is a link to nothing"


def test_what_is_no_file_is_an_error_and_nobody_waits_for_it(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL, a={})
    os.mkfifo(path.parent / "workflow.d" / "pipe.json")
    assert [one.message for one in diagnose(path)] == ["`pipe.json` isn't a file"]
    path.unlink()
    path.mkdir()
    assert "`workflow.json` isn't a file" in [one.message for one in diagnose(path)]


def test_a_fragments_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL)
    (path.parent / "workflow.d").write_text("")
    (found,) = diagnose(path)
    assert found.code == "FILE_UNREADABLE"


def test_bytes_that_are_no_text_are_placed_in_their_file(tmp_path: Path) -> None:
    path = lay_out(tmp_path, SMALL, a={})
    (path.parent / "workflow.d" / "a.json").write_bytes(b'{\n "name": "\xff"}')
    assert codes(path) == [("ENCODING_INVALID", "a.json", 2)]
