"""Which reader gets a text."""

from __future__ import annotations

import pytest

from stratumc.read import read_document
from stratumc.text import Document
from support.trees import plain


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("x.json", '{"a": 1}', []),
        ("x.JSON", "a: 1", ["JSON_INVALID"]),
        ("x.json", "{a: 1}", ["JSON_INVALID"]),
        ("x.yaml", '{"a": 1}', []),
        ("x.yaml", "{a: 1}", []),
        ("x.yaml", '{"a": 1,}', []),
        ("x.yml", '{"a": 1 "b": 2}', ["YAML_INVALID"]),
        ("<text>", '{"a": 1 "b": 2}', ["JSON_INVALID"]),
        ("<text>", "{a: 1", ["YAML_INVALID"]),
        ("<text>", ' \n{\t"a": 1}', []),
        ("<text>", "a: 1", []),
        ("<text>", "{ # comment\n a: string?}", []),
    ],
)
def test_the_syntax_is_told_from_name_and_text(name: str, text: str, codes: list[str]) -> None:
    result = read_document(Document(name, text))
    assert [finding.code for finding in result.findings] == codes


def test_the_syntax_can_be_given() -> None:
    assert read_document(Document("x", "{a: 1}"), syntax="json").root is None
    assert plain(read_document(Document("x.json", "{a: 1}"), syntax="yaml").root) == {"a": 1}


def test_findings_name_their_source() -> None:
    for text in ("{", "a: b: c", "a: &x [*x]", "", "\0"):
        assert all(
            finding.at.source == 3 for finding in read_document(Document("x", text), source=3).findings
        )
