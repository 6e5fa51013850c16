"""Evaluation: values, operators, functions and failures as expressions.md says, for any input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stratum_runtime.expression import Failure, Value, evaluate, prepare
from stratumc.expr import compile_expression, compile_text
from support.expressions import JSON_VALUES, TEXTS, TREES

RUNTIME = Path(__file__).parents[2] / "runtime"


def run(text: str, **bindings: Any) -> Any:
    """The value, or the failure's code in brackets."""
    outcome = evaluate(compile_text(text), bindings)
    return outcome.value if isinstance(outcome, Value) else f"<{outcome.code}>"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 8 / 4", 5),
        ("-2 * -(3)", 6),
        ("1/3*3 == 1", True),
        ("0.1 + 0.2", 0.1 + 0.2),
        ("1e308 * 10", "<type_error>"),
        ("1 / -0", "<type_error>"),
        ("'a' + 1", "<type_error>"),
        ("true + true", "<type_error>"),
        ("1 == 1.0", True),
        ("true == 1", False),
        ("null == null && null != 0", True),
        ("1 < 2 == true", True),
        ("'b' > 'a'", True),
        ("'😀' < '\uffff'", True),
        ("null < 1", "<type_error>"),
        ("'1' < 2", "<type_error>"),
        ("false && missing", False),
        ("true || missing", True),
        ("true && 1", "<type_error>"),
        ("0 || true", "<type_error>"),
        ("!null", "<type_error>"),
        ("'' in ''", True),
        ("1 in '1'", "<type_error>"),
        ("'a' in null", "<type_error>"),
        ("len('😀')", 2),
        ("len('\\ud83d' + '\\ude00') == 2 && '\\ud83d' + '\\ude00' == '😀'", True),
        ("'\\ude00' in 'a😀b'", True),
        ("'\\ude00\\ud83d' in '😀😀'", True),
        ("'\\ude00' in 'ab'", False),
        ("str(1e21) + str(-0) + str(0.1) + str(null) + str(true)", "1e+2100.1nulltrue"),
        ("int('+7') + int('-007') + int(true) + int(2.9) + int(-2.9)", 1),
        ("int('')", "<type_error>"),
        ("int('1.0')", "<type_error>"),
        ("int('٣')", "<type_error>"),
        ("int(null)", "<type_error>"),
        ("bool('false') && !bool('') && !bool(0) && !bool(null)", True),
        ("nope(missing)", "<unknown_identifier>"),
        ("nope()", "<unknown_function>"),
        ("len()", "<type_error>"),
        ("matches('abc', '^b')", False),
        ("matches('abc', 1)", "<type_error>"),
        ("file_exists('a')", "<validation_error>"),
        ("file_contains('a')", "<type_error>"),
        ("'proto' == 'proto'", True),
        ("9007199254740993", 9007199254740992),
        ("1e-400", 0),
    ],
)
def test_closed_expressions(text: str, value: Any) -> None:
    found = run(text)
    assert (found, found.__class__ is bool) == (value, value.__class__ is bool)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("result.a.b", 1),
        ("result.nope", "<type_error>"),
        ("result.a.b.c", "<type_error>"),
        ("result.list[1]", {"x": None}),
        ("result.list[2]", "<type_error>"),
        ("result.a[0]", "<type_error>"),
        ("result.text[0]", "<type_error>"),
        ("'a' in result && !('nope' in result)", True),
        ("'constructor' in result", "<validation_error>"),
        ("'constructor' in result.list || 'constructor' in result.text", False),
        ("result.list[1] in result.list", True),
        ("1 in result.bools", False),
        ("result.a == result.same && result.list != result.bools", True),
        ("len(result.a) + len(result.list) + len(result.text)", 6),
        ("any(result.bools) && !all(result.bools)", True),
        ("all(result.empty) && !any(result.empty)", True),
        ("min(result.numbers) + max(result.numbers)", 1),
        ("max(result.words)", "b"),
        ("min(result.empty)", "<type_error>"),
        ("min(result.bools)", "<type_error>"),
        ("max(result.list)", "<type_error>"),
        ("str(result.list)", '[1,{"x":null}]'),
        ("result.big", 2**53),
        ("result.bigs", [float(2**53), 1]),
        ("max(result.bigs) == 9007199254740992", True),
        ("item", "<unknown_identifier>"),
        ("other", "<unknown_identifier>"),
    ],
)
def test_expressions_over_a_result(text: str, value: Any) -> None:
    result = {
        "a": {"b": 1.0},
        "same": {"b": 1},
        "list": [1, {"x": None}],
        "text": "abc",
        "bools": [True, False],
        "empty": [],
        "numbers": [3, -2, 0.5],
        "words": ["a", "b"],
        "big": 2**53 + 1,
        "bigs": [2**53 + 1, 1],
    }
    assert run(text, result=result, other=1) == value


def nested(depth: int, leaf: Any) -> Any:
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def test_bound_values_are_nested_at_most_128_levels() -> None:
    assert run("len(result)", result=nested(128, 0)) == 1
    assert run("len(result)", result=nested(129, 0)) == "<resource_limit>"
    assert run("len(result)", result=nested(130, {})) == "<resource_limit>"
    assert run("result.ok", result={"ok": True, "deep": nested(128, 0)}) == "<resource_limit>"
    assert run("true || result.ok", result=nested(200, 0)) is True
    assert run("input.x", input={"x": 3}, result=nested(200, 0)) == 3
    assert run("result == input", input=nested(128, 1.0), result=nested(128, 1)) is True


def test_matches_has_limits_in_utf16_code_units() -> None:
    assert run("matches(result, '^.')", result="😀" * 2048) is True
    assert run("matches(result, '^.')", result="😀" * 2048 + "a") == "<resource_limit>"
    assert run("matches('a', result)", result="a" * 256) is False
    assert run("matches('a', result)", result="(" * 257) == "<resource_limit>"
    assert run("matches('a', result)", result="(" * 256) == "<validation_error>"


def test_a_failure_says_where() -> None:
    outcome = evaluate(compile_text("1 == 1 && result.x.y > 2"), {"result": {"x": 1}})
    assert outcome == Failure("type_error", "`.y` needs an object, not a number (character 20)")
    refused = evaluate(compile_text("1 == 1 && matches('a', 'ab(')"), {})
    assert refused == Failure(
        "validation_error", "pattern refused: a group isn't closed at its character 3 (character 11)"
    )


class Files:
    def exists(self, path: str) -> bool | Failure:
        return path == "here" if path != "../x" else Failure("validation_error", "outside")

    def contains(self, path: str, text: str) -> bool | Failure:
        return path == "here" and text == "x"


def test_files_are_asked_of_whoever_is_handed_in() -> None:
    def ask(text: str) -> Any:
        outcome = evaluate(compile_text(text), {}, files=Files())
        return outcome.value if isinstance(outcome, Value) else outcome.code

    assert ask("file_exists('here') && !file_exists('there') && file_contains('here', 'x')") is True
    assert ask("file_exists('../x')") == "validation_error"


@settings(max_examples=300)
@given(TREES, JSON_VALUES)
def test_any_tree_evaluates_or_fails(tree: Any, value: Any) -> None:
    program = prepare(compile_expression(tree))
    bindings = {"result": value, "input": {"a": value}}
    outcome = program.run(bindings)
    assert isinstance(outcome, Value | Failure)
    assert program.run(bindings) == outcome


@settings(max_examples=200)
@given(TEXTS, JSON_VALUES, st.text(alphabet="()'.!&|=1a ", max_size=3), st.integers(0, 20))
def test_any_text_evaluates_or_fails(text: str, value: Any, noise: str, at: int) -> None:
    outcome = evaluate(compile_text(text[:at] + noise + text[at:]), {"result": value})
    assert isinstance(outcome, Value | Failure)


def test_it_imports_with_the_bare_interpreter_and_little_else() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(RUNTIME)!r}); before = set(sys.modules)\n"
        "import stratum_runtime.expression\n"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('stratum_runtime')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['__future__']"


@pytest.mark.parametrize(
    "ops",
    [
        None,
        [],
        [["=="]],
        [["const", 1], ["const", 2]],
        [["const", 1], ["nope"]],
        [["const", [1]]],
        [["name", "a"], ["and", 9], ["name", "b"], ["bool"]],
        [["name", "a"], ["and", 2], ["name", "b"], ["const", 1], ["=="]],
        [["name", "a"], ["and", -1], ["name", "b"], ["bool"]],
        [["call", "len", 1]],
        ["const"],
    ],
)
def test_damaged_code_is_refused(ops: Any) -> None:
    with pytest.raises(ValueError, match=r"instruction|code"):
        prepare({"ops": ops, "at": [0] * len(ops or [])})


@settings(max_examples=200)
@given(TREES, st.data())
def test_code_damaged_in_one_place_never_goes_astray(tree: Any, data: st.DataObject) -> None:
    compiled = compile_expression(tree)
    ops = [list(op) for op in compiled["ops"]]
    at = data.draw(st.integers(0, len(ops) - 1))
    ops[at] = data.draw(
        st.sampled_from([["not"], ["=="], ["and", 1], ["or", 2], ["const", True], ["call", "len", 2]])
    )
    try:
        program = prepare({"ops": ops, "at": compiled["at"]})
    except ValueError:
        return
    assert isinstance(program.run({"result": True}), Value | Failure)
