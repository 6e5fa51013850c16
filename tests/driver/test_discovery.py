"""What is found below the paths given, in which order, and what is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from stratumc.driver.discovery import Found, discover
from stratumc.driver.settings import Settings


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "b.stratum.yaml",
        "a.stratum.yml",
        "c.stratum.json",
        "other.yaml",
        "workflow.json",
        "workflow.d/10-more.json",
        "workflow.d/ignored.stratum.yaml",
        "sub/.forge/workflow.json",
        "sub/.hidden/x.stratum.yaml",
        "sub/deep/y.stratum.yaml",
        "only-fragments/workflow.d/10.json",
        "no-fragments/workflow.d/notes.txt",
        "node_modules/z.stratum.yaml",
        ".git/z.stratum.yaml",
        "env/pyvenv.cfg",
        "env/lib/z.stratum.yaml",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_is_searched_in_order(tree: Path) -> None:
    assert discover((".",), Settings()).inputs == (
        "a.stratum.yml",
        "b.stratum.yaml",
        "c.stratum.json",
        "workflow.json",
        "only-fragments/workflow.json",
        "sub/.forge/workflow.json",
        "sub/deep/y.stratum.yaml",
    )


def test_paths_keep_their_order_and_count_once(tree: Path) -> None:
    found = discover(("sub", "b.stratum.yaml", "./b.stratum.yaml", ".", str(tree / "sub")), Settings())
    assert found.inputs[:4] == (
        "sub/.forge/workflow.json",
        "sub/deep/y.stratum.yaml",
        "b.stratum.yaml",
        "a.stratum.yml",
    )
    assert len(found.inputs) == 7


def test_a_fragment_stands_for_its_workflow(tree: Path) -> None:
    found = discover(("workflow.d/10-more.json", "workflow.json"), Settings())
    assert found.inputs == ("workflow.json",)


def test_a_named_file_is_taken_whatever_its_name(tree: Path) -> None:
    assert discover(("other.yaml", "no-such-file"), Settings()).inputs == ("other.yaml", "no-such-file")


def test_a_folder_without_inputs_is_told(tree: Path) -> None:
    assert discover(("no-fragments", "sub"), Settings()) == Found(
        ("sub/.forge/workflow.json", "sub/deep/y.stratum.yaml"), ("no-fragments",)
    )


def test_links_are_followed_and_never_in_a_circle(tree: Path) -> None:
    (tree / "sub" / "deep" / "up").symlink_to(tree)
    (tree / "linked").symlink_to(tree / "sub" / "deep")
    (tree / "sub" / "dangling.stratum.yaml").symlink_to(tree / "nowhere")
    found = discover((".",), Settings()).inputs
    assert "linked/y.stratum.yaml" in found
    assert "sub/deep/y.stratum.yaml" not in found, "the same folder is not searched twice"
    assert "sub/dangling.stratum.yaml" in found
    assert len(found) == 8


def test_a_link_round_in_a_circle_hides_nothing(tree: Path) -> None:
    for name, target in (("x", "x"), ("p", "q"), ("q", "p"), ("loop.stratum.yaml", "loop.stratum.yaml")):
        (tree / "sub" / "deep" / name).symlink_to(target)
    assert discover(("sub/deep",), Settings()).inputs == (
        "sub/deep/loop.stratum.yaml",
        "sub/deep/y.stratum.yaml",
    )


def test_the_folder_of_fragments_stands_for_its_workflow(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert discover(("workflow.d", "only-fragments/workflow.d/"), Settings()).inputs == (
        "workflow.json",
        "only-fragments/workflow.json",
    )
    assert discover(("no-fragments/workflow.d",), Settings()).empty == ("no-fragments/workflow.d",)
    monkeypatch.chdir(tree / "workflow.d")
    assert discover((".",), Settings()).inputs == ("../workflow.json",)


def test_excluded_files_and_folders(tree: Path) -> None:
    settings = Settings(exclude=("sub/deep", "*.stratum.yml"), file=str(tree / "stratumc.toml"))
    found = discover((".",), settings).inputs
    assert "sub/deep/y.stratum.yaml" not in found
    assert "a.stratum.yml" not in found
    assert "b.stratum.yaml" in found
