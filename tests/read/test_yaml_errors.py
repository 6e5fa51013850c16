"""Broken YAML: the same words, at the same place, from both parsers."""

from __future__ import annotations

import pytest

from stratumc.diagnostics import Source, concretize
from stratumc.read.yaml_reader import read_yaml
from stratumc.text import Document

CASES = [
    ("a: b: c", (1, 5), "a second `: ` on one line", "put quotes around the value"),
    (
        "a: b\n c: d",
        (2, 3),
        "`c` is indented as if it went on with the value of the line above",
        "align it with the key that it belongs beside",
    ),
    ("a b\nc: d", (2, 2), "the line before has no `: `: `a b`", "give it a `: `"),
    ("key:value\nb: c", (2, 2), "the line before has no `: `: `key:value`", "put a space after its `:`"),
    ("--- a: b", (1, 6), "a mapping can't begin on the line of `---`", "begin it on the next line"),
    (
        "a: - b",
        (1, 4),
        "a list can't begin on the line of its key",
        "put the `- ` on the next line, or quotes around the text",
    ),
    ("a: 'x", (1, 4), "the quote `'` is never closed", "close it with `'`"),
    ('a: "x\nb: c\n', (1, 4), 'the quote `"` is never closed', 'close it with `"`'),
    ("a: '\n---\n'", (1, 4), "the quote `'` is never closed", "close it with `'`"),
    ('a: "\\q"', (1, 5), "`\\q` is not an escape", "write `\\\\` for a backslash"),
    ('a: "\\x4"', (1, 5), "`\\x` needs 2 hexadecimal digits after it", None),
    ('a: "\\ud800"', (1, 5), "this escape is not a character", "write the character itself"),
    ('a: "\\U00110000"', (1, 5), "this escape is not a character", "write the character itself"),
    ("a:\n  b\nfoo\nc: d", (3, 1), "there is no `: ` in `foo`", "write `key: value`"),
    (
        "a: *.py",
        (1, 4),
        "`*` begins an alias, whose name can't be read",
        "put quotes around a text that begins with `*`",
    ),
    (
        "a: & x",
        (1, 4),
        "`&` begins an anchor, whose name can't be read",
        "put quotes around a text that begins with `&`",
    ),
    ("a: !<x", (1, 4), "this tag can't be read", "put quotes around a text that begins with `!`"),
    ("a: |x\n  y", (1, 5), "text isn't allowed on the line of `|`", "begin the text on the next line"),
    ("a:\n\tb: c", (2, 1), "a tab is used where only spaces may indent", "indent with spaces"),
    ("a: b\n\tc: d", (2, 1), "a tab is used where only spaces may indent", "indent with spaces"),
    ("a: [1, 2", (1, 4), "`[` is never closed", "close it with `]`"),
    ("a: {b: 1\n", (1, 4), "`{` is never closed", "close it with `}`"),
    ("a: {b: 1]", (1, 9), "`]` can't close `{`", "close it with `}`"),
    ("a: [b, c\nd: e\n", (2, 2), "`,` or `]` is missing before `:`", None),
    (
        "{v: string[]}",
        (1, 11),
        "`,` or `}` is missing before `[`",
        "put quotes around a text that holds `[`",
    ),
    (
        "{from: ${k.output}}",
        (1, 9),
        "`,` or `}` is missing before `{`",
        "put quotes around a text that holds `{`",
    ),
    ("a: 1\n...\nb: 2\n", (3, 1), "`b:` comes after `...`, the end of the document", "remove the `...`"),
    ("a: [- b]", (1, 5), "expected a value here, not `-`", None),
    (
        " a: 1\nb: 2",
        (2, 1),
        "the indentation of `b:` fits no line above",
        "align it with the line that it belongs beside",
    ),
    ("{a: 1}}", (1, 7), "`}` closes nothing", "remove it"),
    ("a: 'x' y", (1, 8), "`y` comes after a finished value", "put quotes around the whole value"),
    ("a: 1\n- b", (2, 1), "a list item is where a key should be", "indent it as the items above"),
    ("a: 1\n: b", (2, 1), "there is no key before this `:`", "give it a key, or quotes around the text"),
    ("a: @b", (1, 4), "plain text can't begin with `@`", "put quotes around the text"),
    ("a: `b`", (1, 4), "plain text can't begin with a backtick", "put quotes around the text"),
    ("a: %b", (1, 4), "plain text can't begin with `%`", "put quotes around the text"),
    ("%YAML 2.0\n---\na", (1, 1), "a line that begins with `%` can't be read", "remove it"),
    ("x" * 1100 + ": 1", (1, 1101), "a key has more than 1,024 characters", "shorten it"),
]


@pytest.mark.parametrize("pure", [None, True], ids=["libyaml", "pure"])
@pytest.mark.parametrize(
    ("text", "place", "message", "suggestion"), CASES, ids=[case[0][:20] for case in CASES]
)
def test_fault(
    text: str, place: tuple[int, int], message: str, suggestion: str | None, pure: bool | None
) -> None:
    document = Document("x.yaml", text)
    result = read_yaml(document, pure=pure)
    [fault] = concretize(result.findings, [Source(document, result.root)])
    assert fault.code == "YAML_INVALID"
    assert (fault.span.line, fault.span.column) == place
    assert (fault.message, fault.suggestion) == (message, suggestion)


def test_a_bracket_that_is_closed_wrongly_shows_where_it_was_opened() -> None:
    document = Document("x.yaml", "a:\n  [b,\n   c}")
    [fault] = concretize(read_yaml(document).findings, [Source(document, None)])
    assert [(place.message, place.span.line, place.span.column) for place in fault.related] == [
        ("opened here", 2, 3)
    ]
