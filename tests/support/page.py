"""Reads the page of a code: its sections, its example files, and the output that it shows."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.command import stratumc
from support.repository import PAGES

FENCE = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.M | re.S)
HEADINGS = ("## Why it matters", "## Example", "## How to mend it")
ENDINGS = {"yaml": "stratum.yaml", "json": "stratum.json"}


@dataclass(frozen=True)
class Block:
    """A fenced block: language, the file name that may follow it, and its text with where it stands."""

    language: str
    file: str | None
    body: str
    start: int
    end: int


class Page:
    """`checks/pages/CODE.md`, in the format that CONTRIBUTING.md describes."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.path = PAGES / f"{code}.md"
        self.text = self.path.read_text("utf-8")

    @property
    def example(self) -> list[Block]:
        """The blocks of the section Example, in order."""
        start = self.text.index("## Example")
        end = self.text.index("## How to mend it")
        return [
            Block(found["language"], found["file"], found["body"], found.start("body"), found.end("body"))
            for found in FENCE.finditer(self.text, start, end)
        ]

    @property
    def shown(self) -> Block:
        """The block with the output."""
        (block,) = (block for block in self.example if block.language == "text")
        return block

    def lay_out(self, folder: Path) -> str:
        """Writes the example's files into a folder, and says what to check there."""
        files = [block for block in self.example if block.language != "text"]
        assert files, f"{self.path.name} has no example"
        for block in files:
            if block.language == "sh":
                subprocess.run(["sh", "-e", "-c", block.body], cwd=folder, check=True)
                continue
            target = folder / self.file_of(block)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(block.body.encode("utf-8"))
        first = files[0]
        return "." if first.language == "sh" else self.file_of(first)

    def file_of(self, block: Block) -> str:
        """The name that a block's file has: as written, else by its language and content."""
        if block.file is not None:
            return block.file
        if block.language == "json" and ('"states"' in block.body or '"initial_state"' in block.body):
            return "workflow.json"
        return f"{self.code}.{ENDINGS[block.language]}"

    def run(self, folder: Path) -> str:
        """The output of `stratumc check --format text` for the example."""
        target = self.lay_out(folder)
        return stratumc("check", "--format", "text", "--no-cache", "--jobs", "1", target, cwd=folder).out

    def with_shown(self, output: str) -> str:
        """The page's text with another output block."""
        return self.text[: self.shown.start] + output + self.text[self.shown.end :]
