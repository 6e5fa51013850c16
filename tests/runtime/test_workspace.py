"""The workspace answers about its own files and never about others."""

from __future__ import annotations

import os
from pathlib import Path

from stratum_runtime.expression import Failure
from stratum_runtime.workspace import MAX_FILE, Workspace


def test_links_that_leave_the_root_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("x", "utf-8")
    (root / "out").symlink_to(tmp_path)
    (root / "inner").symlink_to(root)
    workspace = Workspace(root)
    refused = workspace.exists("out/secret")
    assert isinstance(refused, Failure)
    assert refused.code == "validation_error"
    assert isinstance(workspace.contains("out/secret", "x"), Failure)
    assert isinstance(workspace.exists("out/not-there"), Failure)
    assert workspace.exists("inner/inner") is True


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root2").mkdir()
    assert isinstance(Workspace(tmp_path / "root").exists("../root2"), Failure)


def test_what_is_no_regular_file_contains_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    workspace = Workspace(tmp_path)
    assert workspace.exists("pipe") is True
    assert workspace.contains("pipe", "") is False
    assert workspace.contains(".", "") is False


def test_bytes_that_are_no_text_and_files_that_are_too_large(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"\xffok")
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(MAX_FILE + 1)
    workspace = Workspace(str(tmp_path))
    assert workspace.contains("raw", "ok") is True
    refused = workspace.contains("huge", "x")
    assert isinstance(refused, Failure)
    assert refused.code == "resource_limit"


def test_a_nul_is_no_path(tmp_path: Path) -> None:
    assert isinstance(Workspace(tmp_path).exists("a\0b"), Failure)


def test_a_path_that_ends_in_a_slash_names_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    (tmp_path / "folder").mkdir()
    workspace = Workspace(tmp_path)
    assert [workspace.exists(path) for path in ("file", "file/", "folder", "folder/")] == [
        True,
        False,
        True,
        True,
    ]


def test_below_a_file_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    workspace = Workspace(tmp_path)
    assert workspace.exists("file/x") is False
    assert workspace.exists("file/x/y") is False
    assert workspace.contains("file/x", "x") is False
    assert isinstance(workspace.exists("file/../../x"), Failure)
