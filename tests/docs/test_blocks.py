"""Every block of code in the README and the documentation is run, or says why it is not."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import stratumc
from support.repository import EXAMPLES, ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    EXAMPLES / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>.+?) -->\n)?"
    r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<body>.*?)^```$",
    re.M | re.S,
)
RUN_AT_LEAST = 4


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    file: str | None
    reason: str | None
    body: str


def blocks_of(page: Path) -> list[Block]:
    return [
        Block(found["language"], found["file"], found["reason"], found["body"])
        for found in BLOCK.finditer(page.read_text("utf-8"))
    ]


def test_every_fence_is_a_block_that_was_read() -> None:
    """A block whose heading is spelt otherwise must not be passed over."""
    for page in PAGES:
        fences = re.findall(r"^```", page.read_text("utf-8"), re.M)
        assert len(fences) == 2 * len(blocks_of(page)), page.name


def run_console(body: str, folder: Path) -> None:
    """Runs each `$ stratumc …` and compares the lines below it with the beginning of the output."""
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        words = shlex.split(line, comments=True)
        assert words[0] == "stratumc", f"only stratumc is run here: {line}"
        outcome = stratumc(*words[1:], cwd=folder)
        assert outcome.out.startswith(shown), outcome.out + outcome.err
        assert outcome.status in (0, 1), outcome.err


def run_page(page: Path, folder: Path) -> int:
    """Runs the blocks of a page in order, in one folder; says how many there were."""
    shutil.copytree(EXAMPLES, folder / "examples")
    count = 0
    for block in blocks_of(page):
        if block.reason is not None:
            continue
        if block.file is not None:
            (folder / block.file).write_text(block.body, "utf-8")
            count += 1
        elif block.language == "console":
            run_console(block.body, folder)
            count += 1
        elif block.language == "python":
            exec(compile(block.body, str(page), "exec"), {"__name__": "documentation"})
            count += 1
        else:
            assert block.language in ("text", "mermaid"), (
                f"{page.name}: a block of {block.language} is neither run nor marked"
            )
    return count


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(page, tmp_path)


def test_enough_blocks_are_run() -> None:
    """A broken collector must not look like documentation that holds."""
    run = [block for page in PAGES for block in blocks_of(page) if block.reason is None]
    assert (
        len([block for block in run if block.file or block.language in ("console", "python")]) >= RUN_AT_LEAST
    )


def test_the_settings_shown_are_settings(tmp_path: Path) -> None:
    from stratumc.driver.settings_file import read_settings

    (shown,) = (block for block in blocks_of(ROOT / "docs" / "check.md") if block.file == "stratumc.toml")
    settings = read_settings(str(tmp_path / "stratumc.toml"), shown.body.encode("utf-8"))
    assert settings is not None
    assert settings.per_file_ignores[0].pattern == "legacy/*.stratum.yaml"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
