"""Comments that ignore a finding, and comments that ignore nothing."""

from __future__ import annotations

import pytest

from stratumc.diagnostics import Diagnostic, Finding, Source, concretize
from stratumc.diagnostics.catalog import CATALOG
from stratumc.diagnostics.suppress import apply_ignores
from stratumc.read import read_document
from stratumc.text import Document
from support.findings import at


def checked(
    text: str, *findings: Finding, ran: frozenset[str] = frozenset(CATALOG)
) -> tuple[Diagnostic, ...]:
    document = Document("x.yaml", text)
    result = read_document(document)
    sources = [Source(document, result.root)]
    return apply_ignores(concretize(findings, sources), sources, [result.comments], ran)


UNUSED = Finding("CONTRACT_UNUSED", at("a").key, "x")


def states(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str | None]]:
    return [(diagnostic.code, diagnostic.suppressed) for diagnostic in diagnostics]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1  # stratumc: ignore[CONTRACT_UNUSED]\n", "comment"),
        ("# stratumc: ignore[CONTRACT_UNUSED]\na: 1\n", "comment"),
        ("#stratumc:ignore[ CONTRACT_UNUSED ] -- it is meant\na: 1\n", "comment: it is meant"),
        ("a: 1 # stratumc: ignore[CONTRACT_UNUSED]: it is meant\n", "comment: it is meant"),
        ("# stratumc: ignore[CONTRACT_UNUSED]\n# another comment\na: 1\n", "comment"),
        ("a: 1 # noqa: X # stratumc: ignore[CONTRACT_UNUSED] it is meant\n", "comment: it is meant"),
    ],
)
def test_a_comment_on_the_line_or_above_it(text: str, reason: str) -> None:
    assert states(checked(text, UNUSED)) == [("CONTRACT_UNUSED", reason)]


def test_a_comment_above_a_block_covers_what_is_found_inside_it() -> None:
    text = "# stratumc: ignore[EXPR_SYNTAX]\na: |\n  one\n  two three\n"
    inside = Finding("EXPR_SYNTAX", at("a").within(4, 7), "x")
    assert states(checked(text, inside)) == [("EXPR_SYNTAX", "comment")]
    assert checked(text, inside)[0].span.line == 4


def test_what_cannot_be_read_is_never_ignored() -> None:
    fault = Finding("YAML_INVALID", at("a"), "x")
    found = checked("a: 1 # stratumc: ignore[YAML_INVALID]\n", fault)
    assert states(found) == [("YAML_INVALID", None), ("IGNORE_UNUSED", None)]
    assert found[1].message == "`YAML_INVALID` can't be ignored: what can't be read isn't checked"


def test_several_codes_in_one_comment() -> None:
    text = "# stratumc: ignore[CONTRACT_UNUSED, SCHEMA_INVALID]\na: 1\n"
    other = Finding("SCHEMA_INVALID", at("a"), "x")
    assert states(checked(text, UNUSED, other)) == [
        ("CONTRACT_UNUSED", "comment"),
        ("SCHEMA_INVALID", "comment"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# stratumc: ignore[CONTRACT_UNUSED]\n\na: 1\n",
        "# stratumc: ignore[CONTRACT_UNUSED]\nb: 1\na: 1\n",
        "a: 1\n# stratumc: ignore[CONTRACT_UNUSED]\n",
        "b: 1 # stratumc: ignore[CONTRACT_UNUSED]\na: 1\n",
    ],
)
def test_other_lines_are_not_covered_and_the_comment_is_reported(text: str) -> None:
    found = checked(text, UNUSED)
    assert sorted(states(found)) == [("CONTRACT_UNUSED", None), ("IGNORE_UNUSED", None)]


def test_other_codes_are_not_covered() -> None:
    found = checked("a: 1 # stratumc: ignore[FLOW_UNUSED]\n", UNUSED)
    assert states(found) == [("CONTRACT_UNUSED", None), ("IGNORE_UNUSED", None)]
    assert found[1].message == "no `FLOW_UNUSED` is found here to be ignored"
    assert (found[1].span.column, found[1].span.end_column) == (25, 36)


def test_a_code_whose_checks_did_not_run_is_not_reported_as_unused() -> None:
    text = "a: 1 # stratumc: ignore[FLOW_UNUSED]\n"
    assert checked(text, ran=frozenset({"SCHEMA_INVALID"})) == ()


def test_an_unknown_code_is_reported_whatever_ran() -> None:
    [found] = checked("a: 1 # stratumc: ignore[FLOW_UNUSD]\n", ran=frozenset())
    assert (found.code, found.message) == ("IGNORE_UNUSED", "`FLOW_UNUSD` isn't a code")
    assert found.suggestion == "did you mean `FLOW_UNUSED`?"


@pytest.mark.parametrize(
    "comment", ["# stratumc: ignore", "# stratumc: ignore[]", "# stratumc: ignore FLOW_UNUSED"]
)
def test_a_comment_must_name_codes(comment: str) -> None:
    [found] = checked(f"a: 1 {comment}\n")
    assert (found.code, found.span.column) == ("IGNORE_UNUSED", 6)


@pytest.mark.parametrize("comment", ["# stratumc", "# see stratumc: ignore[X]", "# ignore[X]"])
def test_other_comments_mean_nothing(comment: str) -> None:
    assert checked(f"a: 1 {comment}\n") == ()


def test_text_that_looks_like_a_comment_means_nothing() -> None:
    assert states(checked("a: '# stratumc: ignore[CONTRACT_UNUSED]'\n", UNUSED)) == [
        ("CONTRACT_UNUSED", None)
    ]


def test_the_report_itself_can_be_ignored() -> None:
    assert checked("a: 1 # stratumc: ignore[FLOW_UNUSED, IGNORE_UNUSED]\n") == ()


def test_only_the_second_of_two_same_comments_is_unused() -> None:
    text = "# stratumc: ignore[CONTRACT_UNUSED]\na: 1 # stratumc: ignore[CONTRACT_UNUSED]\n"
    found = checked(text, UNUSED)
    assert states(found) == [("CONTRACT_UNUSED", "comment"), ("IGNORE_UNUSED", None)]
    assert found[1].span.line == 2


@pytest.mark.parametrize(
    ("comment", "what"),
    [
        ("# STRATUMC: ignore[CONTRACT_UNUSED]", "`STRATUMC` isn't `stratumc`"),
        ("# Stratumc:ignore[CONTRACT_UNUSED]", "`Stratumc` isn't `stratumc`"),
        ("# startumc: ignore[CONTRACT_UNUSED]", "`startumc` isn't `stratumc`"),
        ("# stratumc ignore[CONTRACT_UNUSED]", "a colon is missing after `stratumc`"),
        ("#stratumc: ingore[CONTRACT_UNUSED] since", "`ingore` isn't a directive"),
        ("# stratumc: Ignore[CONTRACT_UNUSED]", "`Ignore` isn't a directive"),
        ("# noqa # stratumc: noqa[CONTRACT_UNUSED]", "`noqa` isn't a directive"),
    ],
)
def test_a_directive_that_is_miswritten_ignores_nothing_and_is_told(comment: str, what: str) -> None:
    first, second = checked(f"a: 1 {comment}\n", UNUSED)
    assert first.suppressed is None
    assert (second.code, second.message) == ("IGNORE_UNUSED", f"this comment ignores nothing: {what}")
    assert second.suggestion == "write `# stratumc: ignore[CONTRACT_UNUSED]`"
    start = comment.rindex("#")
    assert (second.span.column, second.span.end_column) == (6 + start, 6 + len(comment))


@pytest.mark.parametrize(
    ("comment", "what"),
    [
        ("#stratumc:ignore", "it names no code"),
        ("# stratumc: ignore []", "it names no code"),
        ("# stratumc: ignore CONTRACT_UNUSED", "it names no code"),
        ("# stratumc: ignore[CONTRACT_UNUSED", "it names no code"),
        ("# stratumc: ignore-file[CONTRACT_UNUSED]", "`ignore-file` isn't a directive"),
        ("# STRATUMC: INGORE", "`STRATUMC` isn't `stratumc`"),
        ("# stratumc: off", "`off` isn't a directive"),
        ("# stratumc:", "it names no directive"),
    ],
)
def test_a_comment_to_us_is_never_passed_over(comment: str, what: str) -> None:
    (found,) = checked(f"{comment}\na: 1\n")
    assert found.message == f"this comment ignores nothing: {what}"


@pytest.mark.parametrize(
    "comment",
    [
        "# stratumc checks this file",
        "# see stratumc: the compiler",
        "# type: ignore[CONTRACT_UNUSED]",
        "# pyright: ignore[x] # noqa: X",
        "# https://stratumc: x",
        "# Stratumc: the compiler of this file",
        "# stratum: see there",
    ],
)
def test_words_between_people_are_no_directive(comment: str) -> None:
    assert checked(f"{comment}\na: 1\n") == ()


def test_a_comment_full_of_marks_is_read_once() -> None:
    # Were each mark a walk to the end of the comment, this would take minutes.
    assert checked("# " + "#a:b[" * 200_000 + "\na: 1\n") == ()


def test_a_comment_may_hold_several_directives() -> None:
    text = "a: 1 # stratumc: ignore[CONTRACT_UNUSED] one # stratumc: ignore[FLOW_UNUSED] two # stratumc: of\n"
    first, second = UNUSED, Finding("FLOW_UNUSED", at("a").key, "x")
    assert states(checked(text, first, second)) == [
        ("CONTRACT_UNUSED", "comment: one"),
        ("FLOW_UNUSED", "comment: two"),
        ("IGNORE_UNUSED", None),
    ]
