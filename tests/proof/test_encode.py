"""The encoding of expressions agrees with the runtime's evaluation on every value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from stratum_runtime.expression import Value, evaluate
from stratumc.expr import ParseFailure, compile_text, parse
from stratumc.proof.arithmetic import exact_rules, rounding_rules
from stratumc.proof.compare import equal
from stratumc.proof.concrete import MISSING, Concrete
from stratumc.proof.encode import Encoder
from stratumc.proof.logic import conjunction, disjunction, negation
from stratumc.proof.numerals import numeral
from stratumc.proof.solver import Query
from stratumc.proof.values import Amount, Array, Nil, Outcome, Record, Slot, Truth, sure
from stratumc.proof.world import INPUT, World
from support.small_flows import load

SPEC = load(
    """\
version: 1
contracts:
  Inner: {n: integer, level: low|high}
  Report:
    text: string
    n: integer
    x: number
    ok: boolean
    kind: a|b|c
    tags: string[]
    sizes: integer[]
    kinds: (a|b)[]
    flags: boolean[]
    more: string[]
    inner: Inner
    note: string?
    maybe: Inner?
flows:
  entry: main
  main:
    input: {}
    output: {from: "${s.output}", contract: Report}
    steps: [{id: s, do: go, out: Report}]
"""
)
ATOMS = (
    *(
        "input.n",
        "input.x",
        "input.ok",
        "input.text",
        "input.kind",
        "input.note",
        "input.maybe",
        "input.inner",
    ),
    *(
        "input.inner.n",
        "input.inner.level",
        "input.maybe.n",
        "input.tags[0]",
        "input.tags[1]",
        "input.sizes[0]",
    ),
    *("len(input.tags)", "len(input.text)", "len(input.kind)", "len(input)"),
    *("1", "0", "2.5", "-3", "'a'", "'low'", "''", "true", "null"),
    *("any(input.tags)", "all(input.sizes)", "any(input.flags)", "all(input.flags)", "any(input.kinds)"),
    *("min(input.sizes)", "max(input.tags)", "max(input.kinds)"),
    *("'a' in input.tags", "1 in input.sizes", "'b' in input.kinds", "true in input.flags"),
    *("str(input.n)", "str(input.x)", "len(str(input.n))", "'-3'", "'2.5'", "'1.0'"),
    *("int(input.n / 2)", "int(input.n / 10)", "int(input.x / 4)", "int(input.kind)", "int('12')"),
    *("input.text + 'w'", "input.kind + '-x'", "'l' + input.text", "input.kind + input.inner.level", "'a-x'"),
    *(
        "input.note + input.text",
        "'low' in input.text",
        "'ow' in (input.text + 'w')",
        "'ww' in (input.text + 'w')",
    ),
    *("input.kind in input.text", "input.text in (input.text + 'w')", "matches(input.text, '^l')"),
    *("matches(input.text, '^[a-z]{3}$')", "matches(input.text, 'ow')", "matches(input.text, '^(lo|ze)')"),
    *("matches(input.text, 'o+w?$')", "input.tags == input.more", "input.more[2]", "'b' in input.more"),
    *("len(input.text + 'w')", "len(input.kind + '-x')", "len(input.more)", "'' in input.more"),
    *("int(input.x)", "int(input.ok)", "bool(input.note)", "bool(input.n)", "str(input.kind)"),
)
OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "&&", "||", "in")


def _expressions() -> st.SearchStrategy[str]:
    atoms = st.sampled_from(ATOMS)
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(OPERATORS), inner).map(
                lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
            ),
            inner.map(lambda part: f"!{part}"),
            inner.map(lambda part: f"-{part}"),
        ),
        max_leaves=6,
    )


INNERS = st.fixed_dictionaries({"n": st.integers(-3, 3), "level": st.sampled_from(("low", "high"))})
REPORTS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(("", "a", "low", "zebra", "-3", "loww", "lö😀w")),
        "n": st.one_of(st.integers(-3, 3), st.sampled_from((-10, 10, 99, 10**6, -(10**6), 10**15))),
        "x": st.sampled_from((-2.5, -1, 0, 0.5, 2.5, 3)),
        "ok": st.booleans(),
        "kind": st.sampled_from(("a", "b", "c")),
        "tags": st.lists(st.sampled_from(("", "a", "b")), max_size=3),
        "sizes": st.lists(st.integers(-2, 2), max_size=2),
        "kinds": st.lists(st.sampled_from(("a", "b")), max_size=3),
        "more": st.lists(st.sampled_from(("", "a", "b", "low")), max_size=4),
        "flags": st.lists(st.booleans(), max_size=3),
        "inner": INNERS,
    },
    optional={"note": st.sampled_from((None, "", "a")), "maybe": st.one_of(st.none(), INNERS)},
)


def symbolic(world: World, value: Any, like: Outcome) -> list[Any]:
    """What makes a symbolic value be a JSON value."""
    for guard, one in like:
        match one:
            case Nil() if value is None:
                return [guard]
            case Truth(term) if isinstance(value, bool):
                return [guard, term == value]
            case Amount(term=term) if isinstance(value, int | float) and not isinstance(value, bool):
                return [
                    guard,
                    term == world.terms.real(Fraction(value)) if not one.integral else term == value,
                ]
            case Record(slots) if isinstance(value, dict):
                facts = [guard]
                for name in slots:
                    facts += _slot(world, value, name, slots[name])
                return facts
            case Array() if isinstance(value, list):
                facts = [guard, one.length == len(value)]
                for index, item in enumerate(value):
                    facts += symbolic(world, item, one.element(index))
                return facts
            case _ if isinstance(value, str):
                if guard is not True and isinstance(one, Nil):
                    continue
                return [guard, equal(world, INPUT, one, world.text(value))]
    raise AssertionError((value, like))


def _slot(world: World, value: dict[str, Any], name: str, slot: Slot) -> list[Any]:
    if name not in value:
        return [negation(slot.present)]
    return [slot.present, *symbolic(world, value[name], slot.value)]


@settings(max_examples=300)
@given(_expressions(), REPORTS)
def test_what_an_expression_comes_to(text: str, report: dict[str, Any]) -> None:
    tree = parse(text)
    assert not isinstance(tree, ParseFailure)
    world = World(SPEC.contracts, ("a", "b", "c", "low", "high", "-3", "2.5", "1.0"))
    given_input = sure(world.record("Report", "input", INPUT))
    outcome = Encoder(world, INPUT, {"input": given_input}).outcome(tree)
    known = [fact for fact in symbolic(world, report, given_input) if fact is not True]
    facts = [*world.facts((INPUT,)), *known, *exact_rules(world.roundings.get(INPUT, ()))]
    query = Query(facts)
    assert query.satisfiable
    result = evaluate(compile_text(text), {"input": report})
    found = Concrete(world, query).outcome(outcome)
    defined = disjunction(*(guard for guard, _ in outcome))
    if not isinstance(result, Value):
        assert found is MISSING
        assert Query([*facts, world.terms.term(defined)]).unsatisfiable
        return
    assert Query([*facts, world.terms.term(negation(defined))]).unsatisfiable
    if isinstance(result.value, bool | int | float | str) and not _is_unknown(text):
        assert (
            found == pytest.approx(result.value) if isinstance(result.value, float) else found == result.value
        )


def _is_unknown(text: str) -> bool:
    """Joined strings, lists and the length of texts that aren't literals are known only in part."""
    return any(
        part in text
        for part in (
            " in ",
            "+",
            "len(input.text)",
            "matches",
            "input.more",
            "str(input.",
            "[",
            "any",
            "all",
            "min",
            "max",
        )
    )


DOUBLES = st.floats(-1e9, 1e9, allow_nan=False).filter(lambda value: value == 0 or abs(value) > 1e-9)


@settings(max_examples=150)
@given(DOUBLES, DOUBLES, st.sampled_from(("+", "-", "*", "/")), st.lists(DOUBLES, max_size=2))
def test_doubles_keep_the_rules_of_rounding(a: float, b: float, operator: str, others: list[float]) -> None:
    if operator == "/" and b == 0:
        return
    world = World({}, ())
    x, y = Amount(world.real("x"), False), Amount(world.real("y"), False)
    tree = parse(f"item {operator} prev")
    assert not isinstance(tree, ParseFailure)
    ((_, amount),) = Encoder(world, INPUT, {"item": sure(x), "prev": sure(y)}).outcome(tree)
    assert isinstance(amount, Amount)
    value = evaluate(compile_text(f"item {operator} prev"), {"item": a, "prev": b})
    assert isinstance(value, Value)
    doubles = [x.term, y.term, *(_exact(world, other) for other in others)]
    rules = list(rounding_rules(world.roundings[INPUT], doubles))
    fixed = [
        x.term == _exact(world, a),
        y.term == _exact(world, b),
        amount.term == _exact(world, value.value),
    ]
    assert Query([*rules, *fixed]).satisfiable


WHOLE = st.one_of(st.integers(-50, 50), st.integers(-(2**53), 2**53), st.integers(2**52 - 9, 2**52 + 9))


@settings(max_examples=150)
@given(WHOLE, WHOLE, st.lists(DOUBLES, max_size=2))
def test_quotients_of_integers_keep_the_rules_of_rounding(a: int, b: int, others: list[float]) -> None:
    if b == 0:
        return
    world = World({}, ())
    x, y = Amount(world.integer("x"), True), Amount(world.integer("y"), True)
    tree = parse("item / prev")
    assert not isinstance(tree, ParseFailure)
    ((_, amount),) = Encoder(world, INPUT, {"item": sure(x), "prev": sure(y)}).outcome(tree)
    assert isinstance(amount, Amount)
    value = evaluate(compile_text("item / prev"), {"item": a, "prev": b})
    assert isinstance(value, Value)
    doubles = [x.term, y.term, *(_exact(world, other) for other in others)]
    rules = list(rounding_rules(world.roundings[INPUT], doubles))
    fixed = [x.term == a, y.term == b, amount.term == _exact(world, value.value)]
    assert Query([*fixed, *rules]).satisfiable


@settings(max_examples=100)
@given(st.integers(-(2**53), 2**53), st.integers(0, 53))
def test_integers_over_powers_of_two_are_exact(a: int, exponent: int) -> None:
    value = evaluate(compile_text(f"item / {2**exponent}"), {"item": a})
    assert isinstance(value, Value)
    assert Fraction(value.value) == Fraction(a, 2**exponent)


def _exact(world: World, value: float) -> Any:
    return world.terms.real(Fraction(value))


def test_conjunction_folds_constants() -> None:
    flag = z3.Bool("flag")
    assert conjunction(True, flag) is flag
    assert conjunction(flag, False) is False
    assert disjunction(flag, True) is True
    assert disjunction() is False
    assert conjunction() is True


@pytest.mark.parametrize("text", ["1", "0", "-3", "1.5", "1e+21", "1e-7", "100000000000000000000"])
def test_texts_of_numbers(text: str) -> None:
    number = numeral(text)
    assert number is not None
    value = evaluate(compile_text("str(item)"), {"item": float(number)})
    assert isinstance(value, Value)
    assert value.value == text


@pytest.mark.parametrize("text", ["", "abc", "1.0", "01", "+1", "-0", "1e21", "inf", "nan", " 1", "1_0"])
def test_texts_of_no_number(text: str) -> None:
    assert numeral(text) is None
