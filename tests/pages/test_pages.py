"""Every page of a code is true: its example reports that code, and the output shown is the output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stratumc.diagnostics.catalog import CATALOG
from support.golden import Golden
from support.page import FENCE, HEADINGS, Page
from support.repository import GOLDEN_CHECKS, PAGES

EXAMPLES_RUN_AT_LEAST = 100


@pytest.mark.parametrize("code", CATALOG)
def test_the_example_reports_its_code_and_shows_the_output(code: str, tmp_path: Path, golden: Golden) -> None:
    page = Page(code)
    output = page.run(tmp_path)
    assert f"[{code}]" in output, output
    golden.check(page.path, page.with_shown(output))


@pytest.mark.parametrize("code", CATALOG)
def test_a_page_has_its_parts(code: str) -> None:
    text = Page(code).text
    assert text.startswith(f"# {code}\n\n")
    positions = [text.index(f"\n{heading}\n") for heading in HEADINGS]
    assert positions == sorted(positions)
    for part in re.split(r"^#.*$", text, flags=re.M)[1:]:
        assert part.strip(), "an empty section"


def test_codes_pages_and_golden_folders_are_the_same_sets() -> None:
    codes = set(CATALOG)
    assert {path.stem for path in PAGES.glob("*.md")} == codes
    assert {path.name for path in GOLDEN_CHECKS.iterdir()} == codes


def test_enough_examples_are_run() -> None:
    """A broken collector must not look like a clean suite."""
    blocks = [block for code in CATALOG for block in FENCE.findall(Page(code).text)]
    assert len(blocks) >= 2 * EXAMPLES_RUN_AT_LEAST
    assert len(CATALOG) >= EXAMPLES_RUN_AT_LEAST
