"""Comments are found where YAML has them, and nowhere else."""

from __future__ import annotations

import pytest

from stratumc.read.yaml_reader import read_yaml
from stratumc.text import Document


def comments(text: str) -> list[tuple[str, bool]]:
    """The comments of a text, each `# ` in it made a note to us."""
    text = text.replace("# ", "# stratumc: ")
    result = read_yaml(Document("x.yaml", text))
    assert not result.findings
    assert all(text[comment.start : comment.end] == comment.text for comment in result.comments)
    return [(comment.text.replace("stratumc: ", ""), comment.alone) for comment in result.comments]


def test_only_comments_to_us_are_collected() -> None:
    result = read_yaml(Document("x.yaml", "# one\na: 1 # stratumc: two\n"))
    assert [comment.text for comment in result.comments] == ["# stratumc: two"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# one\na: 1 # two\n  # three\n", [("# one", True), ("# two", False), ("# three", True)]),
        ("a: 'x # no'\nb: \"y # no\" # yes\n", [("# yes", False)]),
        ("a: x#no\nb: http://x/#no\n", []),
        ("a: |  # yes\n  # no\n# yes too\n", [("# yes", False), ("# yes too", True)]),
        ("a: >-\n  b\n  # no\nc: 1\n", []),
        ("a: 'b\n  # no\n  c'\n", []),
        ("a: [1, # yes\n  2]\n", [("# yes", False)]),
        ("a: b # one # of two\n", [("# one # of two", False)]),
        ("a: b\r\n# yes\r\n", [("# yes", True)]),
        ("--- # yes\na: 1\n", [("# yes", False)]),
        ("'a # no': b\n", []),
        ("a:\t# yes\n  b\n", [("# yes", False)]),
    ],
)
def test_comments(text: str, found: list[tuple[str, bool]]) -> None:
    assert comments(text) == found
