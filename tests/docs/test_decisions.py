"""The list of decision records is complete, in order, and has the titles of the records."""

from __future__ import annotations

import re

from support.repository import ROOT

FOLDER = ROOT / "docs" / "adr"


def test_the_list_of_decisions_is_that_of_the_folder() -> None:
    expected = []
    for record in sorted(FOLDER.glob("[0-9]*.md")):
        title = record.read_text("utf-8").split("\n", 1)[0].removeprefix("# ")
        assert title.startswith(f"{int(record.name[:4])}. "), f"{record.name} has the title {title!r}"
        expected.append((title, record.name))
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", (FOLDER / "README.md").read_text("utf-8"), re.M)
    assert listed == expected
