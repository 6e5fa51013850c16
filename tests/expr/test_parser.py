"""Expressions parse to trees with places, within the limits, or say what is wrong and where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratumc.expr import Binary, Expression, Member, Name, ParseFailure, parse, print_expression
from stratumc.expr.ast import places_read
from support.expressions import TREES, shape


def tree(text: str) -> Expression:
    parsed = parse(text)
    assert not isinstance(parsed, ParseFailure), parsed
    return parsed


def failure(text: str) -> ParseFailure:
    parsed = parse(text)
    assert isinstance(parsed, ParseFailure), text
    return parsed


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-2-3", "1 - 2 - 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("1 < 2 == true", "1 < 2 == true"),
        ("1 < (2 == true)", "1 < (2 == true)"),
        ("a||b&&c", "a || b && c"),
        ("(a||b)&&c", "(a || b) && c"),
        ("!a in b", "!a in b"),
        ("!(a in b)", "!(a in b)"),
        ("-a.b[0]", "-a.b[0]"),
        ("(-a).b", "(-a).b"),
        ("--1", "--1"),
        ("3in prev", "3 in prev"),
        ("f ( a,b )", "f(a, b)"),
        ("result.true", "result.true"),
        ("x[1.0]", "x[1]"),
        ("1e3", "1000"),
        ("'\\ud83d\\ude00'", '"😀"'),
        ("\ufeff1\u00a0+\u20282", "1 + 2"),
    ],
)
def test_precedence_and_canonical_text(text: str, canonical: str) -> None:
    assert print_expression(tree(text)) == canonical


@settings(max_examples=300)
@given(TREES)
def test_printed_trees_parse_to_themselves(node: Expression) -> None:
    text = print_expression(node)
    assert shape(tree(text)) == shape(node)
    assert print_expression(tree(text)) == text


@settings(max_examples=300)
@given(TREES)
def test_every_node_covers_its_own_text(node: Expression) -> None:
    text = print_expression(node)
    parsed = tree(text)
    assert (parsed.start, parsed.end) == (0, len(text)) or text[0] == "("


def test_places_of_members_and_parentheses() -> None:
    node = tree(" (a + b ) .cd == 1")
    assert isinstance(node, Binary)
    assert isinstance(node.left, Member)
    assert (node.start, node.end) == (1, 18)
    assert (node.left.start, node.left.end, node.left.name_start) == (1, 13, 11)
    assert isinstance(node.left.operand, Binary)
    assert (node.left.operand.start, node.left.operand.end) == (2, 7)


@pytest.mark.parametrize(
    ("text", "start", "end", "message"),
    [
        ("", 0, 0, "expected a value, found the end"),
        ("1 +", 3, 3, "expected a value, found the end"),
        ("a ? 1 : 2", 2, 3, "there is no operator `?`"),
        ("a = 1", 2, 3, "`=` is written `==`"),
        ("a and b", 2, 5, "`and` is written `&&`"),
        ("a b", 2, 3, "expected an operator, found `b`"),
        ("len(a", 5, 5, "expected `,` or `)`, found the end"),
        ("(a", 2, 2, "expected `)`, found the end"),
        ("len('a',)", 8, 9, "expected a value, found `)`"),
        ("a.in", 2, 4, "expected a member's name, found `in`"),
        ("a.constructor", 2, 13, "the member `constructor` may not be named"),
        ("a[-0]", 2, 3, "expected an index, a whole number from 0, found `-`"),
        ("a[1.5]", 2, 5, "expected an index, a whole number from 0, found `1.5`"),
        ("'a", 0, 2, "the string isn't closed"),
        ("'a\nb'", 2, 3, "a control character in a string must be escaped"),
        ("'\\x41'", 1, 3, "unknown escape `\\x`"),
        ("'\\u00g0'", 1, 3, "`\\u` needs four hexadecimal digits"),
        ("1e999", 0, 5, "the number is too large"),
        ("${a.output} == 1", 0, 1, "unexpected character `$`"),
        ("1\u0085", 1, 2, "unexpected character `U+0085`"),
    ],
)
def test_what_is_wrong_and_where(text: str, start: int, end: int, message: str) -> None:
    found = failure(text)
    assert (found.code, found.message, found.start, found.end) == ("parse_error", message, start, end)


@pytest.mark.parametrize("wrap", ["({})", "!{}", "-{}", "f({})", "f(1, {})"])
def test_the_nesting_limit(wrap: str) -> None:
    within = too_deep = "a"
    for _ in range(128):
        within = wrap.format(within)
    too_deep = wrap.format(within)
    assert not isinstance(parse(within), ParseFailure)
    assert failure(too_deep).code == "resource_limit"


def test_unary_operators_and_parentheses_count_together() -> None:
    assert not isinstance(parse("-(" * 64 + "1" + ")" * 64), ParseFailure)
    assert failure("-(" * 64 + "-1" + ")" * 64).code == "resource_limit"
    assert failure("f(" * 128).code == "parse_error"


@pytest.mark.parametrize("operator", ["+", "&&", "==", "in", "/"])
def test_the_node_limit_and_long_chains(operator: str) -> None:
    longest = f" {operator} ".join(["a"] * 2048)
    node = tree(longest)
    assert print_expression(node) == longest
    assert failure(f"{longest} {operator} a").code == "resource_limit"
    assert not isinstance(parse("f(" + ",".join(["1"] * 4095) + ")"), ParseFailure)
    assert failure("f(" + ",".join(["1"] * 4096) + ")").code == "resource_limit"


def test_a_chain_of_members_counts_its_nodes() -> None:
    assert isinstance(tree("a" + ".b" * 4095), Member)
    assert failure("a" + ".b" * 4096).code == "resource_limit"


def test_names_are_what_they_look_like() -> None:
    assert tree("len").__class__ is Name
    assert tree("inner").__class__ is Name
    assert failure("true()").code == "parse_error"


@settings(max_examples=500)
@given(st.text(alphabet="ab.0123[]()!&|=<>+-*/,'\"\\ \u00a0intrue😀\ud83d$", max_size=30))
def test_any_text_parses_or_fails(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, ParseFailure):
        assert 0 <= parsed.start <= parsed.end <= len(text)
        assert parsed.message
    else:
        assert shape(tree(print_expression(parsed))) == shape(parsed)


@pytest.mark.parametrize(
    ("text", "shown", "message", "suggestion"),
    [
        ("n === 1", "===", "`===` is written `==`", None),
        ("n !== 1", "!==", "`!==` is written `!=`", None),
        ("n => 1", "=>", "`=>` is written `>=`", None),
        ("n <> 1", "<>", "`<>` is written `!=`", None),
        ("n = 1", "=", "`=` is written `==`", None),
        ("n == = 1", "=", "`=` is written `==`", None),
        ("== 1", "==", "expected a value, found `==`", None),
        ("&& n", "&&", "expected a value, found `&&`", None),
        ("n || || m", "||", "expected a value, found `||`", None),
        (
            "if n then m else k",
            "if",
            "there is no operator `if`",
            "combine conditions with `&&` and `||`: `a && b || !a && c`",
        ),
        ("n.if m", "m", "expected an operator, found `m`", None),
        ("n OR m", "OR", "`OR` is written `||`", None),
        ("n is  not null", "is  not", "`is  not` is written `!=`", None),
        ("not n", "not", "`not` is written `!`", None),
        ("a && not n", "not", "`not` is written `!`", None),
        ("n % 2", "%", "there is no operator `%`", None),
        ("n ** 2", "**", "there is no operator `**`", None),
        ("a not in b", "not in", "there is no operator `not in`", "`a not in b` is written `!(a in b)`"),
        (
            "a contains 'b'",
            "contains",
            "there is no operator `contains`",
            "`a contains b` is written `b in a`",
        ),
        (
            "n in ['a']",
            "[",
            "an array can't be written",
            "compare with one value after the other: `a == 'x' || a == 'y'`",
        ),
        (
            "r['x'] == 1",
            "'x'",
            "expected an index, a whole number from 0, found a string",
            "a member is written `.x`",
        ),
        ("n > 01", "01", "a number has no leading `0`", None),
        ("n > .5", ".5", "a number begins with a digit", "write `0.5`"),
        ("n > +1", "+", "a number has no leading `+`", None),
        (
            "len s > 1",
            "s",
            "expected an operator, found `s`",
            "a function is called with parentheses: `len(…)`",
        ),
        ("s.includes('a')", "(", "there is no method `includes`", "use `b in a`"),
        ("n == `a`", "`", "a string can't be written in backquotes", "use single or double quotes"),
        ("'is' b", "b", "expected an operator, found `b`", None),
    ],
)
def test_what_other_languages_write_is_told_in_their_words(
    text: str, shown: str, message: str, suggestion: str | None
) -> None:
    found = failure(text)
    assert (text[found.start : found.end], found.message, found.suggestion) == (shown, message, suggestion)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("result.draft.ok && !input.ok", [("result", "draft", "ok"), ("input", "ok")]),
        ("result.input.ok", [("result", "input", "ok")]),
        ("len(result.a.items[0].x) > prev.n", [("result", "a", "items"), ("prev", "n")]),
        ("'x' in input || 'y' in result.a.b", [("input", "x"), ("result", "a", "b", "y")]),
        ("input.a.b == input.a", [("input", "a", "b"), ("input", "a")]),
        ("len(item) == 1", []),
    ],
)
def test_places_are_read_whole(text: str, places: list[tuple[str, ...]]) -> None:
    assert list(places_read(tree(text))) == places
