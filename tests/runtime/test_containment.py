"""Paths stay below their root: resolved components, links, `..`, targets that don't exist."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratum_runtime.containment import ContainmentError, Root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with folders and links, and something outside it."""
    (tmp_path / "outside" / "inner").mkdir(parents=True)
    (tmp_path / "outside" / "secret").write_text("x")
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / "file").write_text("x")
    (root / "evil").symlink_to("../outside")
    (root / "dangling").symlink_to("../outside/not-there")
    (root / "inside").symlink_to("a")
    (root / "a" / "up").symlink_to("..")
    (root / "loop").symlink_to("loop")
    return root


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a", "a"),
        ("a/b/", "a/b"),
        ("./a/./b", "a/b"),
        ("a//b", "a/b"),
        ("not/there/yet", "not/there/yet"),
        ("a/../file", "file"),
        ("not/../a", "a"),
        ("inside/b", "a/b"),
        ("inside/new", "a/new"),
        ("a/up/file", "file"),
        (".", "."),
    ],
)
def test_paths_that_stay(root: Path, path: str, place: str) -> None:
    assert Root(root).contained(path) == os.path.normpath(root / place)


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../root-not",
        "../outside",
        "a/../../outside",
        "not/../../outside",
        "evil",
        "evil/inner",
        "evil/not-there/yet",
        "dangling",
        "inside/../../outside",
        "a/up/../outside",
        "/tmp",
        "/",
        "",
        "a\0b",
        "\ud800",
        5,
        None,
        ["a"],
        b"a",
    ],
)
def test_paths_that_leave_or_are_none(root: Path, path: object) -> None:
    with pytest.raises(ContainmentError):
        Root(root).contained(path)


def test_an_absolute_path_below_the_root_is_fine(root: Path) -> None:
    assert Root(root).contained(str(root / "a" / "b")) == str(root / "a" / "b")
    with pytest.raises(ContainmentError):
        Root(root).contained(str(root) + "-beside")


def test_a_root_that_is_a_link_is_its_target(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert Root(tmp_path / "link").contained("a") == str(root / "a")


def test_the_root_of_the_file_system_contains_all() -> None:
    assert Root("/").contained("tmp/../etc") == os.path.realpath("/etc")


@given(
    st.lists(
        st.sampled_from(["a", "b", "..", ".", "", "evil", "inside", "up", "new", "dangling"]), max_size=6
    )
)
def test_what_is_admitted_is_really_below(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    base = tmp_path_factory.getbasetemp() / "contained"
    if not base.exists():
        (base / "root" / "a" / "b").mkdir(parents=True)
        (base / "outside").mkdir()
        (base / "root" / "evil").symlink_to("../outside")
        (base / "root" / "dangling").symlink_to("../gone")
        (base / "root" / "inside").symlink_to("a")
        (base / "root" / "a" / "up").symlink_to("..")
    root = str(base / "root")
    try:
        found = Root(root).contained("/".join(parts))
    except ContainmentError:
        return
    assert os.path.realpath(os.path.join(root, "/".join(parts))) == found
    assert os.path.commonpath([root, found]) == root
