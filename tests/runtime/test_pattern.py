"""Patterns of JavaScript's `u` dialect: what they match, which are refused, and that none takes long."""

from __future__ import annotations

import itertools
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
        ("((a|b))?", "a repeated group may hold neither a quantifier nor `|`"),
        ("(a(b|c))*", "a repeated group may hold neither a quantifier nor `|`"),
        ("(c(^\na|))?", "a repeated group may hold neither a quantifier nor `|`"),
        ("a+b+", "two quantified parts are side by side"),
        ("[a-z]+[0-9]+", "two quantified parts are side by side"),
        ("(a?)b?", "two quantified parts are side by side"),
        ("a?(b?)", "two quantified parts are side by side"),
        ("x+(ab)+", "two quantified parts are side by side"),
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


Tree = list[list[tuple["str | Tree", str]]]
"""A pattern: alternatives of terms, each an atom or a group with its quantifier."""


def trees() -> st.SearchStrategy[Tree]:
    atoms = st.sampled_from(["a", "[ab]", ".", "^", "$", "\\b"])
    return st.recursive(
        atoms,
        lambda inner: st.lists(
            st.lists(st.tuples(inner, st.sampled_from(QUANTIFIERS)), max_size=3), min_size=1, max_size=2
        ),
        max_leaves=8,
    ).map(lambda tree: [[(tree, "")]] if isinstance(tree, str) else tree)


def written(tree: Tree) -> str:
    return "|".join(
        "".join((atom if isinstance(atom, str) else f"({written(atom)})") + mark for atom, mark in terms)
        for terms in tree
    )


def holds_quantifier(term: tuple[str | Tree, str]) -> bool:
    inner, mark = term
    return mark != "" or (not isinstance(inner, str) and any(map(holds_quantifier, itertools.chain(*inner))))


def holds_choice(tree: str | Tree) -> bool:
    return not isinstance(tree, str) and (
        len(tree) > 1 or any(holds_choice(inner) for inner, _ in itertools.chain(*tree))
    )


def is_admitted(tree: Tree) -> bool:
    """The shape rule of expressions.md, said naively."""
    for terms in tree:
        for inner, mark in terms:
            if isinstance(inner, str):
                if mark and inner in ("^", "$", "\\b"):
                    return False
                continue
            repeated = holds_choice(inner) or any(map(holds_quantifier, itertools.chain(*inner)))
            if not is_admitted(inner) or (mark and repeated):
                return False
        if any(all(map(holds_quantifier, pair)) for pair in itertools.pairwise(terms)):
            return False
    return True


@settings(max_examples=400)
@given(trees(), st.text(alphabet="ab ", max_size=8))
def test_groups_in_groups_keep_the_shape_rule(tree: Tree, text: str) -> None:
    pattern = written(tree)
    if not is_admitted(tree):
        with pytest.raises(PatternError):
            compile_pattern(pattern)
    else:
        expected = bool(re.search(pattern.replace("$", r"\Z"), text, re.ASCII))
        assert compile_pattern(pattern).search(text) is expected


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
