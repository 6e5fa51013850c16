"""libyaml and PyYAML's own parser give one tree (docs/adr/0004)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stratumc.read.json_reader import read_json
from stratumc.read.yaml_reader import read_yaml
from stratumc.text import Document
from support.trees import plain, shape

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path for path in [*ROOT.glob("examples/**/*.y*ml"), *ROOT.glob("golden/**/*.y*ml")] if path.is_file()
)

PIECES = [
    *(
        "a",
        "b",
        "- ",
        "-",
        ": ",
        ":",
        "?",
        "? ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        "\n",
        "\n  ",
        "\n ",
        "\t",
        "#",
        " #",
    ),
    *(
        "'",
        '"',
        "|\n  ",
        ">\n  ",
        "&a ",
        "*a ",
        "!!str ",
        "!x ",
        "é",
        "\u2028",
        "\r\n",
        "---\n",
        "...",
        "%",
        "@",
        "`",
    ),
    *(
        "1",
        "true",
        "\\",
        "\ufeff",
        "<<",
        "~",
        "  ",
        "\n\t",
        "!",
        "&",
        "*",
        "|",
        ">",
        "\x85",
        "-\t",
        "''",
        '""',
    ),
    *("!!int ", "\\u0041", "\\ud800", "string?", "${a.output}", "key: value\n", "  key: 'value'\n"),
]


def assert_same(text: str) -> None:
    document = Document("x.yaml", text)
    fast, pure = read_yaml(document), read_yaml(document, pure=True)
    assert shape(fast.root) == shape(pure.root)
    assert [finding.code for finding in fast.findings] == [finding.code for finding in pure.findings]
    assert fast.comments == pure.comments


def test_there_are_files_to_compare() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_read_the_same(path: Path) -> None:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    assert_same(text)


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map("".join))
def test_any_text_reads_the_same(text: str) -> None:
    assume("?," not in text.replace(" ", "").replace("\n", ""))  # libyaml takes `[?,,` for a list of a pair
    assert_same(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_json_reads_the_same_as_json_and_as_yaml(value: object) -> None:
    text = json.dumps({"value": value})
    as_json = read_json(Document("x.json", text))
    assert as_json.findings == () or "surrogate" in as_json.findings[0].message
    assume(as_json.root is not None and "\\u" not in text)
    assert plain(as_json.root) == {"value": value}
    assert plain(read_yaml(Document("x.yaml", text)).root) == {"value": value}
