"""Differences of either kind as text, JSON and Markdown; kinds and faulty inputs."""

from __future__ import annotations

import json
import re

import pytest

import stratumc
from stratumc.driver.review import BrokenInputError
from stratumc.review.comparison.diff_text import diff_json, diff_markdown, diff_text
from support.diffs import REVIEWED, diff, flow_of
from support.pictures import NASTY, workflow_of


def test_kinds_are_not_mixed_and_faults_are_told() -> None:
    with pytest.raises(ValueError, match="a spec and a workflow"):
        diff(REVIEWED, flow_of(a={}))
    with pytest.raises(BrokenInputError, match=r"`new` breaks rules.*<new>:1:\d+: "):
        diff(REVIEWED, {**REVIEWED, "more": 1})


def test_text_json_and_markdown_keep_any_name() -> None:
    names = list(NASTY)
    found = stratumc.diff(workflow_of(names[1:]), workflow_of(names))
    text = diff_text(found)
    assert all(line.isprintable() or "\u200d" in line for line in text.splitlines())
    assert json.loads(diff_json(found))["changes"][0]["change"] in ("added", "changed")
    page = diff_markdown(found)
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len(rows) == len(found.changes) + 2
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    outside = re.sub(r"(`+).*?\1", "", page)
    assert "<script>" not in outside
    assert "<b>" not in outside
