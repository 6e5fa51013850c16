"""Patterns of JavaScript's `u` dialect: what they match, which are refused, and that none takes long."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratum_runtime.pattern import PatternError, compile_pattern
from stratum_runtime.pattern_syntax import parse_pattern

RECORDED = json.loads(Path(__file__).with_name("javascript_patterns.json").read_text("utf-8"))
"""Pattern, text, and what `new RegExp(pattern, "u").test(text)` gives; null for a syntax error."""


@pytest.mark.parametrize(("pattern", "text", "answer"), RECORDED)
def test_javascript_gives_the_same_answer(pattern: str, text: str, answer: bool | None) -> None:
    if answer is None:
        with pytest.raises(PatternError):
            compile_pattern(pattern)
    else:
        assert compile_pattern(pattern).search(text) is answer


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?:a)", "groups that begin with `(?` aren't allowed"),
        ("(?=a)", "groups that begin with `(?` aren't allowed"),
        ("(?<=a)b", "groups that begin with `(?` aren't allowed"),
        ("(a)\\1", "back-references aren't allowed"),
        ("\\k<a>", "back-references aren't allowed"),
        ("(a*)*", "a repeated group may hold neither a quantifier nor `|`"),
        ("((a+))?", "a repeated group may hold neither a quantifier nor `|`"),
        ("(a|b)+", "a repeated group may hold neither a quantifier nor `|`"),
        ("a+b+", "two quantified parts stand side by side"),
        ("[a-z]+[0-9]+", "two quantified parts stand side by side"),
        ("(a?)b?", "two quantified parts stand side by side"),
        ("a?(b?)", "two quantified parts stand side by side"),
        ("x+(ab)+", "two quantified parts stand side by side"),
        ("a++", "nothing to repeat before `+`"),
        ("a?-" * 33, "more than 32 quantifiers"),
    ],
)
def test_shapes_that_could_match_slowly_are_refused(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern)
    assert caught.value.message == reason
    assert 0 <= caught.value.offset <= len(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["a+-b+", "a?b", "(a)+b", "(a)(b)+", "x+(ab)", "a+|b+", "(a+)-(b+)", "^a+$", "a*?b", "()+", "a?-" * 32],
)
def test_shapes_that_cannot_are_admitted(pattern: str) -> None:
    compile_pattern(pattern)


ATOMS = ["a", "b", ".", "[ab]", "[^a]", "\\d", "(ab)", "(a|b)", "()", "^", "$", "\\b", "\\B"]
QUANTIFIERS = ["", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0}"]
PATTERNS = st.lists(
    st.tuples(st.sampled_from(ATOMS), st.sampled_from(QUANTIFIERS), st.sampled_from(["", "", "|", "-"]))
)


@settings(max_examples=500)
@given(PATTERNS, st.text(alphabet="ab1- ", min_size=1, max_size=12))
def test_where_the_dialects_agree_so_do_the_engines(parts: list[tuple[str, str, str]], text: str) -> None:
    pattern = "".join("".join(part) for part in parts)
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return
    assert compiled.search(text) is bool(re.search(pattern.replace("$", r"\Z"), text, re.ASCII))


HAN = "".join(chr(0x4E00 + number) for number in range(4096))
WORST = [
    ("a+-" * 31 + "a+$", "a" * 4096),
    (".{1,50}-" * 31, "ab" * 2048),
    ("a{1,1000}b" * 25, "a" * 4096),
    ("(ab)+c" * 32, "ab" * 2048),
    ("(aab){0,99999}c", "aab" * 1365),
    ("(abcdefgh)*x" * 20, "abcdefgh" * 512),
    ("a{4000}a.{90}$", "a" * 4096),
    ("|".join(["a*b"] * 32), "a" * 4096),
    ("[^a]*" + HAN[:250], HAN),
    ("(" * 128 + ")" * 128, "a" * 4096),
    ("\\ba*\\B" * 30, "a " * 2048),
]


@pytest.mark.parametrize(("pattern", "text"), WORST)
def test_the_worst_admitted_patterns_take_few_steps(pattern: str, text: str) -> None:
    assert len(pattern) <= 256
    assert len(parse_pattern(pattern)) <= len(pattern) + 2
    assert compile_pattern(pattern).search(text) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^a{4096}$", "a" * 4096, True),
        ("^a{4095}$", "a" * 4096, False),
        ("^(ab){0,2047}$", "ab" * 2048, False),
        ("^(ab){5,}$", "ab" * 2048, True),
        ("^(ab)*$", "ab" * 2047 + "a", False),
        ("(a){3,5}b", "aab", False),
    ],
)
def test_counted_repeats_are_exact(pattern: str, text: str, found: bool) -> None:
    assert compile_pattern(pattern).search(text) is found


@settings(max_examples=500)
@given(st.text(alphabet="ab01()[]{}|*+?^$\\-,.upxcdDwsSbBk<>=!😀\ud83d", max_size=20), st.text(max_size=8))
def test_any_text_is_a_pattern_or_refused(pattern: str, text: str) -> None:
    refused: PatternError | None = None
    try:
        assert compile_pattern(pattern).search(text) in (True, False)
    except PatternError as error:
        refused = error
    assert refused is None or (refused.message and 0 <= refused.offset <= len(pattern))
