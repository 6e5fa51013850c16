"""Bytes to text: UTF-8 whatever the locale, and a place for every byte that is none."""

from __future__ import annotations

import codecs

from stratumc.diagnostics.finding import Finding
from stratumc.read.limits import MAX_BYTES
from stratumc.text import Document, Location

_BYTE_ORDER_MARK = "\ufeff"
_FOREIGN_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def decode(data: bytes | str, name: str, source: int = 0) -> tuple[Document, tuple[Finding, ...]]:
    """The text of an input, without its byte-order mark, and what keeps it from being read.

    With findings (LIMIT_EXCEEDED, ENCODING_INVALID) the document is there to show their places only:
    undecodable bytes stand as U+FFFD in it, and nothing should be read from it.
    """
    if len(data) > MAX_BYTES:
        return Document(name, ""), (_too_large(source),)
    if isinstance(data, str):
        return Document(name, data.removeprefix(_BYTE_ORDER_MARK)), ()
    foreign = _foreign_encoding(data)
    if foreign is not None:
        at = Location(source=source, range=(0, 0))
        fault = Finding("ENCODING_INVALID", at, f"the file is {foreign} text", suggestion="save it as UTF-8")
        return Document(name, ""), (fault,)
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Document(name, body.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        return _undecodable(body, len(data) - len(body), error, name, source)


def _foreign_encoding(data: bytes) -> str | None:
    """The encoding that the first bytes show, when it isn't UTF-8."""
    for mark, encoding in _FOREIGN_MARKS:
        if data.startswith(mark):
            return encoding
    if len(data) >= 2 and (data[0] == 0) != (data[1] == 0):
        return "UTF-16"
    return None


def _undecodable(
    body: bytes, dropped: int, error: UnicodeDecodeError, name: str, source: int
) -> tuple[Document, tuple[Finding, ...]]:
    """The fault of the first byte that isn't UTF-8; `dropped` bytes stood before `body`."""
    start = len(body[: error.start].decode("utf-8"))
    message = f"byte 0x{body[error.start]:02x} at offset {error.start + dropped} is not UTF-8"
    at = Location(source=source, range=(start, start + 1))
    fault = Finding("ENCODING_INVALID", at, message, suggestion="save the file as UTF-8")
    return Document(name, body.decode("utf-8", "replace")), (fault,)


def _too_large(source: int) -> Finding:
    message = f"the file is larger than {MAX_BYTES:,} bytes, the most that is read"
    return Finding("LIMIT_EXCEEDED", Location(source=source, range=(0, 0)), message)
