"""Code frames: exact output."""

from __future__ import annotations

import re

import pytest

from stratumc.diagnostics import Diagnostic, Finding
from stratumc.diagnostics.text import render_text, witness_lines
from stratumc.text import Document, Location
from support.findings import TEXT, at, diagnose, finding, related


def show(*findings: Finding, text: str = TEXT, color: bool = False) -> str:
    return render_text(
        diagnose(*findings, text=text, name="x.yaml"), {"x.yaml": Document("x.yaml", text)}, color=color
    )


def test_a_frame_with_everything() -> None:
    found = finding(
        "STEP_NEVER_RUNS",
        ("flows", "main", "steps", 0, "when"),
        "the condition can't hold",
        related=related(("flows", "main", "steps"), "its steps"),
        witness={"input": {"x": "é", "list": [1]}},
        suggestion="remove it",
    )
    assert show(found) == (
        "warning[STEP_NEVER_RUNS]: the condition can't hold\n"
        " --> x.yaml:9:15\n"
        "  |\n"
        "9 |         when: \"input.x == 'é'\"\n"
        "  |               ^^^^^^^^^^^^^^^^\n"
        "note: its steps\n"
        " --> x.yaml:7:5\n"
        "  |\n"
        "7 |     steps:\n"
        "  |     -----\n"
        'witness: input.x = "é", input.list = [1]\n'
        "help: remove it\n"
    )


def test_two_are_separated_by_a_blank_line_and_suppressed_ones_are_left_out() -> None:
    from dataclasses import replace

    found = diagnose(finding("SCHEMA_INVALID", ("version",)), finding("SCHEMA_INVALID", ("flows", "entry")))
    documents = {"x.stratum.yaml": Document("x.stratum.yaml", TEXT)}
    both = render_text(found, documents)
    assert both.count("error[SCHEMA_INVALID]") == 2
    assert "\n\nerror" in both
    assert (
        render_text([replace(found[0], suppressed="comment"), found[1]], documents) == both.split("\n\n")[1]
    )


def carets(text: str, start: int, end: int) -> tuple[str, str]:
    lines = show(Finding("YAML_INVALID", Location(range=(start, end)), "x"), text=text).splitlines()
    return lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")


@pytest.mark.parametrize(
    ("line", "marked", "shown", "pointer"),
    [
        ("a: bad", "bad", "a: bad", "   ^^^"),
        ("\ta:\tbad", "bad", "    a:    bad", "          ^^^"),
        ("日本: bad", "bad", "日本: bad", "      ^^^"),
        ("a: 日本", "日本", "a: 日本", "   ^^^^"),
        ("😀 bad", "bad", "😀 bad", "   ^^^"),
        ("e\u0301e\u0301 bad", "bad", "e\u0301e\u0301 bad", "   ^^^"),
        ("a\x1bb bad", "bad", "a\ufffdb bad", "    ^^^"),
        ("a \u202ebad", "bad", "a \ufffdbad", "   ^^^"),
        ("end ", "", "end", "^"),
    ],
)
def test_carets_stand_under_what_they_mean(line: str, marked: str, shown: str, pointer: str) -> None:
    start = line.index(marked)
    assert carets(line, start, start + len(marked)) == (shown, pointer)


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "x" * 300 + "BAD" + "y" * 300
    shown, pointer = carets(line, 300, 303)
    assert len(shown) <= 120
    assert shown[pointer.index("^") : pointer.rindex("^") + 1] == "BAD"
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_a_long_place_is_cut() -> None:
    shown, pointer = carets("a: " + "B" * 500, 3, 503)
    assert len(shown) <= 120
    assert len(pointer) == len(shown)


def test_a_place_of_several_lines_says_where_it_ends() -> None:
    text = "a:\n  - b\n  - c\n"
    lines = show(Finding("SCHEMA_INVALID", at("a"), "x"), text=text).splitlines()
    assert lines[1:] == [" --> x.yaml:2:3", "  |", "2 |   - b", "  |   ^^^ to line 3"]


def test_a_place_in_an_empty_file() -> None:
    assert show(Finding("SCHEMA_INVALID", Location(range=(0, 0)), "empty"), text="").splitlines()[1:] == [
        " --> x.yaml:1:1",
        "  |",
        "1 |",
        "  | ^",
    ]


def test_a_file_whose_text_is_not_there_is_named() -> None:
    assert render_text(diagnose(finding("SCHEMA_INVALID", ("version",))), {}) == (
        "error[SCHEMA_INVALID]: something is wrong\n --> x.stratum.yaml:1:10\n"
    )


def test_colour_changes_nothing_but_colour() -> None:
    found = finding(
        "SCHEMA_INVALID", ("version",), suggestion="mend it", witness=1, related=related(("flows",), "see")
    )
    coloured = show(found, color=True)
    assert "\x1b[1;31merror[SCHEMA_INVALID]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == show(found)


def test_no_escape_sequence_of_a_file_reaches_the_terminal() -> None:
    text = "a: 'b\x9b31m'\n"
    hostile: tuple[Diagnostic, ...] = diagnose(
        Finding("ENCODING_INVALID", Location(range=(5, 6)), "x\x1b[2J"), text=text, name="n\x1b[2J.yaml"
    )
    shown = render_text(hostile, {"n\x1b[2J.yaml": Document("n\x1b[2J.yaml", text)})
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)


@pytest.mark.parametrize(
    ("witness", "lines"),
    [
        ({"text": "first\nsecond", "run": []}, ["first", "second"]),
        ({"a": {"b": True}, "c": None}, ["a.b = true, c = null"]),
        ({}, ["{}"]),
        ([1, 2], ["[1, 2]"]),
    ],
)
def test_a_witness_in_words(witness: object, lines: list[str]) -> None:
    assert witness_lines(witness) == lines
