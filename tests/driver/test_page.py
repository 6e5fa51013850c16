"""What a review collects: several inputs, folders, broken files, and the versions they are compared with."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from stratumc.driver.against import old_versions
from stratumc.driver.page import review_of
from stratumc.emit.review import review_page
from stratumc.emit.review_parts import Review
from support.pictures import DEAD_ENDS, FINDINGS

GROWN = FINDINGS.replace(
    "      - id: never", "      - {id: extra, after: [build], do: More}\n      - id: never"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "workflow.json").write_text(DEAD_ENDS, "utf-8")
    return tmp_path


@pytest.fixture
def repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "a")
        monkeypatch.setenv(f"{name}_EMAIL", "a@example.org")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        subprocess.run(("git", *arguments), check=True)
    (folder / "a.stratum.yaml").write_text(GROWN, "utf-8")
    (folder / "new.stratum.yaml").write_text(FINDINGS, "utf-8")
    return folder


def compared(review: Review) -> list[tuple[str, int | str | None] | None]:
    """Per input what it is compared with, and how many changes there are or why there are none."""
    return [
        None
        if one.comparison is None
        else (
            one.comparison.old,
            one.comparison.said if one.comparison.diff is None else len(one.comparison.diff["changes"]),
        )
        for one in review.inputs
    ]


INPUTS = ("a.stratum.yaml", "board", "new.stratum.yaml")
ALL_NEW = "There is no earlier version of it: all of it is new."


@pytest.mark.parametrize("against", ["main", "main:", "HEAD~0"])
def test_a_revision_stands_for_every_file(repository: Path, against: str) -> None:
    revision = against.rstrip(":")
    assert compared(review_of(INPUTS, against)) == [
        (f"{revision}:a.stratum.yaml", 1),
        (f"{revision}:board", 0),
        (f"{revision}:new.stratum.yaml", ALL_NEW),
    ]


def test_files_are_those_of_the_working_directory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "board")
    review = review_of(("../a.stratum.yaml", "workflow.json", str(repository / "a.stratum.yaml")), "main")
    assert compared(review) == [
        ("main:../a.stratum.yaml", 1),
        ("main:workflow.json", 0),
        (f"main:{repository / 'a.stratum.yaml'}", 1),
    ]


def test_what_is_at_a_revision_itself(repository: Path) -> None:
    assert compared(review_of(("HEAD:a.stratum.yaml",), "main")) == [("main:a.stratum.yaml", 0)]


def test_one_version_is_that_of_its_name(repository: Path) -> None:
    inputs = ("new.stratum.yaml", "a.stratum.yaml", "board")
    assert compared(review_of(inputs, "main:a.stratum.yaml")) == [None, ("main:a.stratum.yaml", 1), None]
    assert compared(review_of(inputs, "a.stratum.yaml")) == [None, ("a.stratum.yaml", 0), None]


def test_one_version_of_another_name_is_that_of_the_first(repository: Path) -> None:
    (repository / "old.yaml").write_text(FINDINGS, "utf-8")
    assert compared(review_of(("a.stratum.yaml", "board"), "old.yaml")) == [("old.yaml", 1), None]


def test_a_folder_holds_the_versions(repository: Path) -> None:
    for path, text in (("a.stratum.yaml", FINDINGS), ("board/workflow.json", DEAD_ENDS)):
        (repository / "old" / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / "old" / path).write_text(text, "utf-8")
    assert compared(review_of(INPUTS, "old")) == [("old/a.stratum.yaml", 1), ("old/board", 0), None]
    assert compared(review_of(("board",), "old/board")) == [("old/board", 0)]


@pytest.mark.parametrize(
    ("against", "said"),
    [
        ("nowhere", "git knows no revision `nowhere`"),
        ("main:none.yaml", "has no such file"),
        ("main:", None),
    ],
)
def test_what_is_not_there_is_said(repository: Path, against: str, said: str | None) -> None:
    if said is None:
        review_of(("a.stratum.yaml",), against)
        return
    with pytest.raises(FileNotFoundError, match=said):
        review_of(("a.stratum.yaml",), against)


def test_a_file_of_the_other_kind_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="can't be compared"):
        review_of(("a.stratum.yaml",), "board")


def test_broken_versions_leave_the_page(repository: Path) -> None:
    (repository / "a.stratum.yaml").write_text("version: 2\n", "utf-8")
    (broken, board) = review_of(("a.stratum.yaml", "board"), "main").inputs
    assert broken.is_broken
    assert broken.rows == ()
    assert broken.comparison is not None
    assert "`a.stratum.yaml` breaks rules" in (broken.comparison.said or "")
    assert board.comparison is not None
    assert board.comparison.said is None


def test_a_kind_that_changed_is_said_on_the_page(repository: Path) -> None:
    (repository / "a.stratum.yaml").unlink()
    (repository / "a.stratum.yaml").write_text(DEAD_ENDS, "utf-8")
    (one,) = review_of(("a.stratum.yaml",), "main").inputs
    assert one.comparison is not None
    assert one.comparison.diff is None
    assert one.comparison.said


def test_a_folder_stands_for_what_is_in_it(folder: Path) -> None:
    (folder / "empty").mkdir()
    review = review_of((".", "a.stratum.yaml"), None)
    assert [one.name for one in review.inputs] == ["a.stratum.yaml", "board/workflow.json"]
    with pytest.raises(FileNotFoundError, match="holds neither a spec nor a workflow"):
        review_of(("empty",), None)


def test_many_inputs_are_counted_in_the_title(folder: Path) -> None:
    for number in range(6):
        (folder / f"{number}.stratum.yaml").write_text(FINDINGS, "utf-8")
    title = "0.stratum.yaml, 1.stratum.yaml, 2.stratum.yaml, 3.stratum.yaml, 4.stratum.yaml and 3 more"
    assert review_of((".",), None).title == title


def test_a_missing_file_is_named(folder: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        review_of(("a.stratum.yaml", "none.yaml"), None)
    assert raised.value.filename == "none.yaml"


def test_files_that_can_not_be_read_at_all(folder: Path) -> None:
    texts = {
        "empty.stratum.yaml": b"",
        "bytes.stratum.yaml": b"\xff\xfe\x00",
        "half.stratum.yaml": b"version: [",
    }
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    review = review_of((*texts, "a.stratum.yaml"), None)
    assert [one.is_broken for one in review.inputs] == [True, True, True, False]
    assert {found.span.file for found in review.diagnostics} >= set(texts)
    assert [picture.title for picture in review.pictures] == ["release"]
    assert "<script>" in review_page(review)


def test_a_broken_workflow_is_drawn_with_what_is_wrong_in_it(folder: Path) -> None:
    document = json.loads(DEAD_ENDS)
    document["states"]["work"]["transitions"][0]["target"] = "nowhere"
    (folder / "board" / "workflow.json").write_text(json.dumps(document), "utf-8")
    (picture,) = review_of(("board",), None).pictures
    assert picture.names == ("idle", "work", "closed", "lost")
    assert [len(found) > 0 for found in picture.findings] == [False, True, False, False]
    assert (picture.places, picture.edges) == ((), ())


def test_subflows_of_one_name_are_not_the_steps_of_the_flow(folder: Path) -> None:
    flows = {
        "entry": "main",
        "main": {
            "input": {},
            "output": {"from": "${draft.output}", "contract": "Note"},
            "steps": [
                {"id": "draft", "do": "x", "out": "Note"},
                {"id": "sub", "run": "part", "with": {}},
            ],
        },
        "part": {
            "input": {},
            "output": {"from": "${draft.output}", "contract": "Note"},
            "steps": [{"id": "draft", "do": "x", "out": "Note"}],
        },
    }
    text = json.dumps({"version": 1, "contracts": {"Note": {"t": "string"}}, "flows": flows})
    (folder / "s.stratum.json").write_text(text, "utf-8")
    picture = review_of(("s.stratum.json",), None).pictures[0]
    assert picture.names == ("draft", "sub")
    assert [(node.number, node.flow) for node in picture.drawings[0].nodes] == [
        (0, None),
        (1, None),
        (0, "part"),
    ]
    assert picture.calls == (None, "part")


def test_every_input_is_asked_for_where_it_stands() -> None:
    versions = old_versions("v1", ("x/../a.yaml", "/abs/a.yaml", "main:dir/a.yaml", "../up.yaml"))
    assert [one and one.argument for one in versions] == [
        "v1:./a.yaml",
        "v1:/abs/a.yaml",
        "v1:dir/a.yaml",
        "v1:../up.yaml",
    ]
