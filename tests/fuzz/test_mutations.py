"""Whatever a file holds, a check gives diagnostics: no exception, no place outside, nothing unwritable.

A short run belongs to the suite; `HYPOTHESIS_PROFILE=long pytest tests/fuzz` is the job of 10,000 mutations.
"""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings

import stratumc
from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.github import render_github
from stratumc.diagnostics.json import render_json
from stratumc.diagnostics.junit import render_junit
from stratumc.diagnostics.sarif import render_sarif
from stratumc.diagnostics.text import render_text
from stratumc.read import decode, read_document
from stratumc.text import Document
from support.mutations import TEXTS, damaged_documents, damaged_files

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
OF_BYTES, OF_STRUCTURE, OF_PROOFS = (5_000, 5_000, 300) if IS_LONG else (150, 150, 12)


def assert_only_diagnostics(name: str, data: bytes, *families: str) -> None:
    """Checks the data and everything that is made of the result."""
    result = stratumc.check(data, name=name, families=families)
    documents = {name: decode(data, name)[0]}
    for diagnostic in result.diagnostics:
        assert diagnostic.code in CATALOG
        assert diagnostic.message
        assert diagnostic.message.isprintable()
        for span in (diagnostic.span, *(place.span for place in diagnostic.related)):
            assert_in_text(span, documents[name])
    json.dumps([diagnostic.to_dict() for diagnostic in result.diagnostics], allow_nan=False)
    for text in (
        render_text(result.diagnostics, documents),
        render_json(result.diagnostics),
        render_github(result.diagnostics),
        render_junit(result.diagnostics, [name]),
        render_sarif(result.diagnostics, version=stratumc.__version__),
    ):
        text.encode("utf-8")


def assert_in_text(span: stratumc.Span, document: Document) -> None:
    """A place has lines and columns that the text has."""
    assert 1 <= span.line <= span.end_line <= len(document.line_starts), span
    assert (span.line, span.column) <= (span.end_line, span.end_column), span
    assert 1 <= span.column <= len(document.line(span.line)) + 1 or not document.text, span


def test_there_is_something_to_damage() -> None:
    assert len(TEXTS) >= 20


@settings(max_examples=OF_BYTES)
@given(damaged_files())
def test_damaged_bytes_give_diagnostics(file: tuple[str, bytes]) -> None:
    assert_only_diagnostics(*file, "rule", "type")


@settings(max_examples=OF_STRUCTURE)
@given(damaged_documents())
def test_damaged_documents_give_diagnostics(file: tuple[str, bytes]) -> None:
    assert_only_diagnostics(*file, "rule", "type")


@settings(max_examples=OF_PROOFS)
@given(damaged_documents())
def test_damaged_documents_give_diagnostics_of_proofs(file: tuple[str, bytes]) -> None:
    assert_only_diagnostics(*file, "rule", "type", "proof")


@settings(max_examples=OF_BYTES)
@given(damaged_files())
def test_reading_damaged_bytes_again_gives_the_same(file: tuple[str, bytes]) -> None:
    name, data = file
    document, findings = decode(data, name)
    if not findings:
        assert read_document(document) == read_document(document)


@pytest.mark.parametrize("name", ["x.stratum.yaml", "x.stratum.json", "workflow.json", "<text>"])
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xef\xbb\xbf", b"\0", b"[", b"null", b"[]", b"{}", b"1", b'""', b"---\n"]
)
def test_tiny_inputs_give_diagnostics(name: str, data: bytes) -> None:
    assert_only_diagnostics(name, data, "rule", "type")
    result = stratumc.check(data, name=name)
    assert not result.ok or [found.code for found in result.diagnostics] == ["NOT_OURS"]
