"""Conditions of triggers: what parses, to what, and where one that doesn't goes wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stratumc.workflow import ConditionFailure, ParsedCondition, parse_condition
from stratumc.workflow.syntax import Always, Compare, Comparison, ContextPath, Number, ThresholdName

COUNTER = ContextPath(("session_counters", "n"))


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("always", Always()),
        ("  always ", Always()),
        ("session_counters.n >= 3", Compare(COUNTER, Comparison.GREATER_EQUAL, Number(3))),
        ("session_counters.n<=-2.5", Compare(COUNTER, Comparison.LESS_EQUAL, Number(-2.5))),
        ("session_counters.n\t>\n1e3", Compare(COUNTER, Comparison.GREATER, Number(1000.0))),
        ("n < 0", Compare(ContextPath(("n",)), Comparison.LESS, Number(0))),
        ("a-b.c-d == é.ü", Compare(ContextPath(("a-b", "c-d")), Comparison.EQUAL, ContextPath(("é", "ü")))),
        ("a.0 != 1", Compare(ContextPath(("a", "0")), Comparison.NOT_EQUAL, Number(1))),
        (
            "thresholds.low < thresholds.a.b",
            Compare(ThresholdName("low"), Comparison.LESS, ThresholdName("a.b")),
        ),
        ("always == 1", Compare(ContextPath(("always",)), Comparison.EQUAL, Number(1))),
    ],
)
def test_conditions_that_parse(text: str, condition: object) -> None:
    parsed = parse_condition(text)
    assert isinstance(parsed, ParsedCondition)
    assert parsed.condition == condition


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", ""),
        ("   ", "   "),
        ("Always", "Always"),
        ("a.b", "a.b"),
        ("a.b >=", ">="),
        (">= 3", ">="),
        ("3 >= a.b", "3"),
        ("a.b => 3", "=>"),
        ("a.b = 3", "="),
        ("a.b === 3", "==="),
        ("a.b =! 3", "=!"),
        ("a.b <> 3", "<>"),
        ("a.b >= 3;", "3;"),
        ("a.b >= 03", "03"),
        ("a.b >= .5", ".5"),
        ("a.b >= +3", "+3"),
        ("a.b >= 3.", "3."),
        ("a.b >= 0x10", "0x10"),
        ("a.b >= 1e400", "1e400"),
        ("a.b >= 1_000", "1_000"),
        ("a.b >= 1" + "0" * 400, "1" + "0" * 400),
        ("a.b >= -1" + "0" * 5000, "-1" + "0" * 5000),
        ("a..b >= 3", "a..b"),
        (".a >= 3", ".a"),
        ("a. >= 3", "a."),
        ("-a >= 3", "-a"),
        ("a[0].b >= 3", "a[0].b"),
        ("a.b >= 'three'", "'three'"),
        ('a.b == "done"', '"done"'),
        ("a.b == true", "true"),
        ("null != a.b", "null"),
        ("a b >= 3", "b"),
        ("1 < a.b < 5", "1"),
        ("a.b > 1 < 5", "< 5"),
        ("a.b >= 3 and c.d > 1", "and c.d > 1"),
        ("!a.b", "!"),
        ("thresholds > 3", "thresholds"),
        ("a.b >= thresholds.", "thresholds."),
        ("{{ a.b }} >= 3", "{{"),
        ("a.b >= 3 ? x : y", "? x : y"),
    ],
)
def test_the_place_of_a_fault_lies_in_the_string(text: str, at: str) -> None:
    failure = parse_condition(text)
    assert isinstance(failure, ConditionFailure)
    assert text[failure.start : failure.end] == at


def test_operands_keep_their_places() -> None:
    parsed = parse_condition(" a.b >= thresholds.most")
    assert isinstance(parsed, ParsedCondition)
    assert [(one.start, one.end) for one in parsed.operands] == [(1, 4), (8, 23)]


@given(st.text(alphabet=st.sampled_from("ab.9-+ <>=!'\t\u2028é\x00"), max_size=12) | st.text(max_size=8))
def test_any_text_is_a_condition_or_a_failure_inside_it(text: str) -> None:
    parsed = parse_condition(text)
    if isinstance(parsed, ConditionFailure):
        assert 0 <= parsed.start <= parsed.end <= len(text)
        assert parsed.message
        assert "\n" not in parsed.message.replace(text, "")
    else:
        for placed in parsed.operands:
            assert text[placed.start : placed.end].strip() == text[placed.start : placed.end] != ""


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("Always", "did you mean `always`?"),
        ("true", "`always` is the condition that always holds"),
        ("false", None),
        ("never", None),
    ],
)
def test_what_was_meant_by_a_word_alone(text: str, suggestion: str | None) -> None:
    failure = parse_condition(text)
    assert isinstance(failure, ConditionFailure)
    assert failure.suggestion == suggestion


@pytest.mark.parametrize(("text", "kinds"), [("'a' > 1", " a path"), ("a > 'b'", " a path or a number")])
def test_what_may_stand_on_each_side(text: str, kinds: str) -> None:
    failure = parse_condition(text)
    assert isinstance(failure, ConditionFailure)
    assert failure.message.endswith(kinds)


def test_a_short_number_is_shown_whole() -> None:
    failure = parse_condition("x > 1e400")
    assert isinstance(failure, ConditionFailure)
    assert failure.message == "the number 1e400 is too large"
