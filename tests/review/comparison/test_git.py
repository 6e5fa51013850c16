"""`REV:path`: files, folders, fragments, from any folder; and what git refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from support.command import Outcome, stratumc
from support.documents import document, gate, task
from support.review_page import page_data


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(("git", *identity, *arguments), cwd=folder, check=True, capture_output=True)


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    write(tmp_path / "flows" / "a b.stratum.json", document(task("last")))
    write(
        tmp_path / "board" / "workflow.json",
        {"name": "w", "initial_state": "a", "states": {"a": {"description": "A"}}},
    )
    more = {
        "name": "m",
        "states": {"b": {"description": "B"}, "a": {"transitions": [{"event": "x", "target": "b"}]}},
    }
    write(tmp_path / "board" / "workflow.d" / "m.json", more)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    write(tmp_path / "flows" / "a b.stratum.json", document(gate("check"), task("last", after=["check"])))
    (tmp_path / "board" / "workflow.d" / "m.json").unlink()
    return tmp_path


def same(outcome: Outcome) -> bool:
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out.endswith("mean the same\n")


def test_a_spec_from_every_folder(repository: Path) -> None:
    name = "a b.stratum.json"
    for cwd, old, new in (
        (repository, f"HEAD:flows/{name}", f"flows/{name}"),
        (repository / "flows", f"HEAD:{name}", name),
        (repository / "flows", f"HEAD:./{name}", name),
        (repository / "flows", f"HEAD:flows/{name}", name),
        (repository / "board", f"HEAD:../flows/{name}", f"../flows/{name}"),
        (repository, f"HEAD:{repository}/flows/{name}", f"flows/{name}"),
    ):
        outcome = stratumc("diff", old, new, cwd=cwd)
        assert (outcome.status, outcome.err) == (0, "")
        assert "+ step `main.check`" in outcome.out
    assert same(stratumc("diff", f"HEAD:flows/{name}", f"HEAD:flows/{name}", cwd=repository))


def test_a_workflow_takes_its_fragments_along(repository: Path) -> None:
    for old in ("HEAD:board/workflow.json", "HEAD:board"):
        outcome = stratumc("diff", old, "board/workflow.json", cwd=repository)
        gone = '- transition `a: x`\n    target: "b"\n- state `b`\n    description: "B"\n'
        assert gone in outcome.out
        assert "! a project in state `b`: the state is gone\n" in outcome.out
    drawn = stratumc("diff", "board/workflow.json", "HEAD:board", "--format", "mermaid", cwd=repository)
    assert "classDef done" in drawn.out


NAMES = ("HEAD:board", "HEAD:board/workflow.json", "HEAD:board/workflow.d", "HEAD:board/workflow.d/m.json")


@pytest.mark.parametrize("folder", ["", "board", "board/workflow.d", "flows"])
@pytest.mark.parametrize("name", NAMES)
def test_fragments_come_along_from_every_folder(repository: Path, folder: str, name: str) -> None:
    cwd = repository / folder
    cwd.mkdir(exist_ok=True)
    assert "- state `b`\n" in stratumc("diff", name, str(repository / "board"), cwd=cwd).out
    found = stratumc("path", name, "a", "b", cwd=cwd)
    assert (found.status, found.out) == (0, "a to b: 1 hop\n  a -> b by x\n")


def test_fragments_come_along_by_paths_from_the_folder(repository: Path) -> None:
    for folder, name in (
        ("board", "HEAD:./workflow.json"),
        ("board", "HEAD:./"),
        ("flows", "HEAD:../board"),
        ("flows", f"HEAD:{repository}/board"),
    ):
        found = stratumc("path", name, "a", "b", cwd=repository / folder)
        assert (found.status, found.out) == (0, "a to b: 1 hop\n  a -> b by x\n")


def test_what_is_at_the_top_is_no_fragment_in_the_folder_of_fragments(repository: Path) -> None:
    write(repository / "workflow.json", {"name": "w", "initial_state": "a", "states": {"a": {}}})
    write(repository / "a.stratum.json", document(task("last")))
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "more")
    cwd = repository / "board" / "workflow.d"
    cwd.mkdir(exist_ok=True)
    for name in ("workflow.json", "a.stratum.json"):
        assert same(stratumc("diff", f"HEAD:{name}", str(repository / name), cwd=cwd))


def test_links_are_followed_as_in_the_file_system(repository: Path) -> None:
    linked = repository / "linked"
    linked.mkdir()
    (linked / "workflow.json").symlink_to("../board/workflow.json")
    (linked / "workflow.d").symlink_to("../board/workflow.d")
    (linked / "away.json").symlink_to("../../away.json")
    git(repository, "checkout", "-q", "board")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "links")
    assert same(stratumc("diff", "HEAD:linked", "../board", cwd=linked))
    assert same(stratumc("diff", "HEAD:linked", "linked", cwd=repository))
    away = stratumc("path", "HEAD:linked/away.json", "a", cwd=repository)
    assert (away.status, away.err) == (
        2,
        "stratumc: `HEAD:linked/away.json`: revision `HEAD` has no such file\n",
    )


def test_a_page_against_a_revision(repository: Path) -> None:
    outcome = stratumc(
        "review", "board/workflow.json", "--against", "HEAD:board", "-o", "p.html", cwd=repository
    )
    assert outcome.status == 0
    (board,) = page_data(repository / "p.html")["inputs"]
    assert board["comparison"]["old"] == "HEAD:board"
    assert board["comparison"]["diff"]["changes"]


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nowhere:board/workflow.json", "`nowhere:board/workflow.json`: git knows no revision `nowhere`"),
        ("HEAD:board/none.json", "revision `head` has no such file"),
        ("HEAD:flows", "it is a folder that holds no workflow"),
        (":board/workflow.json", "it begins with no revision of git"),
        ("none.json", "no such file, and no rev:path of git"),
    ],
)
def test_what_git_refuses(repository: Path, argument: str, said: str) -> None:
    outcome = stratumc("diff", argument, "board/workflow.json", cwd=repository)
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err.lower()
    assert not (repository / "x").exists()


def test_an_option_is_no_revision(repository: Path) -> None:
    outcome = stratumc("diff", "--", "--output=x:board/workflow.json", "board/workflow.json", cwd=repository)
    assert outcome.status == 2
    assert "it begins with no revision of git" in outcome.err
    assert not (repository / "x").exists()


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    outcome = stratumc("diff", "HEAD:a", "HEAD:b", cwd=tmp_path)
    assert outcome.status == 2
    assert "not a git repository" in outcome.err


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    outcome = stratumc("diff", "HEAD:a", "HEAD:b", cwd=repository)
    assert outcome.status == 2
    assert "git is needed" in outcome.err


def test_what_is_no_file_is_told_as_what_it_is(repository: Path) -> None:
    for command in ("diff", "path"):
        outcome = stratumc(command, "flows", "board", cwd=repository)
        assert (outcome.status, outcome.err) == (
            2,
            "stratumc: `flows` can't be read: it is a folder that holds no workflow\n",
        )
