"""Bytes to text, and the place of what is none."""

from __future__ import annotations

import pytest

from stratumc.diagnostics import Diagnostic, Source, concretize
from stratumc.read import decode, read_yaml
from stratumc.read.limits import MAX_BYTES


def faults(data: bytes | str) -> tuple[Diagnostic, ...]:
    document, findings = decode(data, "x.yaml")
    return concretize(findings, [Source(document, None)])


def test_utf_8_is_read_whatever_the_locale() -> None:
    document, findings = decode("a: é😀".encode(), "x.yaml")
    assert (document.text, findings) == ("a: é😀", ())


def test_the_byte_order_mark_is_dropped_and_columns_begin_behind_it() -> None:
    document, findings = decode(b"\xef\xbb\xbfa: 1\na: 2", "x.yaml")
    assert not findings
    [diagnostic] = concretize(read_yaml(document).findings, [Source(document, None)])
    assert (diagnostic.span.line, diagnostic.span.column) == (2, 1)
    assert document.text.startswith("a: 1")


def test_a_str_may_begin_with_a_byte_order_mark_too() -> None:
    assert decode("\ufeffa: 1", "x")[0].text == "a: 1"


def test_invalid_utf_8_has_offset_line_and_column() -> None:
    [fault] = faults(b"\xef\xbb\xbfa: 1\nb: \xc3\xa9\xff\n")
    assert fault.code == "ENCODING_INVALID"
    assert fault.message == "byte 0xff at offset 13 is not UTF-8"
    assert (fault.span.line, fault.span.column) == (2, 5)


def test_a_character_cut_off_at_the_end_is_invalid() -> None:
    [fault] = faults(b"a: \xc3")
    assert (fault.code, fault.span.line, fault.span.column) == ("ENCODING_INVALID", 1, 4)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_other_encodings_are_recognised(encoding: str) -> None:
    [fault] = faults("version: 1\n".encode(encoding))
    assert fault.code == "ENCODING_INVALID"
    assert "UTF-" in fault.message
    assert fault.suggestion == "save it as UTF-8"


def test_a_file_at_the_limit_is_read_and_one_byte_more_is_not() -> None:
    assert not faults(b"#" * MAX_BYTES)
    [fault] = faults(b"#" * (MAX_BYTES + 1))
    assert (fault.code, fault.message) == (
        "LIMIT_EXCEEDED",
        "the file is larger than 16,777,216 bytes, the most that is read",
    )


@pytest.mark.parametrize("character", ["\0", "\x07", "\x7f", "\x9f", "\ufffe", "\ud800"])
def test_characters_that_yaml_may_not_hold(character: str) -> None:
    document, findings = decode(f"a: 1\nb: é{character}", "x.yaml")
    assert not findings
    [fault] = concretize(read_yaml(document).findings, [Source(document, None)])
    assert (fault.code, fault.span.line, fault.span.column) == ("ENCODING_INVALID", 2, 5)
