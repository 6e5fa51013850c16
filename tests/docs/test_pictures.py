"""The pictures of the documentation are those of the examples; sizes aside, which depend on fonts."""

from __future__ import annotations

from pathlib import Path

import pytest

import stratumc
from support.golden import Golden
from support.pictures import without_measures
from support.repository import EXAMPLES, ROOT

PICTURES = ROOT / "docs" / "pictures"
SOURCES = {
    "build-lifecycle": EXAMPLES / "build-lifecycle" / "workflow.json",
    "quarterly-report": EXAMPLES / "quarterly-report.stratum.yaml",
    "release": EXAMPLES / "release.stratum.yaml",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_picture_is_current(name: str, golden: Golden) -> None:
    drawn = stratumc.diagram(SOURCES[name], format="svg")
    assert isinstance(drawn, bytes)
    kept = PICTURES / f"{name}.svg"
    if kept.exists() and without_measures(kept.read_bytes()) == without_measures(drawn):
        return
    golden.check(kept, drawn)


def test_every_picture_is_shown() -> None:
    page = (ROOT / "docs" / "design-review.md").read_text("utf-8")
    assert sorted(path.stem for path in PICTURES.iterdir()) == sorted(SOURCES)
    assert all(f"pictures/{name}.svg" in page for name in SOURCES)


def test_the_mermaid_text_is_that_of_its_example() -> None:
    page = (ROOT / "docs" / "design-review.md").read_text("utf-8")
    drawn = stratumc.diagram(EXAMPLES / "planning-board" / "workflow.json")
    assert isinstance(drawn, str)
    assert f"```mermaid\n{drawn}```\n" in page


def test_blanking_measures_keeps_words_and_colours(tmp_path: Path) -> None:
    drawn = stratumc.diagram(SOURCES["release"], format="svg")
    assert isinstance(drawn, bytes)
    assert without_measures(drawn.replace(b"quality", b"quantity")) != without_measures(drawn)
    assert without_measures(drawn.replace(b"#7c3aed", b"#000000")) != without_measures(drawn)
